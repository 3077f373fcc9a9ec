/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Route -> bytes, and what of a route's own bytes counts. */
#include "rtnl-codec.h"
#include "rtnl-nla.h"
#include "uapi.h"

#include <string.h>

/* What is sent back of an attribute that a route came with. */
typedef enum { AS_IT_CAME, WITHOUT_HOP_FLAGS, NOTHING } Treatment;

static Treatment
treatment_of(const struct nlattr *attr, const TtRoute *route)
{
    switch (mnl_attr_get_type(attr)) {
    case RTA_METRICS:   /* rebuilt */
    case RTA_CACHEINFO: /* ignored when sent */
    case RTA_EXPIRES:
        return NOTHING;
    case RTA_OIF:
    case RTA_GATEWAY:
    case RTA_VIA:
    case RTA_ENCAP:
    case RTA_ENCAP_TYPE:
        return route->nh_id ? NOTHING : AS_IT_CAME; /* exclusive with a nexthop object */
    case RTA_MULTIPATH:
        return route->nh_id ? NOTHING : WITHOUT_HOP_FLAGS;
    default:
        return AS_IT_CAME;
    }
}

static void
put_u32(GByteArray *message, guint16 type, guint32 number)
{
    tt_nla_put(message, type, &number, sizeof number);
}

static void
put_verbatim(GByteArray *message, const struct nlattr *attr)
{
    tt_nla_put(message, attr->nla_type, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
}

/* The kernel refuses DEAD and LINKDOWN, and believes OFFLOAD and TRAP (facts-kernel 2). */
static void
put_multipath(GByteArray *message, const struct nlattr *nest)
{
    g_autofree char *copy = g_memdup(mnl_attr_get_payload(nest), mnl_attr_get_payload_len(nest));
    const char *at = copy;
    gsize left = mnl_attr_get_payload_len(nest);
    const struct rtnexthop *nexthop;

    while ((nexthop = tt_nla_next_hop(&at, &left)))
        ((struct rtnexthop *) nexthop)->rtnh_flags &= RTNH_F_ONLINK;
    tt_nla_put(message, RTA_MULTIPATH, copy, mnl_attr_get_payload_len(nest));
}

static void
put_opaque_metrics(GByteArray *message, const struct nlattr *from)
{
    const struct nlattr *first = mnl_attr_get_payload(from);
    const struct nlattr *attr;

    tt_nla_for_each(attr, first, mnl_attr_get_payload_len(from))
    {
        if (tt_nla_is_opaque_metric(attr))
            put_verbatim(message, attr);
    }
}

static void
put_metrics(GByteArray *message, const TtMetrics *metrics, guint32 absent, const struct nlattr *old)
{
    guint32 said = (metrics->present | absent) & TT_METRICS_ALL;
    guint start = message->len;
    struct nlattr *nest;
    guint16 rtax;

    tt_nla_extend(message, NLA_HDRLEN);
    if (metrics->lock || (absent & TT_METRIC_BIT(RTAX_LOCK)))
        put_u32(message, RTAX_LOCK, metrics->lock);
    tt_metric_for_each(rtax, said)
    {
        if (rtax != RTAX_CC_ALGO)
            put_u32(message, rtax, metrics->value[rtax]);
        else if (tt_metrics_has(metrics, rtax))
            tt_nla_put(message, rtax, metrics->congctl, strlen(metrics->congctl) + 1);
    }
    if (old)
        put_opaque_metrics(message, old);
    if (message->len == start + NLA_HDRLEN) {
        g_byte_array_set_size(message, start);
        return;
    }
    nest = (struct nlattr *) (void *) (message->data + start);
    nest->nla_len = (guint16) (message->len - start);
    nest->nla_type = RTA_METRICS;
}

static void
put_route_attribute(GByteArray *message, const TtRoute *route, const struct nlattr *attr)
{
    switch (treatment_of(attr, route)) {
    case AS_IT_CAME:
        put_verbatim(message, attr);
        break;
    case WITHOUT_HOP_FLAGS:
        put_multipath(message, attr);
        break;
    case NOTHING:
        break;
    }
}

typedef struct {
    struct nlmsghdr header;
    struct rtmsg rtm;
} Head;

void
tt_rtnl_build_route(GByteArray *messages,
                    const TtRoute *route,
                    guint16 type,
                    guint16 flags,
                    guint32 absent)
{
    const struct nlmsghdr *raw = route->raw;
    const struct nlattr *first, *attr, *old_metrics = NULL;
    guint start = messages->len;
    Head *head;
    int attributes_len;

    first = tt_nla_first(raw, route->raw_len, sizeof head->rtm, &attributes_len);
    g_return_if_fail(first);
    head = tt_nla_extend(messages, sizeof *head);
    head->header.nlmsg_type = type;
    head->header.nlmsg_flags = flags;
    memcpy(&head->rtm, raw + 1, sizeof head->rtm);
    head->rtm.rtm_flags &= RTNH_F_ONLINK;
    tt_nla_for_each(attr, first, attributes_len)
    {
        put_route_attribute(messages, route, attr);
        if (mnl_attr_get_type(attr) == RTA_METRICS)
            old_metrics = attr;
    }
    /* Without any metric an IPv4 route takes those of another one with its nexthop object
     * (net/ipv4/fib_semantics.c: fib_create_info): measured, an undo did nothing. */
    if (type == RTM_NEWROUTE && route->nh_id && !route->metrics.present)
        absent |= TT_METRIC_BIT(RTAX_QUICKACK);
    put_metrics(messages, &route->metrics, absent, old_metrics);
    if (route->expires && route->family == AF_INET6)
        put_u32(messages, RTA_EXPIRES, route->expires);
    head = (Head *) (void *) (messages->data + start);
    head->header.nlmsg_len = messages->len - start;
}

static gsize
address_len(int family)
{
    return family == AF_INET ? 4 : 16;
}

static void
put_hop(GByteArray *message, const TtRoute *route, const TtHop *hop)
{
    put_u32(message, RTA_OIF, (guint32) hop->ifindex);
    if (hop->gateway_family == route->family)
        tt_nla_put(message, RTA_GATEWAY, &hop->gateway, address_len(route->family));
}

TtRoute *
tt_rtnl_make_hop_route(const TtRoute *route, guint hop, guint8 protocol)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    struct nlmsghdr header = {.nlmsg_type = RTM_NEWROUTE};
    struct rtmsg rtm = {
        .rtm_family = route->family,
        .rtm_dst_len = route->dst_len,
        .rtm_protocol = protocol,
        .rtm_type = route->type,
        .rtm_scope = route->scope,
    };

    g_byte_array_append(message, (const guint8 *) &header, sizeof header);
    g_byte_array_append(message, (const guint8 *) &rtm, sizeof rtm);
    if (route->dst_len)
        tt_nla_put(message, RTA_DST, &route->dst, address_len(route->family));
    put_u32(message, RTA_TABLE, route->table);
    put_u32(message, RTA_PRIORITY, route->priority);
    put_hop(message, route, &route->hops[hop]);
    ((struct nlmsghdr *) (void *) message->data)->nlmsg_len = message->len;
    return tt_rtnl_parse_route((const struct nlmsghdr *) (void *) message->data, message->len);
}

/* FNV-1a: nobody attacks, and it is asked for every route of a table. */
static guint64
hash_on(guint64 hash, const void *data, gsize len)
{
    for (gsize i = 0; i < len; i++)
        hash = (hash ^ ((const guint8 *) data)[i]) * G_GUINT64_CONSTANT(1099511628211);
    return hash;
}

static guint64
hash_attribute(guint64 hash, const struct nlattr *attr)
{
    return hash_on(hash, attr, attr->nla_len);
}

static guint64
hash_hops(guint64 hash, const struct nlattr *nest)
{
    const char *at = mnl_attr_get_payload(nest);
    gsize left = mnl_attr_get_payload_len(nest);
    const struct rtnexthop *nexthop;

    while ((nexthop = tt_nla_next_hop(&at, &left))) {
        struct rtnexthop head = *nexthop;

        head.rtnh_flags &= RTNH_F_ONLINK;
        hash = hash_on(hash, &head, sizeof head);
        hash = hash_on(hash, nexthop + 1, nexthop->rtnh_len - sizeof head);
    }
    return hash;
}

static guint64
hash_opaque_metrics(guint64 hash, const struct nlattr *nest)
{
    const struct nlattr *first = mnl_attr_get_payload(nest);
    const struct nlattr *attr;

    tt_nla_for_each(attr, first, mnl_attr_get_payload_len(nest))
    {
        if (tt_nla_is_opaque_metric(attr))
            hash = hash_attribute(hash, attr);
    }
    return hash;
}

guint64
tt_rtnl_hash_route(const TtRoute *route)
{
    const struct nlmsghdr *raw = route->raw;
    guint64 hash = G_GUINT64_CONSTANT(14695981039346656037);
    const struct nlattr *first, *attr;
    struct rtmsg rtm;
    int attributes_len;

    first = tt_nla_first(raw, route->raw_len, sizeof rtm, &attributes_len);
    g_return_val_if_fail(first, 0);
    memcpy(&rtm, raw + 1, sizeof rtm);
    rtm.rtm_flags &= RTNH_F_ONLINK;
    hash = hash_on(hash, &rtm, sizeof rtm);
    tt_nla_for_each(attr, first, attributes_len)
    {
        Treatment treatment = treatment_of(attr, route);

        if (treatment == AS_IT_CAME)
            hash = hash_attribute(hash, attr);
        else if (treatment == WITHOUT_HOP_FLAGS)
            hash = hash_hops(hash, attr);
        else if (mnl_attr_get_type(attr) == RTA_METRICS)
            hash = hash_opaque_metrics(hash, attr);
    }
    return hash;
}
