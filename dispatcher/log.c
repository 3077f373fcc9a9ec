/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

char *
tt_log_format(TtLogPriority priority, const char *text)
{
    char *line = g_strdup_printf("<%d>tcptune-nm: %s\n", (int) priority, text);

    for (char *p = line; p[0] && p[1]; p++) {
        if (g_ascii_iscntrl(*p))
            *p = '?';
    }
    return line;
}

void
tt_log(TtLogPriority priority, const char *text)
{
    g_autofree char *line = tt_log_format(priority, text);
    ssize_t r;

    /* A log that cannot be written must not stop the work. */
    r = write(STDERR_FILENO, line, strlen(line));
    (void) r;
}
