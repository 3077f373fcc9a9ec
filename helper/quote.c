/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "quote.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* What no shell takes for anything but itself. */
#define PLAIN_BYTES                                                                                \
    "abcdefghijklmnopqrstuvwxyz"                                                                   \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                                   \
    "0123456789_.:@-"

/* Of the printable character that begins here; 0: none does. */
static gsize
printable_len(const char *at)
{
    gunichar c;

    if ((guchar) *at < 0x80)
        return g_ascii_isprint(*at) ? 1 : 0;
    c = g_utf8_get_char_validated(at, -1);
    if (c == (gunichar) -1 || c == (gunichar) -2 || !g_unichar_isprint(c))
        return 0;
    return (gsize) (g_utf8_next_char(at) - at);
}

static void
append_octal(GString *to, guchar byte)
{
    g_string_append_c(to, '\\');
    g_string_append_c(to, (char) ('0' + (byte >> 6)));
    g_string_append_c(to, (char) ('0' + (byte >> 3 & 7)));
    g_string_append_c(to, (char) ('0' + (byte & 7)));
}

/* Bytes of `special` get a backslash. */
static void
append_escaped(GString *to, const char *text, bool keep_lines, const char *special)
{
    while (*text) {
        gsize len = printable_len(text);

        if (len == 0 && !(keep_lines && *text == '\n')) {
            append_octal(to, (guchar) *text++);
            continue;
        }
        if (strchr(special, *text))
            g_string_append_c(to, '\\');
        g_string_append_len(to, text, (gssize) MAX(len, 1));
        text += MAX(len, 1);
    }
}

char *
tt_quote_escape(const char *text)
{
    GString *to = g_string_sized_new(strlen(text) + 1);

    append_escaped(to, text, true, "");
    return g_string_free(to, FALSE);
}

static bool
is_printable(const char *text)
{
    gsize len;

    for (; *text; text += len) {
        len = printable_len(text);
        if (len == 0)
            return false;
    }
    return true;
}

char *
tt_quote_word(const char *text)
{
    GString *to;

    if (text[0] && !text[strspn(text, PLAIN_BYTES)])
        return g_strdup(text);
    if (is_printable(text))
        return g_shell_quote(text);
    to = g_string_new("$'");
    append_escaped(to, text, false, "\\'");
    g_string_append_c(to, '\'');
    return g_string_free(to, FALSE);
}
