/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-world.h"
#include "route-text.h"
#include "tt-test.h"

#define MARK "ssthresh 0x7fffffff"

static void
assert_route(const World *world, guint i, const char *expected)
{
    g_autofree char *metrics = NULL;
    GString *text = g_string_new(NULL);

    assert_true(i < world->routes->len);
    tt_metrics_append(&((TtRoute *) world->routes->pdata[i])->metrics, text);
    metrics = g_string_free(text, FALSE);
    assert_string_equal(g_strchug(metrics), expected);
}

static TtLeft
only_left(World *world)
{
    g_autoptr(TtPlan) plan = world_build(world);
    const TtPlanItem *item;

    assert_int_equal(plan->edits->len, 0);
    assert_int_equal(plan->items->len, 1);
    item = plan->items->pdata[0];
    return item->left;
}

/* Apply, again, undo, again: what changes, what stays, what is told to the journal. */
static void
test_apply_and_undo(void **state)
{
    World *world = *state;
    g_autofree char *before = NULL;
    g_autofree char *after = NULL;

    world_add_route(world,
                    "inet default via 192.0.2.1 dev 3 metric 100 mtu 1400 lock 2 initcwnd 20");
    world_add_route(world, "inet6 default via fe80::1 dev 3 metric 100");
    world_add_route(world, "inet 10.0.0.0/8 via 192.0.2.1 dev 3");
    before = world_table_text(world->routes);
    assert_int_equal(world_run(world, false), 2);
    assert_route(world, 0, "mtu lock 1400 initcwnd 20 rto_min lock 8ms quickack 1");
    assert_route(world, 1, "rto_min lock 8ms quickack 1");
    assert_route(world, 2, "");
    assert_int_equal(tt_journal_size(world->journal), 2);
    assert_int_equal(world_run(world, false), 0);
    world_set_policy(world, NULL);
    assert_int_equal(world_run(world, false), 2);
    after = world_table_text(world->routes);
    assert_string_equal(before, after);
    assert_int_equal(tt_journal_size(world->journal), 0);
    assert_int_equal(world_run(world, false), 0);
}

/* Yesterday's policy asked for more. */
static void
test_less_policy(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 quickack 1");
    world_set_policy(world, "[route]\nrto_min=8\nquickack=no\ninitcwnd=20\n");
    world_run(world, false);
    assert_route(world, 0, "initcwnd 20 rto_min lock 8ms");
    world_set_policy(world, "[route]\nrto_min=20\ninitcwnd=none\n");
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 20ms quickack 1");
    world_set_policy(world, "[route-x]\nstop-match=yes\n[route]\nrto_min=20\n");
    world_run(world, false);
    assert_route(world, 0, "quickack 1");
    assert_int_equal(tt_journal_size(world->journal), 0);
}

/* What somebody else set since is not ours to undo. */
static void
test_undo_spares_others(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world_run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 70 lock 13 quickack 1");
    world_set_policy(world, NULL);
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 70ms");
    assert_int_equal(tt_journal_size(world->journal), 0);
}

static void
test_unlocked_is_ineffective(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) plan = NULL;
    const TtPlanItem *item;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    plan = world_build(world);
    item = plan->items->pdata[0];
    assert_int_equal(item->state, TT_STATE_DIFFERS);
    assert_int_equal(item->ineffective, TT_METRIC_BIT(RTAX_RTO_MIN));
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    world_set_policy(world, NULL);
    world_run(world, false);
    assert_route(world, 0, "rto_min 8ms quickack 1");
}

static void
test_lock_key(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    world_set_policy(world, "[route]\nmtu=1400\nlock=mtu\n");
    world_run(world, false);
    assert_route(world, 0, "mtu lock 1400");
    world_set_policy(world, "[route]\nmtu=1400\n");
    world_run(world, false);
    assert_route(world, 0, "mtu 1400");
    world_set_policy(world, "[route]\nrto_min=none\nlock=mtu\n");
    world_run(world, false);
    assert_route(world, 0, "mtu lock 1400");
    world_set_policy(world, NULL);
    world_run(world, false);
    assert_route(world, 0, "mtu 1400");
}

static void
test_equal_metrics(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    world_add_route(world, "inet default via 198.51.100.9 dev 4 metric 100");
    world_set_policy(world, "[route]\nrto_min=none\n[route-b]\ngateway=198.51.100.1\nrto_min=8\n");
    assert_int_equal(world_run(world, false), 8);
    assert_route(world, 0, "");
    assert_route(world, 1, "rto_min lock 8ms");
    assert_route(world, 2, "");
    world_set_policy(world, "[route]\nrto_min=8\n");
    assert_int_equal(world_run(world, false), 3);
    world_set_policy(world, NULL);
    assert_int_equal(world_run(world, false), 5);
    assert_route(world, 2, "");
}

static void
test_scope_is_one_device(void **state)
{
    World *world = *state;

    world->ifindex = 4;
    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    world_run(world, false);
    assert_route(world, 0, "");
    assert_route(world, 1, "rto_min lock 8ms quickack 1");
}

/* The tuned one stays; where its going forward would let another route be first, it is the plain
 * one that stays and is tuned. */
static void
test_twins(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    assert_int_equal(world_run(world, false), 1);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");

    g_ptr_array_set_size(world->routes, 0);
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    assert_int_equal(world_run(world, false), 1);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");

    g_ptr_array_set_size(world->routes, 0);
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world_add_route(world, "inet default via 198.51.100.1 dev 4 rto_min 8 lock 13 quickack 1");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    assert_int_equal(world_run(world, false), 2);
    assert_int_equal(world->routes->len, 2);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
}

/* Which of the two NetworkManager takes away is not known yet. */
static void
test_spared_twins(void **state)
{
    World *world = *state;
    TtPlan *plan;

    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    assert_int_equal(world_run(world, false), 1);
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world->spare_twins = true;
    plan = world_build(world);
    assert_int_equal(plan->n_spared, 1);
    tt_plan_free(plan);
    assert_int_equal(world_run(world, false), 0);
    assert_int_equal(world->routes->len, 2);

    /* It takes the tuned one: the other is tuned at once. */
    g_ptr_array_remove_index(world->routes, 0);
    assert_int_equal(world_run(world, false), 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");

    /* It takes none: the plain one goes. */
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    assert_int_equal(world_run(world, false), 0);
    world->spare_twins = false;
    assert_int_equal(world_run(world, false), 1);
    assert_int_equal(world->routes->len, 1);
}

/* Twins that differ in what is not ours are two routes. */
static void
test_foreign_twins(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world_run(world, false);
    assert_int_equal(world->routes->len, 2);
    assert_route(world, 0, "mtu 1400 rto_min lock 8ms quickack 1");
    assert_route(world, 1, "rto_min lock 8ms quickack 1");
}

/* A run that was killed half way through a move. */
static void
test_marks_are_cleared(void **state)
{
    World *world = *state;

    world->ifindex = 3;
    world_set_policy(world, "[route]\nrto_min=8\n");
    world_add_route(world, "inet default via 192.0.2.1 dev 3");
    world_add_route(world, "inet default via 198.51.100.1 dev 4");
    world_add_route(world, "inet default via 192.0.2.9 dev 3 rto_min 8 lock 13 " MARK);
    world_add_route(world, "inet default via 198.51.100.9 dev 4 " MARK);
    world_add_route(world, "inet default via 198.51.100.1 dev 4 " MARK);
    world_run(world, false);
    assert_int_equal(world->routes->len, 4);
    assert_route(world, 0, "rto_min lock 8ms");
    assert_route(world, 1, "");
    assert_route(world, 2, "rto_min lock 8ms");
    assert_route(world, 3, "");
}

#define DHCP "inet default proto 16 src 192.0.2.7 "

static void
set_routers(World *world, const char *router)
{
    TtLink *link = g_hash_table_lookup(world->facts->links, GINT_TO_POINTER(3));

    if (link->dhcp_routers)
        g_ptr_array_unref(link->dhcp_routers);
    link->dhcp_routers = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(link->dhcp_routers, g_strdup(router));
}

static guint8
last_byte_of_gateway(const World *world, guint i)
{
    const TtRoute *route = world->routes->pdata[i];

    return route->hops[0].gateway.bytes[3];
}

static void
test_orphan_by_gateway(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    world_add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
    /* And back. The lease decides where it is known; the other one may be anybody's. */
    set_routers(world, "192.0.2.2");
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    assert_int_equal(world->routes->len, 2);
    set_routers(world, "192.0.2.1");
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 1);
}

static void
add_entry(const TtJournalEntry *entry, gpointer journal)
{
    tt_journal_add(journal, entry);
}

/* The journal as the next process reads it. */
static void
next_run(World *world)
{
    TtJournal *again = tt_journal_new();

    tt_journal_foreach(world->journal, add_entry, again);
    tt_journal_free(world->journal);
    world->journal = again;
}

/* Tuned in one run they were both there, whatever put them there: neither is an orphan. */
static void
test_no_orphan_of_the_same_run(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, DHCP "via 192.0.2.9 dev 3 metric 100");
    world_run(world, false);
    assert_int_equal(world_run(world, false), 0);
    assert_int_equal(world->routes->len, 2);
    next_run(world);
    assert_int_equal(world_run(world, false), 0);
}

/* `revert` as well: a route that leads nowhere must not stay first. */
static void
test_orphan_goes_by_revert(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    world_add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    world_set_policy(world, NULL);
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

/* A delete must not hit a route that this very plan has made equal to its target. */
static void
test_replace_hides_behind_a_delete(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route]\nrto_min=50\n");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 src 192.0.2.7 metric 100");
    world_add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 100 rto_min 50");
    world_run(world, false);
    world_run(world, false);
    assert_int_equal(world->routes->len, 3);
    world_set_policy(world, NULL);
    world_run(world, false);
    assert_int_equal(world->routes->len, 3);
}

/* Two routes of one identity, each with a past of its own: one of them is left alone. */
static void
test_two_pasts(void **state)
{
    World *world = *state;
    g_autofree char *before = NULL;
    g_autofree char *after = NULL;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 100 lock 13");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    before = world_table_text(world->routes);
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    assert_route(world, 1, "mtu 1400");
    world_set_policy(world, NULL);
    world_run(world, false);
    after = world_table_text(world->routes);
    assert_string_equal(before, after);
}

/* IPv6 routes that differ in their source prefix only. */
static void
test_source_prefix_is_identity(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route]\nrto_min=8\n");
    world_add_route(world, "inet6 default via fe80::1 dev 3 metric 9 rto_min 77 lock 13");
    world_add_route(world, "inet6 default from 2001:db8::/64 via fe80::1 dev 4 metric 9");
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms");
    world_set_policy(world, NULL);
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 77ms");
}

/* Both were tuned, at different times, and the lease says nothing: the later one is the news. */
static void
test_orphan_by_order(void **state)
{
    World *world = *state;
    TtIdentity identity;
    const TtRoute *second;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100 rto_min 8 lock 13 quickack 1");
    world_add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100 rto_min 8 lock 13 quickack 1");
    second = world->routes->pdata[1];
    identity = tt_identity_of(second);
    next_run(world);
    tt_journal_touch(world->journal, &identity, &second->metrics, &second->metrics,
                     TT_METRIC_BIT(RTAX_RTO_MIN), 1000);
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

static void
test_orphan_by_metric(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 20100");
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(((TtRoute *) world->routes->pdata[0])->priority, 20100);
}

/* A profile's gateway may be wanted at two metrics, but not at one and at that one with the
 * penalty. */
static void
test_orphan_by_penalty(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 100 proto 4");
    world_run(world, false);
    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 200 proto 4");
    world_run(world, false);
    assert_int_equal(world->routes->len, 2);

    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 20100 proto 4");
    world_run(world, true);
    assert_int_equal(world->routes->len, 2);
    assert_int_equal(((TtRoute *) world->routes->pdata[0])->priority, 200);
}

/* NetworkManager deleted the tuned route; its plain twin, which it forgot, stays first. */
static void
test_orphaned_twin(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    world_run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

static void
test_no_orphans_among_others(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    /* Two routers of one lease; another device; another table; another protocol. */
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, DHCP "via 192.0.2.2 dev 3 metric 101");
    world_add_route(world, DHCP "via 192.0.2.3 dev 4 metric 100");
    world_add_route(world, DHCP "via 192.0.2.4 dev 3 metric 100 table 77");
    world_add_route(world, "inet default via 192.0.2.5 dev 3 metric 100");
    world_run(world, false);
    assert_int_equal(world->routes->len, 5);
    assert_int_equal(world_run(world, false), 0);
    /* Never touched by us: not ours to take away, however odd. */
    tt_journal_free(world->journal);
    world->journal = tt_journal_new();
    world_add_route(world, DHCP "via 192.0.2.9 dev 3 metric 100");
    world_run(world, false);
    assert_int_equal(world->routes->len, 6);
}

static void
test_learned(void **state)
{
    World *world = *state;

    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    /* A source address: 1.40 or later, and nothing says that it announces renewals. */
    assert_int_equal(only_left(world), TT_LEFT_NEEDS_MONITOR);
    world->facts->monitor_running = true;
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    /* The monitor is gone: what it held is given back. */
    world->facts->monitor_running = false;
    world_run(world, false);
    assert_route(world, 0, "");
    assert_int_equal(only_left(world), TT_LEFT_NEEDS_MONITOR);
    world_set_policy(world, "[main]\nlearned=always\n[route]\nrto_min=8\n");
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms");
    world_set_policy(world, "[main]\nlearned=never\n[route]\nrto_min=8\n");
    world_run(world, false);
    assert_int_equal(only_left(world), TT_LEFT_NEVER);
}

static void
test_learned_by_regime(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route-x]\nprotocol=any\nrto_min=8\n");
    world_add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, "inet6 default via fe80::1 dev 3 proto 9");
    world->facts->regime = TT_NM_SILENT;
    assert_int_equal(world_run(world, false), 0);
    world->facts->regime = TT_NM_ANNOUNCING;
    assert_int_equal(world_run(world, false), 1);
    world->facts->regime = TT_NM_OLD;
    assert_int_equal(world_run(world, false), 1);
    world->facts->regime = TT_NM_ABSENT;
    assert_int_equal(world_run(world, false), 0);
}

/* Without a source address a DHCP default comes from before 1.40. */
static void
test_old_regime_by_evidence(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default proto 16 via 192.0.2.1 dev 3 metric 100");
    world_run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
}

static void
test_kernel_ra(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route-x]\nprotocol=ra\nrto_min=8\n");
    world->facts->monitor_running = true;
    world_add_route(world, "inet6 default via fe80::1 dev 3 proto 9 expires 30");
    assert_int_equal(only_left(world), TT_LEFT_KERNEL_RA);
}

static void
test_partial(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route-x]\nmatch-device=interface-name:eth0\nrto_min=8\n");
    world_add_route(world,
                    "inet default nexthop via 192.0.2.1 dev 3 nexthop via 198.51.100.1 dev 4");
    assert_int_equal(only_left(world), TT_LEFT_PARTIAL);
}

static void
free_hops(gpointer data)
{
    TtHopMetrics *hops = data;

    g_free(hops->metrics);
    g_free(hops->protocols);
    g_free(hops);
}

static void
set_hops(World *world, const char *first, const char *second, bool complete)
{
    TtHopMetrics *hops = g_new0(TtHopMetrics, 1);
    const char *texts[] = {first, second};
    TtIdentity identity;

    hops->n = 2;
    hops->complete = complete;
    hops->uniform = true;
    hops->protocols = g_new0(guint8, 2);
    hops->metrics = g_new0(TtMetrics, 2);
    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = g_strconcat("inet6 default dev 3 ", texts[i], NULL);
        g_autoptr(TtRoute) route = route_from_text(text);

        hops->metrics[i] = route->metrics;
    }
    if (!world->hops)
        world->hops = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free, free_hops);
    identity = tt_identity_of(world->routes->pdata[0]);
    g_hash_table_replace(world->hops, g_memdup(&identity, sizeof identity), hops);
}

static gboolean
any(gpointer key, gpointer value, gpointer unused)
{
    return TRUE;
}

static guint
count_edits(World *world)
{
    g_autoptr(TtPlan) plan = world_build(world);

    return plan->edits->len;
}

static void
test_inet6_hops(void **state)
{
    World *world = *state;

    world_set_policy(world, "[route]\nrto_min=8\n");
    world_add_route(world,
                    "inet6 default metric 9 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 3");
    assert_int_equal(only_left(world), TT_LEFT_HOPS_UNREAD);
    set_hops(world, "", "", false);
    assert_int_equal(only_left(world), TT_LEFT_HOPS_UNREAD);
    set_hops(world, "", "mtu 1400", true);
    assert_int_equal(only_left(world), TT_LEFT_HOPS);
    set_hops(world, "", "rto_min 70 lock 13", true);
    assert_int_equal(only_left(world), TT_LEFT_HOPS);
    set_hops(world, "", "", true);
    ((TtHopMetrics *) g_hash_table_find(world->hops, any, NULL))->uniform = false;
    assert_int_equal(only_left(world), TT_LEFT_HOPS);
    set_hops(world, "", "", true);
    assert_int_equal(count_edits(world), 1);

    /* The first hop, which a dump shows, is tuned; the second lost it. */
    g_ptr_array_set_size(world->routes, 0);
    world_add_route(
        world, "inet6 default metric 9 rto_min 8 lock 13 nexthop via fe80::1 dev 3 nexthop via "
               "fe80::2 dev 3");
    set_hops(world, "rto_min 8 lock 13", "", true);
    assert_int_equal(count_edits(world), 1);
    set_hops(world, "rto_min 8 lock 13", "rto_min 8 lock 13", true);
    assert_int_equal(count_edits(world), 0);
}

/* Two routes on nexthop objects share a metric: a replace of the second would hit the first. */
static void
test_inet6_shadowed(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) plan = NULL;
    const TtPlanItem *second;

    world_add_route(world, "inet6 default metric 9 nhid 1 via fe80::1 dev 3");
    world_add_route(world, "inet6 default metric 9 nhid 2 via fe80::2 dev 3");
    plan = world_build(world);
    second = plan->items->pdata[1];
    assert_int_equal(plan->edits->len, 1);
    assert_int_equal(second->left, TT_LEFT_SHADOWED);
    tt_plan_note_done(plan, world->journal);
    assert_int_equal(tt_journal_size(world->journal), 1);
}

/* A delete cannot say "no source": it would hit the route before it that has one. */
static void
test_inet_shadowed(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) plan = NULL;
    const TtPlanItem *last;

    world_add_route(world, "inet default via 198.51.100.1 dev 4");
    world_add_route(world,
                    "inet default via 192.0.2.1 dev 3 src 192.0.2.7 rto_min 8 lock 13 quickack 1");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    world_set_policy(world, "[route]\nmtu=1400\n");
    world->ifindex = 3;
    plan = world_build(world);
    last = plan->items->pdata[1];
    assert_int_equal(plan->edits->len, 0);
    assert_int_equal(last->left, TT_LEFT_SHADOWED);
    tt_plan_note_done(plan, world->journal);
    assert_int_equal(tt_journal_size(world->journal), 0);
}

static void
test_journal_forgets_what_is_gone(void **state)
{
    World *world = *state;

    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    world_add_route(world, "inet default via 192.0.2.1 dev 3 metric 200");
    world_run(world, false);
    assert_int_equal(tt_journal_size(world->journal), 2);
    g_ptr_array_set_size(world->routes, 1);
    world_run(world, false);
    assert_int_equal(tt_journal_size(world->journal), 1);
}

#define with_world(test) cmocka_unit_test_setup_teardown(test, world_setup, world_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_world(test_apply_and_undo),
        with_world(test_less_policy),
        with_world(test_undo_spares_others),
        with_world(test_unlocked_is_ineffective),
        with_world(test_lock_key),
        with_world(test_equal_metrics),
        with_world(test_scope_is_one_device),
        with_world(test_twins),
        with_world(test_spared_twins),
        with_world(test_foreign_twins),
        with_world(test_marks_are_cleared),
        with_world(test_orphan_by_gateway),
        with_world(test_orphan_by_order),
        with_world(test_no_orphan_of_the_same_run),
        with_world(test_orphan_goes_by_revert),
        with_world(test_replace_hides_behind_a_delete),
        with_world(test_two_pasts),
        with_world(test_source_prefix_is_identity),
        with_world(test_orphan_by_metric),
        with_world(test_orphan_by_penalty),
        with_world(test_orphaned_twin),
        with_world(test_no_orphans_among_others),
        with_world(test_learned),
        with_world(test_learned_by_regime),
        with_world(test_old_regime_by_evidence),
        with_world(test_kernel_ra),
        with_world(test_partial),
        with_world(test_inet6_hops),
        with_world(test_inet6_shadowed),
        with_world(test_inet_shadowed),
        with_world(test_journal_forgets_what_is_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
