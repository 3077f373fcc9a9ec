/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json-monitor.h"

#include "core/apply.h"
#include "core/monitor-status.h"

static void
add_status(JsonBuilder *builder, const TtMonitorStatus *status)
{
    tt_json_begin_object(builder, "monitor");
    tt_json_add_time(builder, "since", status->since);
    tt_json_add_int(builder, "events", (gint64) status->n_events);
    tt_json_add_int(builder, "changes", (gint64) status->n_changes);
    tt_json_add_time(builder, "last_change", status->last_change);
    tt_json_add_time(builder, "last_fight", status->last_fight);
    tt_json_add_text(builder, "fight", status->fight);
    tt_json_add_text(builder, "policy_error", status->policy_error);
    json_builder_end_object(builder);
}

void
tt_json_add_monitor(JsonBuilder *builder)
{
    TtMonitorStatus status;

    if (tt_monitor_status_read(TT_RUN_DIR, &status))
        add_status(builder, &status);
    else
        tt_json_add_text(builder, "monitor", NULL);
    tt_monitor_status_clear(&status);
}
