/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ip-command.h"

#include "core/rtnl-nla.h"
#include "quote.h"

#include <arpa/inet.h>
#include <linux/icmpv6.h>

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

static const char *const types[] = {
    [RTN_LOCAL] = "local",         [RTN_BROADCAST] = "broadcast", [RTN_ANYCAST] = "anycast",
    [RTN_MULTICAST] = "multicast", [RTN_BLACKHOLE] = "blackhole", [RTN_UNREACHABLE] = "unreachable",
    [RTN_PROHIBIT] = "prohibit",   [RTN_THROW] = "throw",         [RTN_NAT] = "nat",
};

/* Words that every ip knows, whatever its rt_protos and rt_scopes say; else the number. */
static const char *const protocols[] = {
    [RTPROT_REDIRECT] = "redirect", [RTPROT_KERNEL] = "kernel", [RTPROT_BOOT] = "boot",
    [RTPROT_STATIC] = "static",     [RTPROT_RA] = "ra",         [RTPROT_DHCP] = "dhcp",
};

static const char *const scopes[] = {
    [RT_SCOPE_LINK] = "link",
    [RT_SCOPE_HOST] = "host",
};

static void
append_word(GString *to, const char *name, const char *const *words, guint n_words, guint number)
{
    if (number < n_words && words[number])
        g_string_append_printf(to, " %s %s", name, words[number]);
    else
        g_string_append_printf(to, " %s %u", name, number);
}

static void
append_start(GString *to, const TtRoute *route)
{
    g_autofree char *prefix = tt_route_format_prefix(route);

    if (route->type < G_N_ELEMENTS(types) && types[route->type])
        g_string_append_printf(to, " %s", types[route->type]);
    g_string_append_printf(to, " %s", prefix);
    if (route->src_len) {
        const TtRoute source = {
            .family = route->family, .dst = route->src, .dst_len = route->src_len};
        g_autofree char *from = tt_route_format_prefix(&source);

        g_string_append_printf(to, " from %s", from);
    }
    if (route->tos)
        g_string_append_printf(to, " tos 0x%02x", route->tos);
}

static void
append_hop(GString *to, const TtRoute *route, const TtHop *hop)
{
    g_autofree char *gateway = tt_hop_format_gateway(hop);
    bool other_family = route->family == AF_INET && hop->gateway_family == AF_INET6;
    char name[IF_NAMESIZE];

    if (hop->gateway_family)
        g_string_append_printf(to, " via %s%s", other_family ? "inet6 " : "", gateway);
    if (hop->ifindex && if_indextoname(hop->ifindex, name)) {
        g_autofree char *word = tt_quote_word(name);

        g_string_append_printf(to, " dev %s", word);
    } else if (hop->ifindex) {
        g_string_append_printf(to, " dev if%d", hop->ifindex);
    }
}

static void
append_place(GString *to, const TtRoute *route)
{
    if (route->nh_id)
        g_string_append_printf(to, " nhid %u", route->nh_id);
    else if (route->n_hops == 1)
        append_hop(to, route, &route->hops[0]);
    if (route->table != RT_TABLE_MAIN)
        g_string_append_printf(to, " table %u", route->table);
    append_word(to, "proto", protocols, G_N_ELEMENTS(protocols), route->protocol);
    if (route->family == AF_INET && route->scope != RT_SCOPE_UNIVERSE)
        append_word(to, "scope", scopes, G_N_ELEMENTS(scopes), route->scope);
    /* Without a gateway ip would take scope link. */
    else if (route->family == AF_INET && route->n_hops == 1 && !route->hops[0].gateway_family
             && !route->nh_id)
        g_string_append(to, " scope global");
}

static void
append_source(GString *to, const TtRoute *route)
{
    char text[INET6_ADDRSTRLEN];

    if (route->has_prefsrc && inet_ntop(route->family, &route->prefsrc, text, sizeof text))
        g_string_append_printf(to, " src %s", text);
}

static void
append_options(GString *to, const TtRoute *route)
{
    const struct nlattr *realms = find_attribute(route, RTA_FLOW);

    append_source(to, route);
    if (route->priority)
        g_string_append_printf(to, " metric %u", route->priority);
    if (route->n_hops == 1 && (route->hops[0].flags & RTNH_F_ONLINK) && !route->nh_id)
        g_string_append(to, " onlink");
    if (route->family == AF_INET6 && route->pref == ICMPV6_ROUTER_PREF_HIGH)
        g_string_append(to, " pref high");
    if (route->family == AF_INET6 && route->pref == ICMPV6_ROUTER_PREF_LOW)
        g_string_append(to, " pref low");
    if (route->family == AF_INET6 && route->expires)
        g_string_append_printf(to, " expires %u", route->expires);
    if (realms && mnl_attr_validate(realms, MNL_TYPE_U32) == 0) {
        guint32 pair = mnl_attr_get_u32(realms);

        g_string_append_printf(to, " realms %u/%u", pair >> 16, pair & 0xffff);
    }
}

static void
append_metrics(GString *to, const TtEdit *edit, const TtMetrics *metrics)
{
    tt_metrics_append(metrics, to);
    /* Without any metric the kernel gives a route those of another with this nexthop object
     * (fib_semantics.c: fib_create_info, fib_find_info_nh). */
    if (edit->route->nh_id && !metrics->present)
        g_string_append(to, " quickack 0");
    for (guint i = 0; i < G_N_ELEMENTS(zero_names); i++) {
        if (edit->absent & TT_METRIC_BIT(zero_names[i].rtax))
            g_string_append_printf(to, " %s 0", zero_names[i].name);
    }
}

static void
append_hops(GString *to, const TtRoute *route)
{
    if (route->n_hops < 2 || route->nh_id)
        return;
    for (guint i = 0; i < route->n_hops; i++) {
        g_string_append(to, " nexthop");
        append_hop(to, route, &route->hops[i]);
        g_string_append_printf(to, " weight %u", route->hops[i].weight + 1u);
        if (route->hops[i].flags & RTNH_F_ONLINK)
            g_string_append(to, " onlink");
    }
}

/* In the order in which ip prints a route; next hops come last in its grammar. */
static void
append_route(GString *to, const TtEdit *edit, const TtMetrics *metrics)
{
    append_start(to, edit->route);
    append_place(to, edit->route);
    append_options(to, edit->route);
    append_metrics(to, edit, metrics);
    append_hops(to, edit->route);
}

static const char *const verbs[] = {
    [TT_EDIT_REPLACE] = "change",
    [TT_EDIT_APPEND] = "append",
    [TT_EDIT_DELETE] = "del",
};
G_STATIC_ASSERT(G_N_ELEMENTS(verbs) == _TT_EDIT_N);

char *
tt_ip_command(const TtEdit *edit)
{
    const char *family = edit->route->family == AF_INET6 ? "-6 " : "";
    const char *refusal = why_not(edit);
    TtMetrics metrics = edit->route->metrics;
    GString *command = g_string_new(NULL);

    if (refusal) {
        g_string_printf(command, "# ip cannot do this (%s): %s", refusal, verbs[edit->kind]);
    } else {
        g_string_printf(command, "ip %sroute %s", family, verbs[edit->kind]);
        /* ip locks rto_min by itself and takes "lock" for a value (iproute.c, iproute_modify). */
        metrics.lock &= ~TT_METRIC_BIT(RTAX_RTO_MIN);
    }
    append_route(command, edit, &metrics);
    return g_string_free(command, FALSE);
}
