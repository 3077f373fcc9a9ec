/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes -> route. */
#include "rtnl-codec.h"

#include "rtnl-nla.h"
#include "uapi.h"

#include <string.h>

static bool
parse_congctl(const struct nlattr *attr, TtMetrics *metrics)
{
    gsize len = strnlen(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));

    if (len >= sizeof metrics->congctl)
        return false;
    memcpy(metrics->congctl, mnl_attr_get_payload(attr), len);
    metrics->present |= TT_METRIC_BIT(RTAX_CC_ALGO);
    return true;
}

static bool
parse_metrics(const struct nlattr *nest, TtMetrics *metrics)
{
    const struct nlattr *first = mnl_attr_get_payload(nest);
    const struct nlattr *attr;
    guint32 number = 0;

    tt_nla_for_each(attr, first, mnl_attr_get_payload_len(nest))
    {
        guint16 type = mnl_attr_get_type(attr);

        if (type == RTAX_UNSPEC || tt_nla_is_opaque_metric(attr))
            continue;
        if (type == RTAX_CC_ALGO) {
            if (!parse_congctl(attr, metrics))
                return false;
            continue;
        }
        tt_nla_get_u32(attr, &number);
        if (type == RTAX_LOCK) {
            metrics->lock = number;
        } else if (number != 0) {
            metrics->value[type] = number;
            metrics->present |= TT_METRIC_BIT(type);
        } else { /* the kernel holds no difference between 0 and absent */
            metrics->value[type] = 0;
            metrics->present &= ~TT_METRIC_BIT(type);
        }
    }
    return true;
}

/* RTA_GATEWAY, RTA_VIA and RTA_OIF, at the top or inside RTA_MULTIPATH. */
static bool
parse_hop_attribute(const struct nlattr *attr, int family, TtHop *hop)
{
    const struct rtvia *via;
    guint32 number;

    switch (mnl_attr_get_type(attr)) {
    case RTA_GATEWAY:
        hop->gateway_family = family;
        return tt_nla_get_address(attr, family, &hop->gateway);
    case RTA_VIA:
        if (mnl_attr_get_payload_len(attr) != sizeof(guint16) + 16)
            return false;
        via = mnl_attr_get_payload(attr);
        if (via->rtvia_family != AF_INET6)
            return false;
        hop->gateway_family = AF_INET6;
        memcpy(hop->gateway.bytes, via->rtvia_addr, 16);
        return true;
    case RTA_OIF:
        if (!tt_nla_get_u32(attr, &number) || number > G_MAXINT)
            return false;
        hop->ifindex = (int) number;
        return true;
    default:
        return true;
    }
}

static bool
parse_hop(const struct rtnexthop *nexthop, int family, TtHop *hop)
{
    const struct nlattr *first = (const void *) (nexthop + 1);
    const struct nlattr *attr;

    memset(hop, 0, sizeof *hop);
    hop->ifindex = nexthop->rtnh_ifindex;
    hop->flags = nexthop->rtnh_flags;
    hop->weight = nexthop->rtnh_hops;
    tt_nla_for_each(attr, first, nexthop->rtnh_len - sizeof *nexthop)
    {
        if (!parse_hop_attribute(attr, family, hop))
            return false;
    }
    return true;
}

static bool
parse_multipath(const struct nlattr *nest, TtRoute *route)
{
    const char *at = mnl_attr_get_payload(nest);
    gsize left = mnl_attr_get_payload_len(nest);
    const struct rtnexthop *nexthop;

    while ((nexthop = tt_nla_next_hop(&at, &left))) {
        if (!parse_hop(nexthop, route->family, &route->hops[route->n_hops++]))
            return false;
    }
    return left == 0 && route->n_hops > 0;
}

static bool
parse_expiry(const struct nlattr *attr, TtRoute *route)
{
    const struct rta_cacheinfo *info = mnl_attr_get_payload(attr);

    if (mnl_attr_get_payload_len(attr) < sizeof *info)
        return false;
    if (info->rta_expires > 0) /* 1/100 s; RTA_EXPIRES takes seconds */
        route->expires = ((guint32) info->rta_expires + 99) / 100;
    return true;
}

typedef struct {
    const struct nlattr *multipath; /* NULL: there is none */
    bool metrics;
} Seen;

static bool
parse_route_attribute(const struct nlattr *attr, TtRoute *route, Seen *seen)
{
    switch (mnl_attr_get_type(attr)) {
    case RTA_DST:
        return tt_nla_get_address(attr, route->family, &route->dst);
    case RTA_SRC:
        return tt_nla_get_address(attr, route->family, &route->src);
    case RTA_PREFSRC:
        route->has_prefsrc = true;
        return tt_nla_get_address(attr, route->family, &route->prefsrc);
    case RTA_TABLE:
        return tt_nla_get_u32(attr, &route->table);
    case RTA_PRIORITY:
        return tt_nla_get_u32(attr, &route->priority);
    case TT_RTA_NH_ID:
        return tt_nla_get_u32(attr, &route->nh_id);
    case RTA_PREF:
        if (mnl_attr_get_payload_len(attr) != 1)
            return false;
        route->pref = mnl_attr_get_u8(attr);
        return true;
    case RTA_METRICS:
        if (seen->metrics) /* never from a kernel; which of the two would count? */
            return false;
        seen->metrics = true;
        return parse_metrics(attr, &route->metrics);
    case RTA_CACHEINFO:
        return parse_expiry(attr, route);
    case RTA_MULTIPATH:
        return attr == seen->multipath && parse_multipath(attr, route);
    case RTA_GATEWAY:
    case RTA_VIA:
    case RTA_OIF:
        /* A kernel may say one of its hops at the top as well: the list counts. */
        if (seen->multipath)
            return true;
        route->n_hops = 1;
        return parse_hop_attribute(attr, route->family, &route->hops[0]);
    default:
        return true;
    }
}

static void
take_header(const struct rtmsg *header, TtRoute *route)
{
    route->family = header->rtm_family;
    route->dst_len = header->rtm_dst_len;
    route->src_len = header->rtm_src_len;
    route->tos = header->rtm_tos;
    route->table = header->rtm_table;
    route->protocol = header->rtm_protocol;
    route->scope = header->rtm_scope;
    route->type = header->rtm_type;
    route->flags = header->rtm_flags;
}

static const struct nlattr *
find_multipath(const struct nlattr *first, int len)
{
    const struct nlattr *attr;

    tt_nla_for_each(attr, first, len)
    {
        if (mnl_attr_get_type(attr) == RTA_MULTIPATH)
            return attr;
    }
    return NULL;
}

static guint
count_hops(const struct nlattr *nest)
{
    const char *at = mnl_attr_get_payload(nest);
    gsize left = mnl_attr_get_payload_len(nest);
    guint n = 0;

    while (tt_nla_next_hop(&at, &left))
        n++;
    return n;
}

TtRoute *
tt_rtnl_parse_route(const struct nlmsghdr *message, gsize len)
{
    const struct rtmsg *header = (const struct rtmsg *) (message + 1);
    const struct nlattr *first, *attr;
    g_autoptr(TtRoute) route = NULL;
    Seen seen = {0};
    int attributes_len;

    first = tt_nla_first(message, len, sizeof *header, &attributes_len);
    if (!first || (message->nlmsg_type != RTM_NEWROUTE && message->nlmsg_type != RTM_DELROUTE)
        || (header->rtm_family != AF_INET && header->rtm_family != AF_INET6)
        || header->rtm_dst_len > tt_address_len(header->rtm_family) * 8
        || header->rtm_src_len > tt_address_len(header->rtm_family) * 8)
        return NULL;
    seen.multipath = find_multipath(first, attributes_len);
    route =
        tt_route_new(seen.multipath ? count_hops(seen.multipath) : 1, message, message->nlmsg_len);
    take_header(header, route);
    tt_nla_for_each(attr, first, attributes_len)
    {
        if (!parse_route_attribute(attr, route, &seen))
            return NULL;
    }
    /* A single hop has its flags in the header. */
    if (!seen.multipath && route->n_hops == 1)
        route->hops[0].flags = (guint8) route->flags;
    return g_steal_pointer(&route);
}
