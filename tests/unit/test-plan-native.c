/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes that NetworkManager itself installs with our attributes: what an undo gives back. */
#include "plan-world.h"
#include "route-text.h"
#include "tt-test.h"

/* A route as the profile shall have it, and as we wrote it. */
static TtNativeRoute *
add_native(World *world, const char *before_text, const char *set_text)
{
    g_autoptr(TtRoute) before = route_from_text(before_text);
    g_autoptr(TtRoute) set = route_from_text(set_text);
    TtNativeRoute *native = g_new0(TtNativeRoute, 1);

    native->ifindex = set->hops[0].ifindex;
    native->family = set->family;
    native->dst_len = set->dst_len;
    native->gateway_family = (guint8) set->hops[0].gateway_family;
    native->dst = set->dst;
    native->gateway = set->hops[0].gateway;
    native->table = set->table;
    native->before = before->metrics;
    native->set = set->metrics;
    native->named = before->metrics.present | set->metrics.present;
    if (!world->native)
        world->native = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(world->native, native);
    return native;
}

/* The metrics of each route. (transfer full) */
static char *
metrics_text(const World *world)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < world->routes->len; i++) {
        tt_metrics_append(&((TtRoute *) world->routes->pdata[i])->metrics, text);
        g_string_append(text, ";");
    }
    return g_string_free(text, FALSE);
}

static void
assert_undone(World *world, const char *expected)
{
    g_autofree char *text = NULL;

    world_set_policy(world, NULL);
    world_run(world, false);
    text = metrics_text(world);
    assert_string_equal(text, expected);
    assert_int_equal(world_run(world, false), 0);
    assert_int_equal(tt_journal_size(world->journal), 0);
}

/* After a restart of the host: no journal. */
static void
test_unknown_to_the_journal(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 metric 100 rto_min 8 "
                           "lock 13 quickack 1 mtu 1400");
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    assert_undone(world, " mtu 1400;");
}

/* NetworkManager wrote it without the lock, which came from us: the journal's "before" is our own
 * value. */
static void
test_journal_has_our_own_value(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 rto_min 8 quickack 1");
    world_run(world, false);
    assert_int_equal(tt_journal_size(world->journal), 1);
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    assert_undone(world, ";");
}

/* The policy has changed since the profile was written, and the kernel followed. */
static void
test_journal_in_front(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 rto_min 8 quickack 1");
    world_set_policy(world, "[route]\nrto_min=20\nquickack=no\n");
    world_run(world, false);
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    assert_undone(world, ";");
}

/* What NetworkManager would give it counts, not what somebody gave it by hand before we came. */
static void
test_journal_has_another_value(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 rto_min 50 lock 13");
    world_run(world, false);
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    assert_undone(world, ";");
}

/* The administrator's own values: locked as this NetworkManager locks. */
static void
test_value_before(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 rto_min 8");
    world_add_route(world, "inet default via 198.51.100.1 dev 4 proto 4 metric 9 rto_min 8 "
                           "lock 13 quickack 1");
    world_set_policy(world, "[route]\nrto_min=8\n");
    world_run(world, false);
    add_native(world, "inet default via 192.0.2.1 dev 3 rto_min 50",
               "inet default via 192.0.2.1 dev 3 rto_min 8");
    add_native(world, "inet default via 198.51.100.1 dev 4 rto_min 60 mtu 1400 lock 2",
               "inet default via 198.51.100.1 dev 4 rto_min 8");
    assert_undone(world, " rto_min 50ms; mtu lock 1400 rto_min lock 60ms quickack 1;");
}

/* quickack=no took the administrator's quickack away. */
static void
test_removed_attribute(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4");
    add_native(world, "inet default via 192.0.2.1 dev 3 quickack 1",
               "inet default via 192.0.2.1 dev 3");
    assert_undone(world, " quickack 1;");
}

static void
test_policy_still_asks(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 rto_min 8 lock 13 quickack 1");
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    assert_int_equal(world_run(world, false), 0);
    world_set_policy(world, "[route]\nrto_min=8\n");
    assert_int_equal(world_run(world, false), 1);
    assert_int_equal(world_run(world, false), 0);
    assert_undone(world, ";");
}

/* Somebody set it in the kernel since; other routes; other protocols. */
static void
test_not_ours(void **state)
{
    static const char *const routes[] = {
        "inet default via 192.0.2.1 dev 3 proto 4 rto_min 70 lock 13",
        "inet default via 192.0.2.9 dev 3 proto 4 metric 1 rto_min 8 lock 13",
        "inet default via 192.0.2.1 dev 4 proto 4 metric 2 rto_min 8 lock 13",
        "inet default via 192.0.2.1 dev 3 proto 16 metric 3 rto_min 8 lock 13",
        "inet 10.0.0.0/8 via 192.0.2.1 dev 3 proto 4 rto_min 8 lock 13",
        "inet default via 192.0.2.1 dev 3 proto 4 table 1000 rto_min 8 lock 13",
        "inet6 default via fe80::1 dev 3 proto 4 rto_min 8 lock 13",
    };
    World *world = *state;
    g_autofree char *before = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(routes); i++)
        world_add_route(world, routes[i]);
    add_native(world, "inet default via 192.0.2.1 dev 3",
               "inet default via 192.0.2.1 dev 3 rto_min 8");
    before = metrics_text(world);
    assert_undone(world, before);
}

/* A metric in the profile, with the penalty for lost connectivity or without. */
static void
test_metric(void **state)
{
    World *world = *state;
    TtNativeRoute *native;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 metric 50 rto_min 8");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 metric 60 rto_min 8");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 metric 20060 rto_min 8");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 proto 4 metric 20050 rto_min 9");
    native = add_native(world, "inet default via 192.0.2.1 dev 3",
                        "inet default via 192.0.2.1 dev 3 rto_min 8");
    native->has_metric = true;
    native->metric = 60;
    native = add_native(world, "inet default via 192.0.2.1 dev 3",
                        "inet default via 192.0.2.1 dev 3 rto_min 9");
    native->has_metric = true;
    native->metric = 50;
    assert_undone(world, " rto_min 8ms;;;;");
}

static void
test_host_bits(void **state)
{
    World *world = *state;

    world_add_route(world, "inet 10.16.0.0/12 via 192.0.2.1 dev 3 proto 4 rto_min 8 lock 13");
    add_native(world, "inet 10.17.1.2/12 via 192.0.2.1 dev 3",
               "inet 10.17.1.2/12 via 192.0.2.1 dev 3 rto_min 8");
    assert_undone(world, ";");
}

/* One route of the kernel, made of two of profiles: only where both say the same. */
static void
test_hops(void **state)
{
    static const char *const text =
        "inet 10.0.0.0/8 proto 4 rto_min 8 lock 13 nexthop via 192.0.2.1 dev 3 nexthop "
        "via 198.51.100.1 dev 4";
    World *world = *state;
    g_autofree char *before = NULL;

    world_add_route(world, text);
    before = metrics_text(world);
    add_native(world, "inet 10.0.0.0/8 via 192.0.2.1 dev 3",
               "inet 10.0.0.0/8 via 192.0.2.1 dev 3 rto_min 8");
    assert_undone(world, before);
    add_native(world, "inet 10.0.0.0/8 via 198.51.100.1 dev 4",
               "inet 10.0.0.0/8 via 198.51.100.1 dev 4 rto_min 8");
    assert_undone(world, ";");
}

static void
test_inet6(void **state)
{
    World *world = *state;
    TtNativeRoute *native;

    world_add_route(world, "inet6 default via fe80::1 dev 3 proto 4 metric 1024 rto_min 8 "
                           "lock 13");
    native = add_native(world, "inet6 default via fe80::1 dev 3",
                        "inet6 default via fe80::1 dev 3 rto_min 8");
    native->has_metric = true; /* 0 */
    assert_undone(world, ";");
}

#define with_world(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_unknown_to_the_journal),
        with_world(test_journal_has_our_own_value),
        with_world(test_journal_in_front),
        with_world(test_journal_has_another_value),
        with_world(test_value_before),
        with_world(test_removed_attribute),
        with_world(test_policy_still_asks),
        with_world(test_not_ours),
        with_world(test_metric),
        with_world(test_host_bits),
        with_world(test_hops),
        with_world(test_inet6),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
