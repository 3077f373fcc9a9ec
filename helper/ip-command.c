/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ip-command.h"

#include "core/rtnl-nla.h"

#include <string.h>

static const struct nlattr *
find_in(const struct nlattr *first, gsize len, guint16 type)
{
    const struct nlattr *attr;

    tt_nla_for_each(attr, first, len)
    {
        if (mnl_attr_get_type(attr) == type)
            return attr;
    }
    return NULL;
}

static const struct nlattr *
find_attribute(const TtRoute *route, guint16 type)
{
    const struct nlattr *first;
    int len;

    if (!route->raw)
        return NULL;
    first = tt_nla_first(route->raw, route->raw_len, sizeof(struct rtmsg), &len);
    return first ? find_in(first, (gsize) len, type) : NULL;
}

static bool
hops_have_attribute(const TtRoute *route, guint16 type)
{
    const struct nlattr *multipath = find_attribute(route, RTA_MULTIPATH);
    const struct rtnexthop *hop;
    const char *at;
    gsize left;

    if (!multipath)
        return false;
    at = mnl_attr_get_payload(multipath);
    left = mnl_attr_get_payload_len(multipath);
    while ((hop = tt_nla_next_hop(&at, &left))) {
        if (find_in((const void *) (hop + 1), hop->rtnh_len - sizeof *hop, type))
            return true;
    }
    return false;
}

/* Metrics that ip takes a 0 for. */
static const struct {
    int rtax;
    const char *name;
} zero_names[] = {
    {RTAX_MTU, "mtu"},           {RTAX_WINDOW, "window"},     {RTAX_SSTHRESH, "ssthresh"},
    {RTAX_CWND, "cwnd"},         {RTAX_ADVMSS, "advmss"},     {RTAX_REORDERING, "reordering"},
    {RTAX_INITCWND, "initcwnd"}, {RTAX_INITRWND, "initrwnd"}, {RTAX_QUICKACK, "quickack"},
};

static bool
can_name_absent(guint32 absent)
{
    for (guint i = 0; i < G_N_ELEMENTS(zero_names); i++) {
        if (absent & TT_METRIC_BIT(zero_names[i].rtax))
            return true;
    }
    return false;
}

/* rto_min is always locked by ip, and so is the 0 that would name a route without it. */
static const char *
metrics_why_not(const TtEdit *edit)
{
    const TtMetrics *metrics = &edit->route->metrics;
    const guint32 unsayable =
        TT_METRIC_BIT(RTAX_RTT) | TT_METRIC_BIT(RTAX_RTTVAR) | ~((2u << RTAX_MAX) - 1);

    if (tt_metrics_has(metrics, RTAX_RTO_MIN) && !tt_metrics_locked(metrics, RTAX_RTO_MIN))
        return "it cannot write rto_min without its lock";
    if (metrics->lock & ~metrics->present)
        return "it cannot lock a metric without a value";
    if (tt_metrics_has(metrics, RTAX_FEATURES) && metrics->value[RTAX_FEATURES] != RTAX_FEATURE_ECN)
        return "it knows no features but ecn";
    if (metrics->present & unsayable)
        return "it cannot repeat all metrics of the route exactly";
    /* With a successor behind it, the old one is the first that is found. */
    if (edit->absent && edit->pair < 0 && !can_name_absent(edit->absent))
        return "it cannot name a route by the rto_min that it lacks";
    return NULL;
}

static const char *
why_not(const TtEdit *edit)
{
    const TtRoute *route = edit->route;

    if (!route->nh_id
        && (find_attribute(route, RTA_ENCAP) || hops_have_attribute(route, RTA_ENCAP)))
        return "the route has an encapsulation";
    if (hops_have_attribute(route, RTA_FLOW))
        return "its next hops have realms";
    return metrics_why_not(edit);
}

/* ip locks rto_min by itself and takes "lock" for a value (iproute.c, iproute_modify). */
static char *
without_rto_min_lock(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, " rto_min lock ", -1);

    return g_strjoinv(" rto_min ", parts);
}

static void
append_absent(GString *to, guint32 absent)
{
    for (guint i = 0; i < G_N_ELEMENTS(zero_names); i++) {
        if (absent & TT_METRIC_BIT(zero_names[i].rtax))
            g_string_append_printf(to, " %s 0", zero_names[i].name);
    }
}

/* What tt_route_format() leaves out because ip-route(8) does not print it like this. */
static void
append_unprinted(GString *to, const TtRoute *route)
{
    const struct nlattr *realms = find_attribute(route, RTA_FLOW);

    if (realms && mnl_attr_validate(realms, MNL_TYPE_U32) == 0) {
        guint32 pair = mnl_attr_get_u32(realms);

        g_string_append_printf(to, " realms %u/%u", pair >> 16, pair & 0xffff);
    }
    /* Without a gateway ip would take scope link. */
    if (route->family == AF_INET && route->scope == RT_SCOPE_UNIVERSE && route->n_hops == 1
        && !route->hops[0].gateway_family && !route->nh_id)
        g_string_append(to, " scope global");
    /* Without any metric the kernel gives a route those of another with this nexthop object
     * (fib_semantics.c: fib_create_info, fib_find_info_nh). */
    if (route->nh_id && !route->metrics.present)
        g_string_append(to, " quickack 0");
    if (route->family == AF_INET6 && route->expires)
        g_string_append_printf(to, " expires %u", route->expires);
}

static const char *const verbs[] = {
    [TT_EDIT_REPLACE] = "change",
    [TT_EDIT_APPEND] = "append",
    [TT_EDIT_DELETE] = "del",
};
G_STATIC_ASSERT(G_N_ELEMENTS(verbs) == _TT_EDIT_N);

/* Next hops come last in ip's grammar: all else goes before the first of them. */
static void
insert_before_hops(GString *command, const char *text)
{
    char *hops = strstr(command->str, " nexthop ");

    g_string_insert(command, hops ? hops - command->str : -1, text);
}

char *
tt_ip_command(const TtEdit *edit)
{
    const char *family = edit->route->family == AF_INET6 ? "-6 " : "";
    g_autofree char *printed = tt_route_format(edit->route, true);
    g_autofree char *route = without_rto_min_lock(printed);
    g_autoptr(GString) more = g_string_new(NULL);
    GString *command;

    if (why_not(edit))
        return g_strdup_printf("# ip cannot do this (%s): %s %s", why_not(edit), verbs[edit->kind],
                               printed);
    command = g_string_new(NULL);
    g_string_printf(command, "ip %sroute %s %s", family, verbs[edit->kind], route);
    append_unprinted(more, edit->route);
    append_absent(more, edit->absent);
    insert_before_hops(command, more->str);
    return g_string_free(command, FALSE);
}
