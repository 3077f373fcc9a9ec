/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes <-> route. Pure, no socket: whatever the bytes are, nothing outside them is read (fuzzed).
 */
#pragma once

#include "rtnl.h"

#include <linux/netlink.h>

/* Parses RTM_NEWROUTE or RTM_DELROUTE. NULL: not a route message, or one that is not well formed.
 * (transfer full) */
TtRoute *tt_rtnl_parse_route(const struct nlmsghdr *message, gsize len);

/* Fills index, type, name, mac. False: not a well-formed RTM_NEWLINK. */
bool tt_rtnl_parse_link(const struct nlmsghdr *message, gsize len, TtLink *out_link);

/* False: not a well-formed RTM_NEWADDR with an address. */
bool tt_rtnl_parse_address(const struct nlmsghdr *message, gsize len, TtOwnAddress *out_address);

/* False: not a well-formed RTM_NEWQDISC with a kind. */
bool tt_rtnl_parse_qdisc(const struct nlmsghdr *message, gsize len, TtQdisc *out_qdisc);

/*
 * Appends to `messages` the request that writes `route` with the metrics it has now: the
 * attributes come from route->raw, but for those that the kernel refuses
 * or misreads when they are sent back (facts-kernel 2 and 3): next hops beside RTA_NH_ID, all
 * flags but ONLINK, RTA_CACHEINFO (RTA_EXPIRES goes instead).
 * `type` is RTM_NEWROUTE or RTM_DELROUTE; `flags` are the NLM_F_* of the request.
 * For RTM_DELROUTE: `absent` holds TT_METRIC_BIT()s that are sent with value 0, so that only a
 * route without them is hit (0: none).
 */
void tt_rtnl_build_route(GByteArray *messages,
                         const TtRoute *route,
                         guint16 type,
                         guint16 flags,
                         guint32 absent);

/* One hop of a multipath route as a route of its own, without metrics. (transfer full) */
TtRoute *tt_rtnl_make_hop_route(const TtRoute *route, guint hop, guint8 protocol);

/* A hash of all of the route that tt_rtnl_build_route() sends, but metrics and lifetime. */
guint64 tt_rtnl_hash_route(const TtRoute *route);

/*
 * The route to one address alone that forwards there as `via` does by its first hop, for `measure`:
 * protocol TT_PROTOCOL_MEASURE, TT_PRIORITY_MEASURE, in the table of `via`, no metrics. NULL: it
 * has no hop with a device. (transfer full)
 */
TtRoute *tt_rtnl_new_host_route(const TtRoute *via, const TtAddress *address);
