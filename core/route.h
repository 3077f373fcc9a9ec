/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A route as rtnetlink(7) describes it. A TtRoute is immutable but for its metrics; it
 * keeps the kernel's message, so that attributes unknown to us are sent back as they came.
 */
#pragma once

#include "metric.h"

#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

/* Routes that `tcptune-nm measure` makes; everything else ignores them. */
#define TT_PROTOCOL_MEASURE 0x54
/* Their metric: a route to the same address that an administrator adds meanwhile comes first. */
#define TT_PRIORITY_MEASURE 0x5454

typedef union {
    struct in_addr v4;
    struct in6_addr v6;
    guint8 bytes[16];
} TtAddress;

static inline gsize
tt_address_len(int family)
{
    return family == AF_INET ? 4 : 16;
}

/* Of an IPv4 address, the other bytes are 0. */
static inline bool
tt_address_equal(const TtAddress *a, const TtAddress *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

typedef struct {
    int ifindex;        /* 0: none (blackhole and the like) */
    int gateway_family; /* AF_INET, AF_INET6 (also `via inet6` of an IPv4 route), 0: no gateway */
    TtAddress gateway;
    guint8 flags;  /* RTNH_F_*, as reported */
    guint8 weight; /* rtnh_hops: the weight of ip-route(8) less one */
} TtHop;

typedef struct {
    guint8 family;
    guint8 dst_len;
    guint8 src_len;
    guint8 tos;
    guint8 protocol; /* RTPROT_* */
    guint8 scope;
    guint8 type;   /* RTN_* */
    guint8 pref;   /* ICMPV6_ROUTER_PREF_*, IPv6 only */
    guint32 flags; /* rtm_flags: RTNH_F_*, RTM_F_* */
    guint32 table;
    guint32 priority; /* what ip-route(8) and NetworkManager call metric */
    guint32 nh_id;    /* 0: no nexthop object */
    guint32 expires;  /* seconds that are left, rounded up; 0: does not expire */
    TtAddress dst;
    TtAddress src;     /* IPv6 `from` */
    TtAddress prefsrc; /* valid if has_prefsrc */
    bool has_prefsrc;
    TtMetrics metrics;
    guint n_hops; /* 1 for an ordinary route; 0 for none (IPv4 blackhole) */
    TtHop *hops;
    gsize raw_len; /* the RTM_NEWROUTE message, from its nlmsghdr on */
    void *raw;
} TtRoute;

/* Room for that many hops, all zero, and a copy of the message: one block of memory. Of the hops
 * none counts yet. (transfer full) */
TtRoute *tt_route_new(guint n_hops, const void *raw, gsize raw_len);
TtRoute *tt_route_copy(const TtRoute *route);
void tt_route_free(TtRoute *route);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtRoute, tt_route_free)

/* 0.0.0.0/0 or ::/0, unicast, no `from`. */
bool tt_route_is_default(const TtRoute *route);

/* The kernel's own router-advertised route (proto ra with an expiry): NETLINK_ROUTE cannot
 * edit it without breaking advertisements for good (facts-kernel 3.1). */
bool tt_route_is_kernel_ra(const TtRoute *route);

bool tt_route_uses_device(const TtRoute *route, int ifindex);

/* The same place in the kernel's table: family, table, prefix, tos, metric. Routes that share
 * a key stand in an order, and NLM_F_REPLACE hits the first of them. */
bool tt_route_same_key(const TtRoute *a, const TtRoute *b);

/* The key as a GHashTable key. */
guint tt_route_key_hash(gconstpointer data);
gboolean tt_route_key_equal(gconstpointer a, gconstpointer b);

/* May the kernel join it with others of its key into one multipath route? IPv6, with a gateway,
 * not advertised to the kernel, no nexthop object (include/net/ip6_route.h:
 * rt6_qualify_for_ecmp). NLM_F_REPLACE looks for the first route of the same capability. */
bool tt_route_is_ecmp_capable(const TtRoute *route);

/* As ip-route(8) prints it and takes it: "default via 192.0.2.1 dev eth0 proto dhcp metric 100
 * rto_min lock 8ms". (transfer full) */
char *tt_route_format(const TtRoute *route, bool with_metrics);
void tt_route_append(const TtRoute *route, bool with_metrics, GString *to);

/* "default", "10.0.0.0/8". (transfer full) */
char *tt_route_format_prefix(const TtRoute *route);

/* "192.0.2.1", "" without a gateway. (transfer full) */
char *tt_hop_format_gateway(const TtHop *hop);

/* Metrics per next hop of an IPv6 multipath route, as a look-up of each found them. */
typedef struct {
    guint n;
    TtMetrics *metrics;
    guint8 *protocols; /* 0: not seen */
    bool complete;     /* every hop was seen */
    bool uniform;      /* all have the protocol, source, preference and expiry (or none) that a dump
                          shows for the first: a replace would give them to all */
} TtHopMetrics;
