/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textfile.h"

#include "core/apply.h"
#include "core/lock.h"
#include "core/monitor-status.h"
#include "describe.h"
#include "monitor-text.h"
#include "prometheus.h"

#include <glib/gstdio.h>

static void
count_routes(const TtPlan *plan, TtPrometheus *values)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        values->n_tuned += item->state == TT_STATE_OK && tt_wanted_any(&item->wanted);
        values->n_drift += tt_describe_is_difference(item);
    }
}

static void
count_settings(const TtHostView *view, TtPrometheus *values)
{
    for (guint i = 0; i < view->plan.n_items; i++)
        values->n_drift += tt_host_view_is_difference(view, i);
}

static void
look_at_monitor(TtPrometheus *values)
{
    TtMonitorStatus status;
    g_autofree char *complaint = NULL;

    values->monitor_running = tt_monitor_status_read(TT_RUN_DIR, &status);
    if (values->monitor_running)
        complaint = tt_monitor_complaint(&status);
    values->n_drift += complaint != NULL;
    tt_monitor_status_clear(&status);
}

bool
tt_textfile_write(const char *path, const TtPlan *plan, const TtHostView *view, GError **error)
{
    TtPrometheus values = {
        .policy_valid = plan != NULL,
        .last_run = tt_lock_last_taken(TT_RUN_DIR),
    };
    g_autofree char *text = NULL;

    if (plan) {
        count_routes(plan, &values);
        count_settings(view, &values);
    }
    look_at_monitor(&values);
    values.has_counters = tt_counters_since(TT_RUN_DIR, &values.counters);
    text = tt_prometheus_format(&values);
    if (!g_file_set_contents(path, text, -1, error))
        return false;
    /* The collector is another user, and a file that was there before kept its mode. */
    if (g_chmod(path, 0644) == 0)
        return true;
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot make %s readable for all", path);
    return false;
}
