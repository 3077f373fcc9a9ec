/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one kind of route that was not there before: see tt_rtnl_new_host_route(). */
#include "rtnl-codec.h"
#include "rtnl-nla.h"

#include <string.h>

typedef struct {
    struct nlmsghdr header;
    struct rtmsg rtm;
} Head;

/* What says how the first hop is reached: its gateway, and what it puts around a packet. */
static void
put_hop_attributes(GByteArray *message, const struct nlattr *first, gsize len)
{
    const struct nlattr *attr;

    tt_nla_for_each(attr, first, len)
    {
        switch (mnl_attr_get_type(attr)) {
        case RTA_GATEWAY:
        case RTA_VIA:
        case RTA_ENCAP:
        case RTA_ENCAP_TYPE:
            tt_nla_put(message, attr->nla_type, mnl_attr_get_payload(attr),
                       mnl_attr_get_payload_len(attr));
            break;
        default:
            break;
        }
    }
}

static void
put_first_hop(GByteArray *message, const TtRoute *via)
{
    int len;
    const struct nlattr *first = tt_nla_first(via->raw, via->raw_len, sizeof(struct rtmsg), &len);
    const struct nlattr *attr, *multipath = NULL;
    const struct rtnexthop *nexthop;

    tt_nla_put(message, RTA_OIF, &via->hops[0].ifindex, sizeof via->hops[0].ifindex);
    tt_nla_for_each(attr, first, len)
    {
        if (mnl_attr_get_type(attr) == RTA_MULTIPATH)
            multipath = attr;
    }
    if (!multipath) {
        put_hop_attributes(message, first, (gsize) len);
        return;
    }
    nexthop = mnl_attr_get_payload(multipath);
    put_hop_attributes(message, (const void *) (nexthop + 1), nexthop->rtnh_len - sizeof *nexthop);
}

static void
put_head(GByteArray *message, const TtRoute *via)
{
    Head head = {
        .header = {.nlmsg_type = RTM_NEWROUTE},
        .rtm = {.rtm_family = via->family,
                .rtm_dst_len = via->family == AF_INET ? 32 : 128,
                .rtm_table = via->table < 256 ? (guint8) via->table : RT_TABLE_UNSPEC,
                .rtm_protocol = TT_PROTOCOL_MEASURE,
                .rtm_scope = via->scope,
                .rtm_type = RTN_UNICAST,
                .rtm_flags = via->hops[0].flags & RTNH_F_ONLINK},
    };

    g_byte_array_append(message, (const guint8 *) &head, sizeof head);
}

TtRoute *
tt_rtnl_new_host_route(const TtRoute *via, const TtAddress *address)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    gsize address_len = tt_address_len(via->family);
    guint32 priority = TT_PRIORITY_MEASURE;

    if (via->n_hops == 0 || !via->hops[0].ifindex)
        return NULL;
    put_head(message, via);
    tt_nla_put(message, RTA_TABLE, &via->table, sizeof via->table);
    tt_nla_put(message, RTA_DST, address, address_len);
    tt_nla_put(message, RTA_PRIORITY, &priority, sizeof priority);
    if (via->has_prefsrc)
        tt_nla_put(message, RTA_PREFSRC, &via->prefsrc, address_len);
    put_first_hop(message, via);
    ((struct nlmsghdr *) (void *) message->data)->nlmsg_len = message->len;
    return tt_rtnl_parse_route((const void *) message->data, message->len);
}
