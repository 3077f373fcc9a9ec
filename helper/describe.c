/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "describe.h"

#include "core/report.h"

char *
tt_describe_route(const TtRoute *route)
{
    GString *text = g_string_new(NULL);
    g_autofree char *prefix = tt_route_format_prefix(route);

    /* "default" without a gateway would not tell the family. */
    if (route->family == AF_INET6 && tt_route_is_default(route)
        && !(route->n_hops && route->hops[0].gateway_family))
        g_string_append(text, "::/0");
    else
        g_string_append(text, prefix);
    for (guint i = 0; i < route->n_hops; i++) {
        g_autofree char *gateway = tt_hop_format_gateway(&route->hops[i]);

        if (gateway[0])
            g_string_append_printf(text, "%s%s", i ? "," : " via ", gateway);
    }
    if (route->nh_id)
        g_string_append_printf(text, " nhid %u", route->nh_id);
    if (route->tos)
        g_string_append_printf(text, " tos 0x%02x", route->tos);
    if (route->table != RT_TABLE_MAIN)
        g_string_append_printf(text, " table %u", route->table);
    if (route->priority)
        g_string_append_printf(text, " metric %u", route->priority);
    return g_string_free(text, FALSE);
}

char *
tt_describe_devices(const TtRoute *route)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < route->n_hops; i++) {
        char name[IF_NAMESIZE];
        int ifindex = route->hops[i].ifindex;

        if (i > 0)
            g_string_append_c(text, ',');
        if (ifindex && if_indextoname(ifindex, name))
            g_string_append(text, name);
        else if (ifindex)
            g_string_append_printf(text, "if%d", ifindex);
    }
    return g_string_free(text, FALSE);
}

/* A route that is left alone has no target: what the policy wants of it is in its wishes. */
static TtMetrics
wanted_metrics(const TtPlanItem *item)
{
    TtMetrics metrics = item->state == TT_STATE_DIFFERS ? item->target : item->route->metrics;

    tt_wanted_apply(&item->wanted, &metrics);
    return metrics;
}

static guint32
told_metrics(const TtPlanItem *item)
{
    guint32 mask = 0;

    if (item->state == TT_STATE_DIFFERS)
        mask = tt_metrics_difference(&item->target, &item->route->metrics);
    for (int attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wish = item->wanted.wish[attr];

        if (wish && wish->kind != TT_WISH_NONE)
            mask |= TT_METRIC_BIT(tt_attr_info(attr)->rtax);
    }
    return mask;
}

TtMetrics
tt_describe_wanted_metrics(const TtPlanItem *item)
{
    TtMetrics all = wanted_metrics(item);

    return tt_metrics_masked(&all, told_metrics(item));
}

char *
tt_describe_wanted(const TtPlanItem *item)
{
    TtMetrics told = tt_describe_wanted_metrics(item);

    return tt_report_metrics(&told);
}

char *
tt_describe_kernel(const TtPlanItem *item)
{
    TtMetrics told = tt_metrics_masked(&item->route->metrics, told_metrics(item));

    return tt_report_metrics(&told);
}

static const char *
difference_text(const TtPlanItem *item)
{
    if (item->reason == TT_REASON_STALE)
        return "its profile does not want this gateway any more: to be removed";
    if (item->leaves)
        return item->reason == TT_REASON_TWIN
                   ? "second copy of a route: to be removed"
                   : "tuned, but NetworkManager no longer uses it: to be removed";
    if (item->ineffective
        && item->ineffective == tt_metrics_difference(&item->target, &item->route->metrics))
        return "not effective (unlocked)";
    return tt_wanted_any(&item->wanted) ? "differs" : "to be undone";
}

char *
tt_describe_state(const TtPlanItem *item)
{
    switch (item->state) {
    case TT_STATE_OK:
        return g_strdup("ok");
    case TT_STATE_DIFFERS:
        return g_strdup(difference_text(item));
    case TT_STATE_LEFT:
        if (item->left == TT_LEFT_NEEDS_MONITOR)
            return g_strdup(tt_left_text(item->left));
        return g_strdup_printf("left alone: %s", tt_left_text(item->left));
    case TT_STATE_UNMATCHED:
    case _TT_STATE_N:
        break;
    }
    return g_strdup("no section matches");
}

TtTone
tt_describe_tone(const TtPlanItem *item)
{
    if (tt_describe_is_difference(item))
        return TT_TONE_BAD;
    return item->state == TT_STATE_OK ? TT_TONE_GOOD : TT_TONE_FAINT;
}

static char *
section_text(const TtSection *section)
{
    return g_strdup_printf("[%s] %s:%u", section->name, section->origin.file, section->origin.line);
}

char *
tt_describe_sections(const TtWanted *wanted)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (int attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtSection *section = wanted->section[attr];
        bool told = false;

        for (int earlier = 0; earlier < attr; earlier++)
            told |= wanted->section[earlier] == section;
        if (section && !told)
            g_ptr_array_add(texts, section_text(section));
    }
    if (texts->len == 0 && wanted->partial)
        g_ptr_array_add(texts, section_text(wanted->partial));
    g_ptr_array_add(texts, NULL);
    return g_strjoinv(", ", (char **) texts->pdata);
}

char *
tt_describe_age(gint64 now, gint64 since)
{
    static const struct {
        gint64 seconds;
        char unit;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
    gint64 age = MAX(now - since, 0);

    if (since == 0)
        return g_strdup("");
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        if (age >= units[i].seconds)
            return g_strdup_printf("%" G_GINT64_FORMAT "%c", age / units[i].seconds, units[i].unit);
    }
    return g_strdup("0s");
}

bool
tt_describe_is_difference(const TtPlanItem *item)
{
    /* What [main] forbids is as the policy says. */
    if (item->state == TT_STATE_LEFT)
        return item->left != TT_LEFT_NEVER;
    return item->state == TT_STATE_DIFFERS;
}
