/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gateway that was moved into a profile's routes, after the administrator changed his mind. */
#include "plan-world.h"
#include "route-text.h"
#include "tt-test.h"

#include <arpa/inet.h>

/* 4: static, 9: ra, 16: dhcp */
#define OLD "inet default via 192.0.2.1 dev 3 proto 4 metric 100"
#define NEW "inet default via 192.0.2.2 dev 3 proto 4 metric 100"
#define LEASED "inet default via 192.0.2.1 dev 3 proto 16 metric 100 src 192.0.2.50"
#define OTHER "inet default via 198.51.100.1 dev 4 proto 4 metric 101"
#define TUNED " rto_min 8 lock 13 quickack 1"

static void
add_profile(World *world, int ifindex, TtNotedProfile *profile)
{
    TtLink *link = g_hash_table_lookup(world->facts->links, GINT_TO_POINTER(ifindex));

    g_free(link->connection_uuid);
    link->connection_uuid = g_strdup_printf("uuid-%d", ifindex);
    tt_facts_add_profile(world->facts, link->connection_uuid, profile);
}

/* 192.0.2.1 and fe80::1 were moved in eth0's profile; then this was done to both families. */
static TtNotedProfile *
moved(World *world, guint stale)
{
    static const char *const old[] = {"192.0.2.1", "fe80::1"};
    static const char *const new[] = {"192.0.2.2", "fe80::2"};
    TtNotedProfile *profile = g_new0(TtNotedProfile, 1);

    for (guint i = 0; i < 2; i++) {
        TtMovedGateway *gateway = &profile->gateway[i];

        *gateway = (TtMovedGateway){.moved = true, .table = RT_TABLE_MAIN, .stale = stale};
        gateway->never_default_in_force = stale & TT_STALE_NEVER_DEFAULT;
        assert_int_equal(inet_pton(i ? AF_INET6 : AF_INET, old[i], &gateway->gateway), 1);
        if (stale & TT_STALE_GATEWAY)
            assert_int_equal(inet_pton(i ? AF_INET6 : AF_INET, new[i], &gateway->new_gateway), 1);
    }
    add_profile(world, 3, profile);
    return profile;
}

/* The gateways of the routes, in their order. */
static void
assert_gateways(const World *world, const char *expected)
{
    GString *text = g_string_new(NULL);
    g_autofree char *owned = NULL;

    for (guint i = 0; i < world->routes->len; i++) {
        const TtRoute *route = world->routes->pdata[i];
        g_autofree char *gateway = tt_hop_format_gateway(&route->hops[0]);

        g_string_append_printf(text, "%s%s%s", i ? " " : "", gateway,
                               tt_metrics_locked(&route->metrics, RTAX_RTO_MIN) ? "!" : "");
    }
    owned = g_string_free(text, FALSE);
    assert_string_equal(owned, expected);
}

static void
run_to_the_end(World *world)
{
    for (guint rounds = 0; world_run(world, true) != 0; rounds++)
        assert_true(rounds < 4);
}

static void
set_routes(World *world, const char *const *texts)
{
    g_ptr_array_set_size(world->routes, 0);
    for (; *texts; texts++)
        world_add_route(world, *texts);
}

#define ROUTES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const TtPlanItem *
item_at(const TtPlan *plan, guint i)
{
    assert_true(i < plan->items->len);
    return plan->items->pdata[i];
}

/* What is done, and in which order the routes are afterwards; ! is tuned. */
static void
test_table(void **state)
{
    static const struct {
        guint stale;
        const char *routes[4];
        const char *expected;
    } cases[] = {
        /* A new gateway: in front of it, behind it, not there yet, something else there. */
        {TT_STALE_GATEWAY, {OLD TUNED, NEW}, "192.0.2.2!"},
        {TT_STALE_GATEWAY, {NEW, OLD TUNED}, "192.0.2.2! 192.0.2.1!"},
        {TT_STALE_GATEWAY, {NEW, OLD " rto_min 8"}, "192.0.2.2! 192.0.2.1"},
        {TT_STALE_GATEWAY, {OLD TUNED}, "192.0.2.1!"},
        {TT_STALE_GATEWAY, {OLD}, "192.0.2.1!"},
        {TT_STALE_GATEWAY, {OLD TUNED, OTHER}, "192.0.2.1! 198.51.100.1!"},
        {TT_STALE_GATEWAY, {OLD TUNED, LEASED}, "192.0.2.1! 192.0.2.1!"},
        {TT_STALE_GATEWAY,
         {OLD TUNED, "inet default via 192.0.2.2 dev 3 proto 4 metric 200"},
         "192.0.2.2!"},
        {TT_STALE_GATEWAY,
         {OLD TUNED, "inet default via 192.0.2.2 dev 4 proto 4 metric 100"},
         "192.0.2.1! 192.0.2.2!"},
        {TT_STALE_GATEWAY,
         {OLD TUNED, "inet default via 192.0.2.2 dev 3 proto 4 metric 100 flags 16"},
         "192.0.2.1! 192.0.2.2!"},
        {TT_STALE_GATEWAY,
         {OLD " table 7" TUNED, "inet default via 192.0.2.2 dev 3 proto 4 metric 100 table 7"},
         "192.0.2.1! 192.0.2.2"},
        {TT_STALE_GATEWAY,
         {OLD TUNED, "inet default via 192.0.2.2 dev 3 proto 4 metric 100 table 7"},
         "192.0.2.1! 192.0.2.2"},
        {TT_STALE_GATEWAY,
         {OLD TUNED, "inet 10.0.0.0/8 via 192.0.2.2 dev 3 proto 4 metric 100"},
         "192.0.2.1! 192.0.2.2"},
        {TT_STALE_METHOD,
         {OLD TUNED, "inet default via 198.51.100.1 dev 4 proto 16 metric 101 src 198.51.100.9"},
         "192.0.2.1! 198.51.100.1!"},
        /* Not manual any more: a lease is there, is not there yet. */
        {TT_STALE_METHOD, {OLD TUNED, LEASED}, "192.0.2.1!"},
        {TT_STALE_METHOD, {LEASED, OLD TUNED}, "192.0.2.1! 192.0.2.1!"},
        {TT_STALE_METHOD, {OLD TUNED}, "192.0.2.1!"},
        {TT_STALE_METHOD, {OLD TUNED, NEW}, "192.0.2.1! 192.0.2.2!"},
        {TT_STALE_METHOD, {OLD TUNED, OTHER}, "192.0.2.1! 198.51.100.1!"},
        /* never-default: another device's will do, its own is all there is. */
        {TT_STALE_NEVER_DEFAULT, {OLD TUNED, OTHER}, "198.51.100.1!"},
        {TT_STALE_NEVER_DEFAULT, {OLD TUNED}, "192.0.2.1!"},
        {TT_STALE_NEVER_DEFAULT,
         {"inet default via 198.51.100.1 dev 4 proto 4 metric 50", OLD},
         "198.51.100.1! 192.0.2.1"},
        {TT_STALE_NEVER_DEFAULT,
         {"inet default via 198.51.100.1 dev 4 proto 4 metric 50", OLD,
          "inet default via 198.51.100.2 dev 4 proto 4 metric 500"},
         "198.51.100.1! 192.0.2.1 198.51.100.2!"},
        /* As it was; other routes by that gateway. */
        {0, {OLD TUNED, NEW}, "192.0.2.1! 192.0.2.2!"},
        {TT_STALE_GATEWAY,
         {"inet 10.0.0.0/8 via 192.0.2.1 dev 3 proto 4 metric 100", NEW},
         "192.0.2.1 192.0.2.2!"},
        {TT_STALE_GATEWAY,
         {"inet default via 192.0.2.1 dev 3 proto 3 metric 100" TUNED, NEW},
         "192.0.2.1! 192.0.2.2!"},
        {TT_STALE_METHOD | TT_STALE_NEVER_DEFAULT | TT_STALE_GATEWAY,
         {OLD TUNED, OTHER},
         "198.51.100.1!"},
    };
    World *world = *state;

    world_set_policy(world, "[main]\nlearned=always\n[route]\nrto_min=8\nquickack=yes\n");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        moved(world, cases[i].stale);
        set_routes(world, cases[i].routes);
        run_to_the_end(world);
        assert_gateways(world, cases[i].expected);
    }
}

/* An edit of the profile counts from its activation on. */
static void
test_never_default_not_in_force(void **state)
{
    World *world = *state;

    moved(world, TT_STALE_NEVER_DEFAULT)->gateway[0].never_default_in_force = false;
    set_routes(world, ROUTES(OLD, OTHER));
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.1! 198.51.100.1!");
}

/* Two that shall not have the default, and nobody else has it. */
static void
test_both_never_default(void **state)
{
    World *world = *state;
    TtNotedProfile *profile = g_new0(TtNotedProfile, 1);

    moved(world, TT_STALE_NEVER_DEFAULT);
    *profile = (TtNotedProfile){.gateway = {{.moved = true,
                                             .table = RT_TABLE_MAIN,
                                             .stale = TT_STALE_NEVER_DEFAULT,
                                             .never_default_in_force = true}}};
    assert_int_equal(inet_pton(AF_INET, "198.51.100.1", &profile->gateway[0].gateway), 1);
    add_profile(world, 4, profile);
    set_routes(world, ROUTES(OLD, OTHER));
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.1! 198.51.100.1!");
}

/* The other default comes on a device that the event does not name. */
static void
test_scope(void **state)
{
    World *world = *state;

    moved(world, TT_STALE_NEVER_DEFAULT);
    set_routes(world, ROUTES(OLD, OTHER));
    world->ifindex = 4;
    run_to_the_end(world);
    assert_gateways(world, "198.51.100.1!");
}

/* What the policy does not match, and what cannot be read: the administrator wins all the same. */
static void
test_without_policy(void **state)
{
    World *world = *state;

    moved(world, TT_STALE_GATEWAY);
    world_set_policy(world, "[route-x]\nfamily=ipv6\nrto_min=8\n");
    set_routes(world, ROUTES(OLD TUNED, NEW));
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.2");
    world_set_policy(world, NULL);
    world->orphans_only = true;
    set_routes(world, ROUTES(OLD TUNED, NEW));
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.2");
    set_routes(world, ROUTES(NEW, OLD TUNED));
    assert_int_equal(world_run(world, true), 0);
}

/* What is told of it, and what the journal forgets. */
static void
test_report(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) leaving = NULL;
    g_autoptr(TtPlan) behind = NULL;
    const TtEdit *edit;

    set_routes(world, ROUTES(OLD));
    run_to_the_end(world);
    assert_int_equal(tt_journal_size(world->journal), 1);
    moved(world, TT_STALE_GATEWAY);
    set_routes(world, ROUTES(OLD TUNED, NEW TUNED));
    leaving = world_build(world);
    assert_int_equal(leaving->edits->len, 1);
    edit = leaving->edits->pdata[0];
    assert_int_equal(edit->kind, TT_EDIT_DELETE);
    assert_int_equal(edit->reason, TT_REASON_STALE);
    assert_int_equal(edit->stale, TT_STALE_GATEWAY);
    run_to_the_end(world);
    assert_int_equal(tt_journal_size(world->journal), 0);
    set_routes(world, ROUTES(NEW TUNED, OLD TUNED));
    behind = world_build(world);
    assert_int_equal(item_at(behind, 1)->left, TT_LEFT_STALE);
    assert_int_equal(item_at(behind, 1)->state, TT_STATE_LEFT);
    assert_int_equal(item_at(behind, 1)->stale, TT_STALE_GATEWAY);
}

/* An undo of everything undoes what is behind as well. */
static void
test_revert_behind(void **state)
{
    World *world = *state;

    set_routes(world, ROUTES(NEW, OLD));
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.2! 192.0.2.1!");
    moved(world, TT_STALE_GATEWAY);
    world_set_policy(world, NULL);
    run_to_the_end(world);
    assert_gateways(world, "192.0.2.2 192.0.2.1");
}

/*
 * IPv6: equal metrics are one route with two hops.
 */

static void
free_hops(gpointer data)
{
    TtHopMetrics *hops = data;

    g_free(hops->metrics);
    g_free(hops->protocols);
    g_free(hops);
}

static void
set_protocols(World *world, guint8 first, guint8 second)
{
    TtHopMetrics *hops = g_new0(TtHopMetrics, 1);
    TtIdentity identity = tt_identity_of(world->routes->pdata[0]);

    *hops = (TtHopMetrics){.n = 2, .complete = true, .uniform = first == second};
    hops->metrics = g_new0(TtMetrics, 2);
    hops->protocols = g_new0(guint8, 2);
    hops->protocols[0] = first;
    hops->protocols[1] = second;
    if (!world->hops)
        world->hops = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free, free_hops);
    g_hash_table_replace(world->hops, g_memdup(&identity, sizeof identity), hops);
}

#define PAIR6(a, b) "inet6 default proto 4 metric 100 nexthop via " a " nexthop via " b

static void
assert_hop_goes(World *world, guint stale, const char *route, const char *expected)
{
    g_autoptr(TtPlan) plan = NULL;
    const TtEdit *edit;
    g_autofree char *gateway = NULL;

    moved(world, stale);
    set_routes(world, ROUTES(route));
    set_protocols(world, RTPROT_STATIC, stale == TT_STALE_METHOD ? RTPROT_RA : RTPROT_STATIC);
    plan = world_build(world);
    assert_int_equal(plan->edits->len, expected ? 1 : 0);
    if (!expected)
        return;
    edit = plan->edits->pdata[0];
    assert_int_equal(edit->kind, TT_EDIT_DELETE);
    assert_int_equal(edit->reason, TT_REASON_STALE);
    assert_int_equal(edit->route->n_hops, 1);
    assert_int_equal(edit->route->protocol, RTPROT_STATIC);
    assert_int_equal(edit->route->priority, 100);
    assert_int_equal(edit->route->table, RT_TABLE_MAIN);
    assert_int_equal(edit->route->hops[0].ifindex, 3);
    gateway = tt_hop_format_gateway(&edit->route->hops[0]);
    assert_string_equal(gateway, expected);
}

static void
test_inet6_hop(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route-x]\nfamily=ipv4\nrto_min=8\n");
    assert_hop_goes(world, TT_STALE_GATEWAY, PAIR6("fe80::1 dev 3", "fe80::2 dev 3"), "fe80::1");
    assert_hop_goes(world, TT_STALE_GATEWAY, PAIR6("fe80::2 dev 3", "fe80::1 dev 3"), "fe80::1");
    assert_hop_goes(world, TT_STALE_GATEWAY, PAIR6("fe80::1 dev 3", "fe80::3 dev 3"), NULL);
    assert_hop_goes(world, TT_STALE_GATEWAY, PAIR6("fe80::1 dev 3", "fe80::2 dev 4"), NULL);
    assert_hop_goes(world, TT_STALE_GATEWAY, PAIR6("fe80::1 dev 4", "fe80::2 dev 3"), NULL);
    assert_hop_goes(world, TT_STALE_METHOD, PAIR6("fe80::1 dev 3", "fe80::9 dev 3"), "fe80::1");
    /* What was advertised is not ours, though it is by the same router. */
    assert_hop_goes(world, TT_STALE_METHOD, PAIR6("fe80::9 dev 3", "fe80::1 dev 3"), NULL);
    assert_hop_goes(world, TT_STALE_NEVER_DEFAULT, PAIR6("fe80::1 dev 3", "fe80::9 dev 4"),
                    "fe80::1");
}

/* Without a look at each hop nobody knows whose it is. */
static void
test_inet6_hops_unread(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) plan = NULL;

    moved(world, TT_STALE_GATEWAY);
    set_routes(world, ROUTES(PAIR6("fe80::1 dev 3", "fe80::2 dev 3")));
    plan = world_build(world);
    assert_int_equal(plan->edits->len, 0);
}

static void
test_inet6_of_other_metric(void **state)
{
    World *world = *state;

    moved(world, TT_STALE_METHOD);
    set_routes(world, ROUTES("inet6 default via fe80::1 dev 3 proto 4 metric 100",
                             "inet6 default via fe80::9 dev 3 proto 9 metric 101"));
    assert_int_equal(world_run(world, true), 1);
    assert_gateways(world, "fe80::9");
    set_routes(world, ROUTES("inet6 default via fe80::9 dev 3 proto 9 metric 99",
                             "inet6 default via fe80::1 dev 3 proto 4 metric 100"));
    assert_int_equal(world_run(world, true), 0);
}

#define with_world(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_table),
        with_world(test_never_default_not_in_force),
        with_world(test_both_never_default),
        with_world(test_scope),
        with_world(test_without_policy),
        with_world(test_report),
        with_world(test_revert_behind),
        with_world(test_inet6_hop),
        with_world(test_inet6_hops_unread),
        with_world(test_inet6_of_other_metric),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
