/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default route of a gateway that `apply` moved into a profile's routes, once the administrator
 * has changed his mind. NetworkManager keeps it, and as a rule in front of what he wants (measured
 * on 1.42, 1.52 and 1.58: after `nmcli device reapply`). It goes as soon as what he wants is there;
 * until then it is all that the device has.
 */
#include "plan-internal.h"

#include <string.h>

/* A default by this gateway on this device: one hop of a route. */
typedef struct {
    const TtRoute *route;
    guint hop;
    guint8 protocol; /* a dump shows that of the first hop only; 0: not known */
} Way;

static Way
way_of(const TtPlanInput *input, const TtRoute *route, guint hop)
{
    TtIdentity identity;
    const TtHopMetrics *hops;

    if (route->family == AF_INET || route->n_hops == 1)
        return (Way){route, hop, route->protocol};
    identity = tt_identity_of(route);
    hops = input->hops ? g_hash_table_lookup(input->hops, &identity) : NULL;
    return (Way){route, hop, hops && hop < hops->n ? hops->protocols[hop] : 0};
}

static const TtHop *
hop_of(const Way *way)
{
    return &way->route->hops[way->hop];
}

static bool
goes_by(const Way *way, const TtAddress *gateway)
{
    return hop_of(way)->gateway_family == way->route->family
           && memcmp(&hop_of(way)->gateway, gateway, sizeof *gateway) == 0;
}

/* Of the profile that had this way from us and does not want it any more; NULL: it is not so. */
static const TtMovedGateway *
find_moved(const TtPlanInput *input, const Way *way)
{
    const TtMovedGateway *moved =
        tt_facts_moved_gateway(input->facts, hop_of(way)->ifindex, way->route->family);

    return moved && moved->stale && way->protocol == RTPROT_STATIC
                   && way->route->table == moved->table && goes_by(way, &moved->gateway)
               ? moved
               : NULL;
}

/* An IPv4 route of several hops was made by somebody who wants them all. */
static bool
may_be_stale(const TtRoute *route)
{
    return tt_route_is_default(route) && !route->nh_id && !route->tos && route->n_hops > 0
           && (route->family == AF_INET6 || route->n_hops == 1);
}

guint
tt_plan_stale(const TtPlanInput *input, const TtRoute *route)
{
    guint stale = 0;

    if (g_hash_table_size(input->facts->profiles) == 0 || !may_be_stale(route))
        return 0;
    for (guint i = 0; i < route->n_hops; i++) {
        const Way way = way_of(input, route, i);
        const TtMovedGateway *moved = find_moved(input, &way);

        stale |= moved ? moved->stale : 0;
    }
    return stale;
}

static bool
is_learned(const Way *way)
{
    return way->protocol == RTPROT_DHCP || way->protocol == RTPROT_RA;
}

static bool
is_dead(const Way *way)
{
    return hop_of(way)->flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN);
}

/* What the administrator did that makes `other` the way to go: TT_STALE_*, or 0. An edit of a
 * profile counts from its activation on, which shows by what NetworkManager has done since. */
static guint
why_instead(const TtPlanInput *input, const TtMovedGateway *moved, const Way *way, const Way *other)
{
    bool same_device = hop_of(way)->ifindex == hop_of(other)->ifindex;

    if (find_moved(input, other) || is_dead(other))
        return 0;
    if (same_device && (moved->stale & TT_STALE_GATEWAY) && goes_by(other, &moved->new_gateway))
        return TT_STALE_GATEWAY;
    if (same_device && (moved->stale & TT_STALE_METHOD) && is_learned(other))
        return TT_STALE_METHOD;
    return moved->never_default_in_force ? TT_STALE_NEVER_DEFAULT : 0;
}

typedef struct {
    guint before; /* TT_STALE_*: why a default in front of it is the way to go; 0: none is */
    guint behind; /* or beside it, where the kernel made one IPv6 route of both */
} Rivals;

static void
note_rival(const TtPlanInput *input,
           const TtMovedGateway *moved,
           const Way *way,
           const Way *other,
           guint *to)
{
    if (*to == 0)
        *to = why_instead(input, moved, way, other);
}

static Rivals
find_rivals(const TtPlanInput *input, const TtMovedGateway *moved, const Way *way)
{
    Rivals rivals = {0};
    bool passed = false;

    for (guint i = 0; i < input->routes->len; i++) {
        const TtRoute *route = input->routes->pdata[i];
        bool itself = route == way->route;
        bool before = route->priority < way->route->priority
                      || (route->priority == way->route->priority && !passed && !itself);

        passed |= itself;
        if (route->family != way->route->family || route->table != way->route->table || route->tos
            || !tt_route_is_default(route))
            continue;
        for (guint hop = 0; hop < route->n_hops; hop++) {
            const Way other = way_of(input, route, hop);

            if (!itself || hop != way->hop)
                note_rival(input, moved, way, &other, before ? &rivals.before : &rivals.behind);
        }
    }
    return rivals;
}

static void
mark_leaving(TtPlanItem *item, guint hop, guint why)
{
    item->stale = why;
    item->reason = TT_REASON_STALE;
    item->state = TT_STATE_DIFFERS;
    item->left = TT_LEFT_NONE;
    item->target = item->route->metrics;
    if (item->route->n_hops == 1)
        item->leaves = true;
    else
        item->leaving_hop = (int) hop;
}

/* No packet takes it: to move it for the sake of a lock bit would only make NetworkManager add it
 * again. Without a policy, what is ours on it is undone. */
static void
mark_behind(const TtPlanInput *input, TtPlanItem *item)
{
    if (!input->policy || input->orphans_only)
        return;
    item->left = TT_LEFT_STALE;
    item->state = TT_STATE_LEFT;
    item->target = item->route->metrics;
}

void
tt_plan_judge_stale(const TtPlanInput *input, const TtRoute *route, TtPlanItem *item)
{
    for (guint i = 0; i < route->n_hops; i++) {
        const Way way = way_of(input, route, i);
        const TtMovedGateway *moved = find_moved(input, &way);
        Rivals rivals = {0};

        if (moved)
            rivals = find_rivals(input, moved, &way);
        if (rivals.before) {
            mark_behind(input, item);
        } else if (rivals.behind) {
            mark_leaving(item, i, rivals.behind);
            return;
        }
    }
}
