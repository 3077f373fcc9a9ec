/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learned routes: NetworkManager changes them when a lease or an advertisement changes, and from
 * 1.40 on it does not know a tuned one for its own (facts-networkmanager 3).
 */
#include "plan-internal.h"

#include <string.h>

/* What NetworkManager adds to the metric of a device without connectivity. */
#define NM_PENALTY 20000

static bool
is_simple_default(const TtRoute *route)
{
    return route->family == AF_INET && tt_route_is_default(route) && route->n_hops == 1
           && !route->nh_id;
}

bool
tt_plan_is_dhcp_default(const TtRoute *route)
{
    return route->protocol == RTPROT_DHCP && is_simple_default(route);
}

/* 1.40 and later give a DHCP default a source address (2dc7a3d9f9). */
TtNmRegime
tt_plan_regime(const TtPlanInput *input)
{
    if (input->facts->regime != TT_NM_UNKNOWN)
        return input->facts->regime;
    for (guint i = 0; i < input->routes->len; i++) {
        const TtRoute *route = input->routes->pdata[i];

        if (tt_plan_is_dhcp_default(route))
            return route->has_prefsrc ? TT_NM_SILENT : TT_NM_OLD;
    }
    return TT_NM_UNKNOWN;
}

static bool
is_learned(const TtRoute *route)
{
    return route->protocol == RTPROT_DHCP
           || (route->family == AF_INET6 && route->protocol == RTPROT_RA);
}

TtLeft
tt_plan_learned(const TtPlanInput *input, TtNmRegime regime, const TtRoute *route)
{
    if (!is_learned(route) || regime == TT_NM_ABSENT)
        return TT_LEFT_NONE;
    switch (input->policy->main.learned) {
    case TT_LEARNED_ALWAYS:
        return TT_LEFT_NONE;
    case TT_LEARNED_NEVER:
        return TT_LEFT_NEVER;
    case TT_LEARNED_AUTO:
        break;
    }
    /* No version has an event for a router advertisement. */
    if (regime == TT_NM_OLD || input->facts->monitor_running
        || (regime == TT_NM_ANNOUNCING && route->family == AF_INET))
        return TT_LEFT_NONE;
    return TT_LEFT_NEEDS_MONITOR;
}

/* Two defaults of one device that NetworkManager never wants at once: the router moved, or the
 * metric got its connectivity penalty. Several routers of one lease differ in both. */
static bool
exclude_each_other(const TtRoute *a, const TtRoute *b)
{
    bool same_gateway;

    if (a->protocol != b->protocol || a->table != b->table
        || a->hops[0].ifindex != b->hops[0].ifindex
        || a->hops[0].gateway_family != b->hops[0].gateway_family)
        return false;
    same_gateway = tt_address_equal(&a->hops[0].gateway, &b->hops[0].gateway);
    /* A gateway in a profile stays where it is, and somebody may want it at two metrics. */
    if (a->protocol == RTPROT_STATIC)
        return same_gateway
               && MAX(a->priority, b->priority) - MIN(a->priority, b->priority) == NM_PENALTY;
    return same_gateway != (a->priority == b->priority);
}

static bool
is_in_lease(const TtFacts *facts, const TtRoute *route)
{
    const TtLink *link = tt_facts_link(facts, route->hops[0].ifindex);
    g_autofree char *gateway = tt_hop_format_gateway(&route->hops[0]);

    for (guint i = 0; link && link->dhcp_routers && i < link->dhcp_routers->len; i++) {
        if (g_str_equal(link->dhcp_routers->pdata[i], gateway))
            return true;
    }
    return false;
}

/*
 * Which of the two did NetworkManager leave behind? Only what we tuned can be left behind. The
 * lease decides, where it is known (1.40 and later write it down, some 2 ms after the route) and
 * names one of them; else a route that we never touched is NetworkManager's newest word.
 */
static TtPlanItem *
find_orphan(const TtPlanInput *input, TtPlanItem *a, TtPlanItem *b)
{
    const TtJournalEntry *a_entry = tt_journal_get(input->journal, &a->identity);
    const TtJournalEntry *b_entry = tt_journal_get(input->journal, &b->identity);
    bool a_in_lease = is_in_lease(input->facts, a->route);
    bool b_in_lease = is_in_lease(input->facts, b->route);

    if (a_in_lease && !b_in_lease)
        return b_entry ? b : NULL;
    if (b_in_lease && !a_in_lease)
        return a_entry ? a : NULL;
    if (!a_entry || !b_entry)
        return a_entry ? a : b_entry ? b : NULL;
    /* Tuned in the same run, they were both there: somebody wants both. */
    if (a_entry->order == b_entry->order)
        return NULL;
    return a_entry->order < b_entry->order ? a : b;
}

static void
check_pair(const TtPlanInput *input, TtPlanItem *a, TtPlanItem *b)
{
    TtPlanItem *orphan;

    if (a->leaves || b->leaves || !exclude_each_other(a->route, b->route))
        return;
    orphan = find_orphan(input, a, b);
    if (!orphan)
        return;
    orphan->leaves = true;
    orphan->reason = TT_REASON_ORPHAN;
    orphan->state = TT_STATE_DIFFERS;
}

void
tt_plan_orphans(const TtPlanInput *input, GPtrArray *items)
{
    g_autoptr(GPtrArray) defaults = g_ptr_array_new();

    if (input->facts->regime == TT_NM_ABSENT)
        return;
    for (guint i = 0; i < items->len; i++) {
        TtPlanItem *item = items->pdata[i];

        if (tt_plan_is_dhcp_default(item->route)
            || (item->route->protocol == RTPROT_STATIC && is_simple_default(item->route)))
            g_ptr_array_add(defaults, item);
    }
    for (guint i = 0; i < defaults->len; i++) {
        for (guint j = i + 1; j < defaults->len; j++)
            check_pair(input, defaults->pdata[i], defaults->pdata[j]);
    }
}
