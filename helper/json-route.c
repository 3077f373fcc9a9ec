/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json-route.h"

#include "describe.h"

static void
add_locks(JsonBuilder *builder, const TtMetrics *metrics)
{
    tt_json_begin_array(builder, "lock");
    for (int rtax = RTAX_LOCK + 1; rtax < TT_METRICS_N; rtax++) {
        if (tt_metrics_locked(metrics, rtax) && tt_metric_name(rtax))
            tt_json_add_element(builder, tt_metric_name(rtax));
    }
    json_builder_end_array(builder);
}

void
tt_json_add_metrics(JsonBuilder *builder, const char *name, const TtMetrics *metrics)
{
    tt_json_begin_object(builder, name);
    for (int rtax = RTAX_LOCK + 1; rtax < TT_METRICS_N; rtax++) {
        if (!tt_metrics_has(metrics, rtax) || !tt_metric_name(rtax))
            continue;
        if (rtax == RTAX_CC_ALGO)
            tt_json_add_text(builder, tt_metric_name(rtax), metrics->congctl);
        else
            tt_json_add_int(builder, tt_metric_name(rtax), metrics->value[rtax]);
    }
    add_locks(builder, metrics);
    json_builder_end_object(builder);
}

static void
add_hop(JsonBuilder *builder, const TtHop *hop)
{
    g_autofree char *gateway = tt_hop_format_gateway(hop);
    char device[IF_NAMESIZE];

    json_builder_begin_object(builder);
    tt_json_add_text(builder, "gateway", gateway[0] ? gateway : NULL);
    tt_json_add_text(builder, "device",
                     hop->ifindex && if_indextoname((guint) hop->ifindex, device) ? device : NULL);
    tt_json_add_int(builder, "ifindex", hop->ifindex);
    tt_json_add_int(builder, "weight", hop->weight + 1);
    json_builder_end_object(builder);
}

/* Members that say which route it is. */
static void
add_identity(JsonBuilder *builder, const TtRoute *route)
{
    g_autofree char *text = tt_route_format(route, false);
    g_autofree char *prefix = tt_route_format_prefix(route);

    tt_json_add_text(builder, "route", text);
    tt_json_add_text(builder, "family", route->family == AF_INET6 ? "ipv6" : "ipv4");
    tt_json_add_text(builder, "destination", prefix);
    tt_json_begin_array(builder, "nexthops");
    for (guint i = 0; i < route->n_hops; i++)
        add_hop(builder, &route->hops[i]);
    json_builder_end_array(builder);
    tt_json_add_int(builder, "table", route->table);
    tt_json_add_int(builder, "metric", route->priority);
    tt_json_add_int(builder, "protocol", route->protocol);
}

static void
add_differences(JsonBuilder *builder, const TtPlanItem *item)
{
    guint32 mask = item->state == TT_STATE_DIFFERS
                       ? tt_metrics_difference(&item->target, &item->route->metrics)
                       : 0;
    TtMetrics before = tt_metrics_masked(&item->route->metrics, mask);
    TtMetrics after = tt_metrics_masked(&item->target, mask);

    tt_json_add_metrics(builder, "before", &before);
    tt_json_add_metrics(builder, "after", &after);
}

static void
add_sections(JsonBuilder *builder, const TtWanted *wanted)
{
    tt_json_begin_object(builder, "sections");
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtSection *section = wanted->section[attr];
        g_autofree char *text = NULL;

        if (!section)
            continue;
        text = g_strdup_printf("[%s] %s:%u", section->name, section->origin.file,
                               section->origin.line);
        tt_json_add_text(builder, tt_attr_info(attr)->name, text);
    }
    json_builder_end_object(builder);
}

static const char *
state_name(const TtPlanItem *item)
{
    static const char *const names[_TT_STATE_N] = {
        [TT_STATE_OK] = "ok",
        [TT_STATE_DIFFERS] = "differs",
        [TT_STATE_LEFT] = "left",
        [TT_STATE_UNMATCHED] = "unmatched",
    };

    return names[item->state];
}

void
tt_json_add_item_members(JsonBuilder *builder, const TtPlanItem *item)
{
    g_autofree char *text = tt_describe_state(item);
    TtMetrics wanted = tt_describe_wanted_metrics(item);

    add_identity(builder, item->route);
    tt_json_add_metrics(builder, "kernel", &item->route->metrics);
    tt_json_add_metrics(builder, "wanted", &wanted);
    add_differences(builder, item);
    add_sections(builder, &item->wanted);
    tt_json_add_text(builder, "state", state_name(item));
    tt_json_add_text(builder, "reason", item->left ? tt_left_name(item->left) : NULL);
    tt_json_add_text(builder, "text", text);
    tt_json_add_bool(builder, "removed", item->leaves);
    tt_json_add_bool(builder, "effective", item->ineffective == 0);
    tt_json_add_time(builder, "since", item->since);
}

void
tt_json_add_item(JsonBuilder *builder, const TtPlanItem *item)
{
    json_builder_begin_object(builder);
    tt_json_add_item_members(builder, item);
    json_builder_end_object(builder);
}

void
tt_json_add_route(JsonBuilder *builder, const TtRoute *route)
{
    json_builder_begin_object(builder);
    add_identity(builder, route);
    tt_json_add_metrics(builder, "kernel", &route->metrics);
    json_builder_end_object(builder);
}

void
tt_json_add_edit(JsonBuilder *builder, const TtEdit *edit, const TtEditReport *report)
{
    static const char *const kinds[_TT_EDIT_N] = {
        [TT_EDIT_REPLACE] = "replace", [TT_EDIT_APPEND] = "append", [TT_EDIT_DELETE] = "delete"};
    bool failed = report && (report->error || report->text);
    g_autofree char *text = failed ? tt_report_failure(report) : tt_report_edit(edit);
    guint32 mask = edit->kind == TT_EDIT_DELETE
                       ? 0
                       : tt_metrics_difference(&edit->before, &edit->route->metrics);
    TtMetrics before = tt_metrics_masked(&edit->before, mask);
    TtMetrics after = tt_metrics_masked(&edit->route->metrics, mask);

    json_builder_begin_object(builder);
    add_identity(builder, edit->route);
    tt_json_add_text(builder, "edit", kinds[edit->kind]);
    tt_json_add_metrics(builder, "before", &before);
    tt_json_add_metrics(builder, "after", &after);
    tt_json_add_bool(builder, "detail", tt_report_is_detail(edit));
    tt_json_add_bool(builder, "done", report && !failed);
    tt_json_add_text(builder, "text", text);
    json_builder_end_object(builder);
}
