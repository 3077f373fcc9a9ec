/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log-host.h"

#include "core/host-report.h"
#include "log.h"

void
tt_log_host(const TtHostReport *report, gpointer unused)
{
    g_autofree char *text = tt_host_report_write(report);

    tt_log(report->error ? TT_LOG_ERROR : TT_LOG_CHANGE, text);
}

void
tt_host_told_clear(TtHostTold *told)
{
    for (TtHostKey key = 0; key < _TT_HOST_N; key++)
        g_clear_pointer(&told->complaint[key], g_free);
}

static void
complain(TtHostTold *told, TtHostKey key, TtLogPriority priority, const char *text)
{
    if (g_strcmp0(told->complaint[key], text) == 0)
        return;
    tt_log(priority, text);
    g_free(told->complaint[key]);
    told->complaint[key] = g_strdup(text);
}

void
tt_host_told_report(TtHostTold *told, const TtHostReport *report)
{
    g_autofree char *text = NULL;

    if (!report->error) {
        tt_log_host(report, NULL);
        return;
    }
    text = tt_host_report_write(report);
    complain(told, report->item->key, TT_LOG_ERROR, text);
}

void
tt_host_told_plan(TtHostTold *told, const TtHostPlan *plan)
{
    for (guint i = 0; i < plan->n_items; i++) {
        const TtHostItem *item = &plan->items[i];
        g_autofree char *name = NULL;
        g_autofree char *state = NULL;
        g_autofree char *text = NULL;

        if (item->state == TT_HOST_OK)
            g_clear_pointer(&told->complaint[item->key], g_free);
        if (item->state != TT_HOST_UNAVAILABLE || !item->wish)
            continue;
        name = tt_host_report_name(item->key);
        state = tt_host_report_state(item);
        text = g_strdup_printf("%s: %s", name, state);
        complain(told, item->key, TT_LOG_WARNING, text);
    }
}
