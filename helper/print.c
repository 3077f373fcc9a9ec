/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "print.h"

#include "quote.h"

#include <glib.h>

/* Nearly all text is: it is not copied then. */
static gboolean
is_ascii_text(const char *text)
{
    while (g_ascii_isprint(*text) || *text == '\n')
        text++;
    return !*text;
}

void
tt_print(FILE *to, const char *text)
{
    g_autofree char *escaped = is_ascii_text(text) ? NULL : tt_quote_escape(text);

    fputs(escaped ? escaped : text, to);
}

void
tt_print_line(FILE *to, const char *beginning, const char *text)
{
    if (to == stderr)
        fflush(stdout);
    tt_print(to, beginning);
    tt_print(to, text);
    putc('\n', to);
}
