/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor-text.h"

#include "describe.h"

static void
append_count(GString *text, guint64 n, const char *one, const char *many)
{
    g_string_append_printf(text, ", %" G_GUINT64_FORMAT " %s", n, n == 1 ? one : many);
}

static void
append_last_change(GString *text, const TtMonitorStatus *status, gint64 now)
{
    g_autofree char *age = tt_describe_age(now, status->last_change);

    if (status->last_change)
        g_string_append_printf(text, " (last %s ago)", age);
}

static void
append_fight(GString *text, const TtMonitorStatus *status, gint64 now)
{
    g_autofree char *age = tt_describe_age(now, status->last_fight);

    if (status->fight && status->last_fight)
        g_string_append_printf(text, ", last fight: %s %s ago", status->fight, age);
}

char *
tt_monitor_text(const TtMonitorStatus *status, gint64 now)
{
    g_autoptr(GString) text = g_string_new("monitor: ");
    g_autofree char *age = status ? tt_describe_age(now, status->since) : NULL;
    g_autofree char *complaint = status ? tt_monitor_complaint(status) : NULL;

    if (!status)
        return g_strdup("monitor: not running");
    g_string_append_printf(text, "running for %s", age);
    append_count(text, status->n_events, "event seen", "events seen");
    append_count(text, status->n_changes, "route put right", "routes put right");
    append_last_change(text, status, now);
    append_fight(text, status, now);
    if (complaint)
        g_string_append_printf(text, "\nmonitor: %s", complaint);
    return g_strdup(text->str);
}

char *
tt_monitor_complaint(const TtMonitorStatus *status)
{
    if (!status->policy_error)
        return NULL;
    return g_strdup_printf("follows the policy from before its last reload, which failed: %s",
                           status->policy_error);
}
