/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics of each hop of an IPv6 multipath route. A dump shows the first hop's only; a look-up
 * (RTM_F_FIB_MATCH) answers with the metrics of the hop that it chose, and names that hop first.
 */
#include "rtnl.h"

#include <string.h>

/* The kernel hashes the destination over the hops: this many addresses find hops with a share of
 * a twentieth with a certainty of 0.998. */
#define N_ADDRESSES 128

typedef struct {
    TtRtnl *rtnl;
    const TtRoute *route;
    TtHopMetrics *hops;
    bool *seen;
} Search;

/* An address of the route's prefix; 4000::/3 has no routes of its own for ::/0. */
static TtAddress
address_in(const TtRoute *route, guint n)
{
    TtAddress address = route->dst;

    if (route->dst_len == 0)
        address.bytes[0] = 0x40;
    if (route->dst_len <= 120)
        address.bytes[15] |= (guint8) n;
    return address;
}

static bool
hop_equal(const TtHop *a, const TtHop *b)
{
    return a->ifindex == b->ifindex && tt_address_equal(&a->gateway, &b->gateway);
}

/* Siblings may have been added with other attributes each; a lifetime of the set is one's only. */
static bool
is_uniform(const TtRoute *hop, const TtRoute *route)
{
    return hop->protocol == route->protocol && hop->pref == route->pref
           && hop->has_prefsrc == route->has_prefsrc
           && tt_address_equal(&hop->prefsrc, &route->prefsrc) && hop->expires == 0
           && route->expires == 0;
}

static void
look_up(Search *search, guint n, int ifindex)
{
    TtAddress address = address_in(search->route, n);
    g_autoptr(TtRoute) found = tt_rtnl_lookup(search->rtnl, AF_INET6, &address, ifindex, NULL);

    if (!found || !tt_route_same_key(found, search->route) || found->n_hops == 0)
        return;
    for (guint i = 0; i < search->route->n_hops; i++) {
        if (!search->seen[i] && hop_equal(&found->hops[0], &search->route->hops[i])) {
            search->seen[i] = true;
            search->hops->metrics[i] = found->metrics;
            search->hops->protocols[i] = found->protocol;
            search->hops->uniform &= is_uniform(found, search->route);
        }
    }
}

static bool
all_seen(const Search *search)
{
    for (guint i = 0; i < search->route->n_hops; i++) {
        if (!search->seen[i])
            return false;
    }
    return true;
}

TtHopMetrics *
tt_rtnl_load_hops(TtRtnl *rtnl, const TtRoute *route)
{
    TtHopMetrics *hops = g_new0(TtHopMetrics, 1);
    g_autofree bool *seen = g_new0(bool, route->n_hops);
    Search search = {.rtnl = rtnl, .route = route, .hops = hops, .seen = seen};

    hops->n = route->n_hops;
    hops->uniform = true;
    hops->metrics = g_new0(TtMetrics, route->n_hops);
    hops->protocols = g_new0(guint8, route->n_hops);
    /* Bound to a device, the look-up takes that device's first hop. */
    for (guint i = 0; i < route->n_hops; i++)
        look_up(&search, 0, route->hops[i].ifindex);
    for (guint n = 0; n < N_ADDRESSES && !all_seen(&search); n++)
        look_up(&search, n, 0);
    hops->complete = all_seen(&search);
    return hops;
}

void
tt_hop_metrics_free(TtHopMetrics *hops)
{
    g_free(hops->metrics);
    g_free(hops->protocols);
    g_free(hops);
}
