/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy files are GLib key files without escapes, languages and repetition. GKeyFile itself
 * merges repeated keys and sections silently, knows no line numbers and takes `;` for a key, so
 * the lines are read here; whatever is accepted, GKeyFile reads the same (but for `;` comments).
 */
#include "policy-internal.h"

#include "error.h"

#include <stdarg.h>
#include <string.h>

#define SHOWN_MAX 80

/* Far more than anybody has; every route is held against every section, and every key that is
 * read against those before it. */
#define GROUPS_MAX 1000
#define ENTRIES_MAX 100

typedef struct {
    TtOrigin at;
    GPtrArray *groups;
    TtPolicyGroup *group; /* the last of them */
} Parser;

static void
free_entry(gpointer data)
{
    TtPolicyEntry *entry = data;

    g_free(entry->key);
    g_free(entry->value);
    g_free(entry);
}

static void
free_group(gpointer data)
{
    TtPolicyGroup *group = data;

    g_free(group->name);
    g_ptr_array_unref(group->entries);
    g_free(group);
}

bool
tt_policy_error(GError **error, const TtOrigin *origin, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "%s:%u: %s", origin->file, origin->line, text);
    return false;
}

char *
tt_policy_shorten(const char *value)
{
    g_autofree char *start = NULL;

    if (g_utf8_strlen(value, -1) <= SHOWN_MAX)
        return g_strdup(value);
    start = g_utf8_substring(value, 0, SHOWN_MAX);
    return g_strconcat(start, "...", NULL);
}

/* From here on a line can be printed in messages, and can be handled as a C string. */
static bool
check_bytes(const Parser *parser, const char *line, gsize len, GError **error)
{
    if (len > TT_POLICY_LINE_MAX)
        return tt_policy_error(error, &parser->at, "the line is longer than %d bytes",
                               TT_POLICY_LINE_MAX);
    if (memchr(line, '\0', len))
        return tt_policy_error(error, &parser->at, "a NUL byte");
    if (!g_utf8_validate(line, (gssize) len, NULL))
        return tt_policy_error(error, &parser->at, "not UTF-8");
    if (parser->at.line == 1 && len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        return tt_policy_error(error, &parser->at,
                               "a byte order mark; save the file as UTF-8 without one");
    for (const char *p = line; p < line + len; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (g_unichar_iscntrl(c) && c != '\t')
            return tt_policy_error(error, &parser->at, "a control character (U+%04X)", c);
    }
    return true;
}

static bool
parse_header(Parser *parser, char *line, GError **error)
{
    char *end = strchr(line, ']');
    g_autofree char *shown = tt_policy_shorten(line);
    TtPolicyGroup *group;

    if (!end)
        return tt_policy_error(error, &parser->at, "%s: the ] is missing", shown);
    if (end[1])
        return tt_policy_error(error, &parser->at, "%s: text behind the section's ]", shown);
    *end = '\0';
    for (guint i = 0; i < parser->groups->len; i++) {
        const TtPolicyGroup *other = g_ptr_array_index(parser->groups, i);

        if (strcmp(other->name, line + 1) == 0)
            return tt_policy_error(error, &parser->at, "%s: the section stands on line %u already",
                                   shown, other->line);
    }
    if (parser->groups->len == GROUPS_MAX)
        return tt_policy_error(error, &parser->at, "more than %d sections", GROUPS_MAX);
    group = g_new0(TtPolicyGroup, 1);
    group->line = parser->at.line;
    group->name = g_strdup(line + 1);
    group->entries = g_ptr_array_new_with_free_func(free_entry);
    g_ptr_array_add(parser->groups, group);
    parser->group = group;
    return true;
}

/* What is wrong with the form of key=value; NULL: nothing. */
static const char *
entry_fault(const char *key, const char *value)
{
    if (!key[0])
        return "no key before the =";
    if (strchr(key, '['))
        return "a key takes no [language]";
    if (strchr(value, '\\'))
        return "there are no escapes; in a glob, ? stands for any character";
    return NULL;
}

static bool
add_entry(Parser *parser, const char *key, const char *value, GError **error)
{
    const char *fault = entry_fault(key, value);
    g_autofree char *shown_key = tt_policy_shorten(key);
    g_autofree char *shown = tt_policy_shorten(value);
    TtPolicyEntry *entry;

    if (!parser->group)
        return tt_policy_error(error, &parser->at, "%s=%s: stands before the first [section]",
                               shown_key, shown);
    if (fault)
        return tt_policy_error(error, &parser->at, "[%s] %s=%s: %s", parser->group->name, shown_key,
                               shown, fault);
    for (guint i = 0; i < parser->group->entries->len; i++) {
        const TtPolicyEntry *other = g_ptr_array_index(parser->group->entries, i);

        if (strcmp(other->key, key) == 0)
            return tt_policy_error(error, &parser->at,
                                   "[%s] %s=%s: the key stands on line %u already",
                                   parser->group->name, shown_key, shown, other->line);
    }
    if (parser->group->entries->len == ENTRIES_MAX)
        return tt_policy_error(error, &parser->at, "more than %d keys in a section", ENTRIES_MAX);
    entry = g_new0(TtPolicyEntry, 1);
    entry->line = parser->at.line;
    entry->key = g_strdup(key);
    entry->value = g_strdup(value);
    g_ptr_array_add(parser->group->entries, entry);
    return true;
}

static bool
parse_line(Parser *parser, const char *bytes, gsize len, GError **error)
{
    g_autofree char *copy = NULL;
    g_autofree char *shown = NULL;
    char *line;
    char *equals;

    if (len && bytes[len - 1] == '\r')
        len--;
    if (!check_bytes(parser, bytes, len, error))
        return false;
    copy = g_strndup(bytes, len);
    line = g_strstrip(copy);
    if (!line[0] || line[0] == '#' || line[0] == ';')
        return true;
    if (line[0] == '[')
        return parse_header(parser, line, error);
    equals = strchr(line, '=');
    if (equals) {
        *equals = '\0';
        return add_entry(parser, g_strchomp(line), g_strchug(equals + 1), error);
    }
    shown = tt_policy_shorten(line);
    return tt_policy_error(error, &parser->at,
                           "'%s': neither a [section], nor key=value, nor a comment", shown);
}

GPtrArray *
tt_policy_lines_parse(const char *file, const char *text, gsize len, GError **error)
{
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(free_group);
    Parser parser = {.at = {.file = file}, .groups = groups};

    if (len > TT_POLICY_FILE_MAX) {
        g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "%s: larger than 1 MiB", file);
        return NULL;
    }
    for (gsize start = 0, stop; start < len; start = stop + 1) {
        const char *newline = memchr(text + start, '\n', len - start);

        stop = newline ? (gsize) (newline - text) : len;
        parser.at.line++;
        if (!parse_line(&parser, text + start, stop - start, error))
            return NULL;
    }
    return g_steal_pointer(&groups);
}
