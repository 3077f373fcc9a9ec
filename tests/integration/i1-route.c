/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of rtnetlink(7) -> I1Route. */
#include "i1-route.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the state of a link makes of a hop; not a property of the route. */
#define LINK_STATE_FLAGS (RTNH_F_DEAD | RTNH_F_LINKDOWN)

static const char *const metric_names[I1_METRICS_N] = {
    [RTAX_LOCK] = "lock",
    [RTAX_MTU] = "mtu",
    [RTAX_WINDOW] = "window",
    [RTAX_RTT] = "rtt",
    [RTAX_RTTVAR] = "rttvar",
    [RTAX_SSTHRESH] = "ssthresh",
    [RTAX_CWND] = "cwnd",
    [RTAX_ADVMSS] = "advmss",
    [RTAX_REORDERING] = "reordering",
    [RTAX_HOPLIMIT] = "hoplimit",
    [RTAX_INITCWND] = "initcwnd",
    [RTAX_FEATURES] = "features",
    [RTAX_RTO_MIN] = "rto_min",
    [RTAX_INITRWND] = "initrwnd",
    [RTAX_QUICKACK] = "quickack",
    [RTAX_CC_ALGO] = "congctl",
    [RTAX_FASTOPEN_NO_COOKIE] = "fastopen_no_cookie",
};

int
i1_metric_from_name(const char *name)
{
    for (int i = 1; i < I1_METRICS_N; i++) {
        if (metric_names[i] && strcmp(metric_names[i], name) == 0)
            return i;
    }
    return 0;
}

const char *
i1_metric_name(int metric)
{
    const char *name = metric > 0 && metric < I1_METRICS_N ? metric_names[metric] : NULL;

    return name ? name : "unknown metric";
}

static void __attribute__((format(printf, 2, 3))) append(char *text, const char *format, ...)
{
    size_t len = strlen(text);
    va_list args;

    va_start(args, format);
    vsnprintf(text + len, I1_TEXT_MAX - len, format, args);
    va_end(args);
}

static void
append_address(char *text, const char *before, int family, const void *address)
{
    char buffer[INET6_ADDRSTRLEN];

    append(text, "%s%s", before, inet_ntop(family, address, buffer, sizeof(buffer)));
}

static void
append_device(char *text, int ifindex)
{
    char name[IF_NAMESIZE];

    if (if_indextoname((unsigned int) ifindex, name))
        append(text, " dev %s", name);
    else
        append(text, " dev if%d", ifindex);
}

static void
append_gateway(char *text, int family, const struct nlattr *gateway, const struct nlattr *via)
{
    if (gateway)
        append_address(text, " via ", family, mnl_attr_get_payload(gateway));
    if (via) {
        const struct rtvia *v = mnl_attr_get_payload(via);
        append_address(text, v->rtvia_family == AF_INET6 ? " via inet6 " : " via ", v->rtvia_family,
                       v->rtvia_addr);
    }
}

/* The attributes of a hop; RTNH_DATA() has a cast that clang dislikes. */
static const void *
hop_data(const struct rtnexthop *hop)
{
    return (const char *) hop + RTNH_LENGTH(0);
}

static const void *
hop_next(const struct rtnexthop *hop)
{
    return (const char *) hop + RTNH_ALIGN(hop->rtnh_len);
}

static void
append_hops(char *text, int family, const struct nlattr *multipath)
{
    const struct rtnexthop *hop = mnl_attr_get_payload(multipath);
    int len = mnl_attr_get_payload_len(multipath);

    while (RTNH_OK(hop, len)) {
        const struct nlattr *gateway = NULL, *via = NULL, *attr;

        mnl_attr_for_each_payload(hop_data(hop), hop->rtnh_len - sizeof(*hop))
        {
            if (mnl_attr_get_type(attr) == RTA_GATEWAY)
                gateway = attr;
            if (mnl_attr_get_type(attr) == RTA_VIA)
                via = attr;
        }
        append(text, " nexthop");
        append_gateway(text, family, gateway, via);
        append_device(text, hop->rtnh_ifindex);
        append(text, " weight %u", hop->rtnh_hops + 1);
        len -= RTNH_ALIGN(hop->rtnh_len);
        hop = hop_next(hop);
    }
}

static void
format(I1Route *route, const struct rtmsg *rtm, const struct nlattr **tb)
{
    static const char *const types[] = {
        [RTN_LOCAL] = "local ",         [RTN_BROADCAST] = "broadcast ",
        [RTN_ANYCAST] = "anycast ",     [RTN_MULTICAST] = "multicast ",
        [RTN_BLACKHOLE] = "blackhole ", [RTN_UNREACHABLE] = "unreachable ",
        [RTN_PROHIBIT] = "prohibit ",   [RTN_THROW] = "throw "};
    char *text = route->text;

    if (rtm->rtm_type < sizeof(types) / sizeof(types[0]) && types[rtm->rtm_type])
        append(text, "%s", types[rtm->rtm_type]);
    if (rtm->rtm_dst_len == 0) {
        append(text, "default");
    } else {
        append_address(text, "", rtm->rtm_family, route->key.dst);
        append(text, "/%u", rtm->rtm_dst_len);
    }
    if (rtm->rtm_tos)
        append(text, " tos 0x%x", rtm->rtm_tos);
    if (rtm->rtm_src_len) {
        append_address(text, " from ", rtm->rtm_family, route->key.src);
        append(text, "/%u", rtm->rtm_src_len);
    }
    if (tb[RTA_NH_ID])
        append(text, " nhid %u", mnl_attr_get_u32(tb[RTA_NH_ID]));
    append_gateway(text, rtm->rtm_family, tb[RTA_GATEWAY], tb[RTA_VIA]);
    if (tb[RTA_OIF])
        append_device(text, (int) mnl_attr_get_u32(tb[RTA_OIF]));
    if (route->key.table != RT_TABLE_MAIN)
        append(text, " table %u", route->key.table);
    append(text, " proto %u scope %u", rtm->rtm_protocol, rtm->rtm_scope);
    if (tb[RTA_PREFSRC])
        append_address(text, " src ", rtm->rtm_family, mnl_attr_get_payload(tb[RTA_PREFSRC]));
    if (route->key.priority)
        append(text, " metric %u", route->key.priority);
    if (tb[RTA_PREF])
        append(text, " pref %u", mnl_attr_get_u8(tb[RTA_PREF]));
    if (tb[RTA_MULTIPATH])
        append_hops(text, rtm->rtm_family, tb[RTA_MULTIPATH]);
}

static void
parse_metrics(I1Route *route, const struct nlattr *metrics)
{
    const struct nlattr *attr;

    mnl_attr_for_each_nested(attr, metrics)
    {
        int type = mnl_attr_get_type(attr);

        if (type >= I1_METRICS_N)
            continue;
        if (type == RTAX_CC_ALGO)
            snprintf(route->congctl, sizeof(route->congctl), "%s", mnl_attr_get_str(attr));
        else if (type == RTAX_LOCK)
            route->lock = mnl_attr_get_u32(attr);
        else
            route->metric[type] = mnl_attr_get_u32(attr);
    }
}

static void
clear_link_state(struct nlattr *multipath)
{
    struct rtnexthop *hop = mnl_attr_get_payload(multipath);
    int len = mnl_attr_get_payload_len(multipath);

    while (RTNH_OK(hop, len)) {
        hop->rtnh_flags &= (unsigned char) ~LINK_STATE_FLAGS;
        len -= RTNH_ALIGN(hop->rtnh_len);
        hop = (struct rtnexthop *) hop_next(hop);
    }
}

static void
build_identity(I1Route *route, const struct nlmsghdr *message)
{
    struct rtmsg rtm = *(struct rtmsg *) mnl_nlmsg_get_payload(message);
    const struct nlattr *attr;

    route->identity = calloc(1, message->nlmsg_len);
    rtm.rtm_flags &= ~(unsigned int) LINK_STATE_FLAGS;
    memcpy(route->identity, &rtm, sizeof(rtm));
    route->identity_len = sizeof(rtm);
    mnl_attr_for_each(attr, message, sizeof(rtm))
    {
        struct nlattr *copy = (void *) (route->identity + route->identity_len);
        int type = mnl_attr_get_type(attr);

        if (type == RTA_METRICS || type == RTA_CACHEINFO)
            continue;
        memcpy(copy, attr, attr->nla_len);
        if (type == RTA_MULTIPATH)
            clear_link_state(copy);
        route->identity_len += MNL_ALIGN(attr->nla_len);
    }
}

static void
fill_key(I1Route *route, const struct rtmsg *rtm, const struct nlattr **tb)
{
    size_t address_len = rtm->rtm_family == AF_INET ? 4 : 16;

    route->key = (I1Key){.family = rtm->rtm_family,
                         .dst_len = rtm->rtm_dst_len,
                         .src_len = rtm->rtm_src_len,
                         .tos = rtm->rtm_tos,
                         .table = rtm->rtm_table};
    if (tb[RTA_TABLE])
        route->key.table = mnl_attr_get_u32(tb[RTA_TABLE]);
    if (tb[RTA_PRIORITY])
        route->key.priority = mnl_attr_get_u32(tb[RTA_PRIORITY]);
    if (tb[RTA_DST])
        memcpy(route->key.dst, mnl_attr_get_payload(tb[RTA_DST]), address_len);
    if (tb[RTA_SRC])
        memcpy(route->key.src, mnl_attr_get_payload(tb[RTA_SRC]), address_len);
}

static void
fill_device(I1Route *route, const struct nlattr **tb)
{
    if (tb[RTA_OIF]) {
        route->oif = (int) mnl_attr_get_u32(tb[RTA_OIF]);
    } else if (tb[RTA_MULTIPATH]) {
        const struct rtnexthop *hop = mnl_attr_get_payload(tb[RTA_MULTIPATH]);
        route->oif = hop->rtnh_ifindex;
    }
}

I1Route *
i1_route_parse(const struct nlmsghdr *message)
{
    const struct rtmsg *rtm = mnl_nlmsg_get_payload(message);
    const struct nlattr *tb[RTA_MAX + 1] = {NULL};
    const struct nlattr *attr;
    I1Route *route;

    if (message->nlmsg_type != RTM_NEWROUTE && message->nlmsg_type != RTM_DELROUTE)
        return NULL;
    if (rtm->rtm_family != AF_INET && rtm->rtm_family != AF_INET6)
        return NULL;
    mnl_attr_for_each(attr, message, sizeof(*rtm))
    {
        if (mnl_attr_get_type(attr) <= RTA_MAX)
            tb[mnl_attr_get_type(attr)] = attr;
    }

    route = calloc(1, sizeof(*route));
    route->type = rtm->rtm_type;
    route->cloned = (rtm->rtm_flags & RTM_F_CLONED) != 0;
    fill_key(route, rtm, tb);
    fill_device(route, tb);
    if (tb[RTA_METRICS])
        parse_metrics(route, tb[RTA_METRICS]);
    if (tb[RTA_CACHEINFO]) {
        const struct rta_cacheinfo *info = mnl_attr_get_payload(tb[RTA_CACHEINFO]);
        route->expires = (uint32_t) info->rta_expires;
    }
    build_identity(route, message);
    format(route, rtm, tb);
    return route;
}

I1Route *
i1_route_copy(const I1Route *route)
{
    I1Route *copy = malloc(sizeof(*copy));

    *copy = *route;
    copy->identity = malloc(route->identity_len);
    memcpy(copy->identity, route->identity, route->identity_len);
    return copy;
}

void
i1_route_free(I1Route *route)
{
    if (route)
        free(route->identity);
    free(route);
}

bool
i1_route_same_key(const I1Route *a, const I1Route *b)
{
    return memcmp(&a->key, &b->key, sizeof(a->key)) == 0;
}

bool
i1_route_same_identity(const I1Route *a, const I1Route *b)
{
    return a->identity_len == b->identity_len
           && memcmp(a->identity, b->identity, a->identity_len) == 0;
}

bool
i1_route_same_metrics(const I1Route *a, const I1Route *b)
{
    return a->lock == b->lock && memcmp(a->metric, b->metric, sizeof(a->metric)) == 0
           && strcmp(a->congctl, b->congctl) == 0;
}

void
i1_route_format_metrics(const I1Route *route, char *text, size_t size)
{
    size_t len = 0;

    text[0] = '\0';
    for (int i = 1; i < I1_METRICS_N && len < size; i++) {
        bool locked = (route->lock >> i) & 1;

        if (route->metric[i] || locked)
            len += (size_t) snprintf(text + len, size - len, " %s%s %u", i1_metric_name(i),
                                     locked ? " lock" : "", route->metric[i]);
    }
    if (route->congctl[0] && len < size)
        snprintf(text + len, size - len, " congctl %s", route->congctl);
}

void
i1_list_insert(I1List *list, size_t at, I1Route *route)
{
    if (list->n == list->allocated) {
        list->allocated = list->allocated ? list->allocated * 2 : 64;
        list->item = realloc(list->item, list->allocated * sizeof(list->item[0]));
    }
    memmove(list->item + at + 1, list->item + at, (list->n - at) * sizeof(list->item[0]));
    list->item[at] = route;
    list->n++;
}

void
i1_list_remove(I1List *list, size_t at)
{
    i1_route_free(list->item[at]);
    list->n--;
    memmove(list->item + at, list->item + at + 1, (list->n - at) * sizeof(list->item[0]));
}

void
i1_list_clear(I1List *list)
{
    for (size_t i = 0; i < list->n; i++)
        i1_route_free(list->item[i]);
    free(list->item);
    *list = (I1List){0};
}

void
i1_list_copy(I1List *to, const I1List *from)
{
    for (size_t i = 0; i < from->n; i++)
        i1_list_insert(to, to->n, i1_route_copy(from->item[i]));
}
