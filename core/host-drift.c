/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-drift.h"

#include "sysctl-files.h"

#include <fnmatch.h>
#include <string.h>

/* The last line that names the knob itself, and the last one whose pattern it fits. The first
 * counts where there is one, whichever comes later. */
typedef struct {
    const char *name; /* "net/ipv4/tcp_tw_reuse" */
    TtHostDrift exact;
    TtHostDrift pattern;
} Search;

void
tt_host_drift_clear(TtHostDrift *drift)
{
    g_clear_pointer(&drift->file, g_free);
    g_clear_pointer(&drift->value, g_free);
}

/* The first separator, `.` or `/`, says which of the two is the separator; in a name with dots a
 * slash is a dot that is meant. */
static void
normalize(char *name)
{
    char *first = strpbrk(name, "./");

    if (!first || *first == '/')
        return;
    for (char *p = first; *p; p++) {
        if (*p == '.')
            *p = '/';
        else if (*p == '/')
            *p = '.';
    }
}

static void
replace(TtHostDrift *drift, const char *file, guint line, const char *value)
{
    tt_host_drift_clear(drift);
    drift->file = g_strdup(file);
    drift->line = line;
    drift->value = g_strdup(value);
}

/* `-` before a name: a failure does not matter; before a name without a value: patterns do not
 * count for it. */
static void
take_line(Search *search, const char *file, guint number, char *line)
{
    char *value = strchr(line, '=');
    char *name = line;

    if (*name == '#' || *name == ';')
        return;
    if (value)
        *value++ = '\0';
    if (*name == '-')
        name++;
    else if (!value)
        return;
    name = g_strstrip(name);
    normalize(name);
    if (strcmp(name, search->name) == 0)
        replace(&search->exact, file, number, value ? g_strstrip(value) : NULL);
    else if (value && fnmatch(name, search->name, FNM_PATHNAME | FNM_PERIOD) == 0)
        replace(&search->pattern, file, number, g_strstrip(value));
}

static void
take_file(Search *search, const char *file)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    if (!g_file_get_contents(file, &text, NULL, NULL))
        return;
    lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        take_line(search, file, i + 1, g_strstrip(lines[i]));
}

static bool
is_wanted(TtHostKey key, const TtHostWish *wish, const char *value)
{
    g_autofree char *wanted = tt_host_wish_value(key, wish);
    char *end;

    if (strcmp(value, wanted) == 0)
        return true;
    /* The kernel reads 0x2, and 02, too. */
    return key != TT_HOST_DEFAULT_QDISC && *value
           && g_ascii_strtoull(value, &end, 0) == wish->number && !*end;
}

void
tt_host_drift_find(const char *root, TtHostKey key, const TtHostWish *wish, TtHostDrift *out_drift)
{
    Search search = {.name = tt_knob_sysctl(key)};
    g_autoptr(GPtrArray) files = NULL;
    TtHostDrift *last;

    memset(out_drift, 0, sizeof *out_drift);
    if (!search.name)
        return;
    files = tt_sysctl_files_list(root);
    for (guint i = 0; i < files->len; i++)
        take_file(&search, files->pdata[i]);
    last = search.exact.file ? &search.exact : &search.pattern;
    if (last->file && last->value && !is_wanted(key, wish, last->value)) {
        *out_drift = *last;
        memset(last, 0, sizeof *last);
    }
    tt_host_drift_clear(&search.exact);
    tt_host_drift_clear(&search.pattern);
}
