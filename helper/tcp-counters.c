/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tcp-counters.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define GROUP "TcpExt:"

static const char *const told_names[] = {"TCPLossProbes", "TCPDSACKRecv", "TCPTimeouts"};

/* The group has two lines: names, then values in the same order. */
static bool
find_group(char *const *lines, char ***out_names, char ***out_values)
{
    for (; lines[0] && lines[1]; lines++) {
        if (g_str_has_prefix(lines[0], GROUP) && g_str_has_prefix(lines[1], GROUP)) {
            *out_names = g_strsplit(lines[0], " ", -1);
            *out_values = g_strsplit(lines[1], " ", -1);
            return true;
        }
    }
    return false;
}

char *
tt_tcp_counters_format(const char *netstat)
{
    g_auto(GStrv) lines = g_strsplit(netstat, "\n", -1);
    g_auto(GStrv) names = NULL;
    g_auto(GStrv) values = NULL;
    g_autoptr(GString) text = g_string_new(NULL);

    if (!find_group(lines, &names, &values))
        return NULL;
    for (guint i = 0; names[i] && values[i]; i++) {
        for (guint j = 0; j < G_N_ELEMENTS(told_names); j++) {
            if (!strcmp(names[i], told_names[j]))
                g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", names[i], values[i]);
        }
    }
    return text->len ? g_strdup_printf("TCP since boot: %s", text->str) : NULL;
}

char *
tt_tcp_counters_text(void)
{
    g_autofree char *netstat = NULL;

    if (!g_file_get_contents("/proc/net/netstat", &netstat, NULL, NULL))
        return NULL;
    return tt_tcp_counters_format(netstat);
}
