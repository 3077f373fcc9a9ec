/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json-host.h"

#include "core/host-report.h"
#include "json-policy.h"

static const char *const state_names[] = {
    [TT_HOST_OK] = "ok",
    [TT_HOST_DIFFERS] = "differs",
    [TT_HOST_UNAVAILABLE] = "unavailable",
    [TT_HOST_UNREADABLE] = "unreadable",
};
G_STATIC_ASSERT(G_N_ELEMENTS(state_names) == _TT_HOST_STATE_N);

static void
add_value(JsonBuilder *builder, const char *name, TtHostKey key, const char *value)
{
    g_autofree char *word = tt_host_value_word(key, value);

    tt_json_add_text(builder, name, value[0] ? word : NULL);
}

static void
add_drift(JsonBuilder *builder, const TtHostItem *item, const TtHostDrift *drift)
{
    if (!drift->file) {
        tt_json_add_text(builder, "drift", NULL);
        return;
    }
    tt_json_begin_object(builder, "drift");
    tt_json_add_text(builder, "file", drift->file);
    tt_json_add_int(builder, "line", drift->line);
    add_value(builder, "value", item->key, drift->value);
    json_builder_end_object(builder);
}

static void
add_item(JsonBuilder *builder, const TtHostView *view, guint i)
{
    const TtHostItem *item = &view->plan.items[i];
    g_autofree char *wanted = tt_host_view_wanted(view, i);
    g_autofree char *text = tt_host_view_state(view, i);

    json_builder_begin_object(builder);
    tt_json_add_text(builder, "setting", tt_host_key_name(item->key));
    tt_json_add_text(builder, "path", tt_knob_path(item->key));
    tt_json_add_text(builder, "wanted", wanted[0] ? wanted : NULL);
    add_value(builder, "kernel", item->key, item->found.value);
    tt_json_add_text(builder, "state", state_names[item->state]);
    tt_json_add_text(builder, "text", text);
    tt_json_add_bool(builder, "host_wide", tt_knob_is_host_wide(item->key));
    add_drift(builder, item, &view->drift[i]);
    tt_json_add_time(builder, "since", item->since);
    tt_json_add_origin(builder, item->wish ? &item->wish->origin : NULL);
    json_builder_end_object(builder);
}

void
tt_json_add_host(JsonBuilder *builder, const TtHostView *view, bool only_differences)
{
    tt_json_begin_array(builder, "host");
    for (guint i = 0; i < view->plan.n_items; i++) {
        if (!only_differences || tt_host_view_is_difference(view, i))
            add_item(builder, view, i);
    }
    json_builder_end_array(builder);
}

void
tt_json_add_host_edit(JsonBuilder *builder, const TtHostItem *item, const TtHostReport *report)
{
    g_autofree char *text = report ? tt_host_report_write(report) : tt_host_report_plan(item);

    json_builder_begin_object(builder);
    tt_json_add_text(builder, "setting", tt_host_key_name(item->key));
    tt_json_add_text(builder, "path", tt_knob_path(item->key));
    add_value(builder, "before", item->key, item->found.value);
    add_value(builder, "after", item->key, item->target);
    tt_json_add_bool(builder, "done", report && !report->error);
    tt_json_add_text(builder, "text", text);
    json_builder_end_object(builder);
}
