/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "snapshot.h"

#include "ethtool.h"
#include "lock.h"
#include "nm-state.h"

typedef struct {
    bool family[2]; /* IPv4, IPv6 */
    bool only_defaults;
    bool only_main;
    bool connected;
    bool link_details;
    bool all_devices; /* whatever the scope: a default of another one may make one stale */
} Reach;

static void
reach_native(const GPtrArray *natives, Reach *reach)
{
    for (guint i = 0; natives && i < natives->len; i++) {
        const TtNativeRoute *native = natives->pdata[i];

        reach->family[native->family == AF_INET6] = true;
        reach->only_defaults &= native->dst_len == 0;
        reach->only_main &= native->table == RT_TABLE_MAIN;
    }
}

static void
reach_stale(const TtFacts *facts, Reach *reach)
{
    GHashTableIter iter;
    gpointer value;

    g_hash_table_iter_init(&iter, facts->profiles);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const TtNotedProfile *profile = value;

        for (guint i = 0; i < G_N_ELEMENTS(profile->gateway); i++) {
            if (!profile->gateway[i].stale)
                continue;
            reach->family[i] = true;
            reach->only_main &= profile->gateway[i].table == RT_TABLE_MAIN;
            reach->all_devices = true;
        }
    }
}

/* The journal has to be seen whole, or routes would be forgotten that are there. */
static Reach
find_reach(const TtApplyOptions *options, const TtJournal *journal, const TtFacts *facts)
{
    TtPolicyReach of_policy = {.only_defaults = true, .only_main = true};
    Reach reach;

    if (options->policy)
        of_policy = tt_policy_reach(options->policy);
    reach = (Reach){
        .family = {options->with_unmatched || of_policy.family[0]
                       || tt_journal_has_family(journal, AF_INET),
                   options->with_unmatched || of_policy.family[1]
                       || tt_journal_has_family(journal, AF_INET6)},
        .only_defaults = of_policy.only_defaults && tt_journal_only_defaults(journal)
                         && !options->with_unmatched,
        .only_main =
            of_policy.only_main && tt_journal_only_main(journal) && !options->with_unmatched,
        .connected = of_policy.connected,
        .link_details = of_policy.link_details,
    };
    reach_native(options->native, &reach);
    reach_stale(facts, &reach);
    return reach;
}

static GPtrArray *
read_routes(TtRtnl *rtnl, const Reach *reach, GError **error)
{
    g_autoptr(GPtrArray) routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);
    static const guint8 families[] = {AF_INET, AF_INET6};

    for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
        TtDumpFilter filter = {
            .family = families[i],
            .table = reach->only_main ? RT_TABLE_MAIN : 0,
            .only_defaults = reach->only_defaults,
        };

        if (reach->family[i] && !tt_rtnl_dump_routes(rtnl, &filter, routes, error))
            return NULL;
    }
    return g_steal_pointer(&routes);
}

static bool
is_in_scope(const TtApplyOptions *options, const TtRoute *route)
{
    return options->ifindex == 0 || tt_route_uses_device(route, options->ifindex);
}

static GHashTable *
find_devices(const TtApplyOptions *options, const Reach *reach, const GPtrArray *routes)
{
    GHashTable *ifindexes = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < routes->len; i++) {
        const TtRoute *route = routes->pdata[i];
        bool wanted = reach->all_devices || is_in_scope(options, route);

        for (guint k = 0; wanted && k < route->n_hops; k++) {
            if (route->hops[k].ifindex)
                g_hash_table_add(ifindexes, GINT_TO_POINTER(route->hops[k].ifindex));
        }
    }
    return ifindexes;
}

static bool
has_advertised(const GPtrArray *routes)
{
    for (guint i = 0; i < routes->len; i++) {
        const TtRoute *route = routes->pdata[i];

        if (route->family == AF_INET6 && route->protocol == RTPROT_RA)
            return true;
    }
    return false;
}

static bool
read_facts(TtRtnl *rtnl,
           const TtApplyOptions *options,
           const Reach *reach,
           const GPtrArray *routes,
           TtFacts *facts,
           GError **error)
{
    g_autoptr(GHashTable) ifindexes = find_devices(options, reach, routes);

    /* RTM_GETLINK waits for whoever holds the kernel's rtnl lock: "ip -batch", for a start. */
    if (reach->link_details ? !tt_rtnl_load_links(rtnl, ifindexes, facts, error)
                            : !tt_ethtool_name_links(ifindexes, facts, error))
        return false;
    if (reach->link_details)
        tt_ethtool_load_links(facts);
    if (has_advertised(routes))
        tt_ethtool_load_accept_ra(facts);
    tt_nm_state_load(options->run_dir, facts);
    facts->monitor_running = tt_lock_monitor_running(options->run_dir);
    return !reach->connected || tt_rtnl_load_addresses(rtnl, facts, error);
}

static GHashTable *
read_hops(TtRtnl *rtnl, const TtApplyOptions *options, const Reach *reach, const GPtrArray *routes)
{
    GHashTable *hops = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free,
                                             (GDestroyNotify) tt_hop_metrics_free);

    for (guint i = 0; i < routes->len; i++) {
        const TtRoute *route = routes->pdata[i];
        TtIdentity identity;

        if (route->family != AF_INET6 || route->n_hops < 2 || route->nh_id
            || route->type != RTN_UNICAST || !(reach->all_devices || is_in_scope(options, route)))
            continue;
        identity = tt_identity_of(route);
        g_hash_table_insert(hops, g_memdup(&identity, sizeof identity),
                            tt_rtnl_load_hops(rtnl, route));
    }
    return hops;
}

TtPlan *
tt_snapshot_plan(TtRtnl *rtnl,
                 const TtApplyOptions *options,
                 const TtJournal *journal,
                 GError **error)
{
    g_autoptr(TtFacts) facts = tt_facts_new();
    g_autoptr(GPtrArray) routes = NULL;
    g_autoptr(GHashTable) hops = NULL;
    Reach reach;
    TtPlan *plan;
    TtPlanInput input = {
        .policy = options->policy,
        .facts = facts,
        .journal = journal,
        .avoid = options->avoid,
        .native = options->native,
        .ifindex = options->ifindex,
        .now = g_get_real_time() / G_USEC_PER_SEC,
        .orphans_only = options->orphans_only,
        .tidy_only = options->tidy_only,
        .spare_twins = options->spare_twins,
        .with_unmatched = options->with_unmatched,
    };

    tt_nm_state_load_profiles(options->run_dir, facts);
    reach = find_reach(options, journal, facts);
    routes = read_routes(rtnl, &reach, error);
    if (!routes || !read_facts(rtnl, options, &reach, routes, facts, error))
        return NULL;
    hops = read_hops(rtnl, options, &reach, routes);
    input.routes = routes;
    input.hops = hops;
    plan = tt_plan_build(&input);
    plan->facts = g_steal_pointer(&facts);
    return plan;
}
