/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/plan.h"
#include "core/policy.h"
#include "kernel-model.h"
#include "route-text.h"
#include "tt-test.h"

#define MARK "ssthresh 0x7fffffff"

typedef struct {
    GPtrArray *routes;
    TtPolicy *policy;
    TtJournal *journal;
    TtFacts *facts;
    GHashTable *hops;
    int ifindex;
} World;

static void
add_link(World *world, int ifindex, const char *name)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = ifindex;
    link->type = TT_LINK_ETHERNET;
    g_strlcpy(link->name, name, sizeof link->name);
    g_hash_table_insert(world->facts->links, GINT_TO_POINTER(ifindex), link);
}

static void
set_policy(World *world, const char *text)
{
    g_autoptr(GError) error = NULL;

    g_clear_pointer(&world->policy, tt_policy_free);
    if (!text)
        return;
    world->policy = tt_policy_parse("test.conf", text, strlen(text), &error);
    assert_no_error(error);
}

static void
add_route(World *world, const char *text)
{
    g_ptr_array_add(world->routes, route_from_text(text));
}

static int
setup(void **state)
{
    World *world = g_new0(World, 1);

    world->routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);
    world->facts = tt_facts_new();
    world->journal = tt_journal_new();
    add_link(world, 3, "eth0");
    add_link(world, 4, "eth1");
    set_policy(world, "[route]\nrto_min=8\nquickack=yes\n");
    *state = world;
    return 0;
}

static int
teardown(void **state)
{
    World *world = *state;

    g_ptr_array_unref(world->routes);
    tt_policy_free(world->policy);
    tt_journal_free(world->journal);
    tt_facts_free(world->facts);
    if (world->hops)
        g_hash_table_unref(world->hops);
    g_free(world);
    return 0;
}

static TtPlan *
build(World *world)
{
    TtPlanInput input = {
        .policy = world->policy,
        .routes = world->routes,
        .hops = world->hops,
        .facts = world->facts,
        .journal = world->journal,
        .ifindex = world->ifindex,
        .now = 1000,
    };

    return tt_plan_build(&input);
}

static GPtrArray *
copy_routes(const GPtrArray *routes)
{
    GPtrArray *copy = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    for (guint i = 0; i < routes->len; i++)
        g_ptr_array_add(copy, tt_route_copy(routes->pdata[i]));
    return copy;
}

/* Plans, carries out the first edits on the model, and checks I1 after each. */
static void
carry_out(World *world, const TtPlan *plan, guint n_edits, bool routes_may_go)
{
    g_autoptr(GPtrArray) table = copy_routes(world->routes);
    g_autofree char *before = kernel_model_forwarding(table);

    for (guint i = 0; i < n_edits; i++) {
        g_autofree char *after = NULL;
        int r = kernel_model_edit(table, plan->edits->pdata[i]);

        if (r < 0)
            fail_msg("edit %u: %s in\n%s", i, g_strerror(-r), before);
        after = kernel_model_forwarding(table);
        if (!routes_may_go && !g_str_equal(before, after))
            fail_msg("after edit %u:\n%sinstead of\n%s", i, after, before);
    }
    g_ptr_array_unref(world->routes);
    world->routes = g_steal_pointer(&table);
}

static guint
run(World *world, bool routes_may_go)
{
    g_autoptr(TtPlan) plan = build(world);

    carry_out(world, plan, plan->edits->len, routes_may_go);
    tt_plan_note_done(plan, world->journal);
    return plan->edits->len;
}

/* A run that ends by SIGKILL between two edits. */
static void
run_killed(World *world, GRand *rand)
{
    g_autoptr(TtPlan) plan = build(world);
    guint n_edits =
        plan->edits->len ? (guint) g_rand_int_range(rand, 0, (gint) plan->edits->len) : 0;

    carry_out(world, plan, n_edits, false);
    tt_plan_note_intent(plan, world->journal);
}

static char *
table_text(const GPtrArray *routes)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < routes->len; i++) {
        g_autofree char *line = tt_route_format(routes->pdata[i], true);

        g_string_append_printf(text, "%s\n", line);
    }
    return g_string_free(text, FALSE);
}

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
    g_autoptr(TtPlan) plan = build(world);
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

    add_route(world, "inet default via 192.0.2.1 dev 3 metric 100 mtu 1400 lock 2 initcwnd 20");
    add_route(world, "inet6 default via fe80::1 dev 3 metric 100");
    add_route(world, "inet 10.0.0.0/8 via 192.0.2.1 dev 3");
    before = table_text(world->routes);
    assert_int_equal(run(world, false), 2);
    assert_route(world, 0, "mtu lock 1400 initcwnd 20 rto_min lock 8ms quickack 1");
    assert_route(world, 1, "rto_min lock 8ms quickack 1");
    assert_route(world, 2, "");
    assert_int_equal(tt_journal_size(world->journal), 2);
    assert_int_equal(run(world, false), 0);
    set_policy(world, NULL);
    assert_int_equal(run(world, false), 2);
    after = table_text(world->routes);
    assert_string_equal(before, after);
    assert_int_equal(tt_journal_size(world->journal), 0);
    assert_int_equal(run(world, false), 0);
}

/* Yesterday's policy asked for more. */
static void
test_less_policy(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3 quickack 1");
    set_policy(world, "[route]\nrto_min=8\nquickack=no\ninitcwnd=20\n");
    run(world, false);
    assert_route(world, 0, "initcwnd 20 rto_min lock 8ms");
    set_policy(world, "[route]\nrto_min=20\ninitcwnd=none\n");
    run(world, false);
    assert_route(world, 0, "rto_min lock 20ms quickack 1");
    set_policy(world, "[route-x]\nstop-match=yes\n[route]\nrto_min=20\n");
    run(world, false);
    assert_route(world, 0, "quickack 1");
    assert_int_equal(tt_journal_size(world->journal), 0);
}

/* What somebody else set since is not ours to undo. */
static void
test_undo_spares_others(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3");
    run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 70 lock 13 quickack 1");
    set_policy(world, NULL);
    run(world, false);
    assert_route(world, 0, "rto_min lock 70ms");
    assert_int_equal(tt_journal_size(world->journal), 0);
}

static void
test_unlocked_is_ineffective(void **state)
{
    World *world = *state;
    g_autoptr(TtPlan) plan = NULL;
    const TtPlanItem *item;

    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 quickack 1");
    plan = build(world);
    item = plan->items->pdata[0];
    assert_int_equal(item->state, TT_STATE_DIFFERS);
    assert_int_equal(item->ineffective, TT_METRIC_BIT(RTAX_RTO_MIN));
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    set_policy(world, NULL);
    run(world, false);
    assert_route(world, 0, "rto_min 8ms quickack 1");
}

static void
test_lock_key(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    set_policy(world, "[route]\nmtu=1400\nlock=mtu\n");
    run(world, false);
    assert_route(world, 0, "mtu lock 1400");
    set_policy(world, "[route]\nmtu=1400\n");
    run(world, false);
    assert_route(world, 0, "mtu 1400");
    set_policy(world, "[route]\nrto_min=none\nlock=mtu\n");
    run(world, false);
    assert_route(world, 0, "mtu lock 1400");
    set_policy(world, NULL);
    run(world, false);
    assert_route(world, 0, "mtu 1400");
}

static void
test_equal_metrics(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    add_route(world, "inet default via 198.51.100.9 dev 4 metric 100");
    set_policy(world, "[route]\nrto_min=none\n[route-b]\ngateway=198.51.100.1\nrto_min=8\n");
    assert_int_equal(run(world, false), 8);
    assert_route(world, 0, "");
    assert_route(world, 1, "rto_min lock 8ms");
    assert_route(world, 2, "");
    set_policy(world, "[route]\nrto_min=8\n");
    assert_int_equal(run(world, false), 3);
    set_policy(world, NULL);
    assert_int_equal(run(world, false), 5);
    assert_route(world, 2, "");
}

static void
test_scope_is_one_device(void **state)
{
    World *world = *state;

    world->ifindex = 4;
    add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    run(world, false);
    assert_route(world, 0, "");
    assert_route(world, 1, "rto_min lock 8ms quickack 1");
}

/* The tuned one stays; where its going forward would let another route be first, it is the plain
 * one that stays and is tuned. */
static void
test_twins(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    add_route(world, "inet default via 192.0.2.1 dev 3");
    assert_int_equal(run(world, false), 1);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");

    g_ptr_array_set_size(world->routes, 0);
    add_route(world, "inet default via 192.0.2.1 dev 3");
    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    assert_int_equal(run(world, false), 1);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");

    g_ptr_array_set_size(world->routes, 0);
    add_route(world, "inet default via 192.0.2.1 dev 3");
    add_route(world, "inet default via 198.51.100.1 dev 4 rto_min 8 lock 13 quickack 1");
    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    assert_int_equal(run(world, false), 2);
    assert_int_equal(world->routes->len, 2);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
}

/* Twins that differ in what is not ours are two routes. */
static void
test_foreign_twins(void **state)
{
    World *world = *state;

    add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    add_route(world, "inet default via 192.0.2.1 dev 3");
    run(world, false);
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
    set_policy(world, "[route]\nrto_min=8\n");
    add_route(world, "inet default via 192.0.2.1 dev 3");
    add_route(world, "inet default via 198.51.100.1 dev 4");
    add_route(world, "inet default via 192.0.2.9 dev 3 rto_min 8 lock 13 " MARK);
    add_route(world, "inet default via 198.51.100.9 dev 4 " MARK);
    add_route(world, "inet default via 198.51.100.1 dev 4 " MARK);
    run(world, false);
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
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
    /* And back. The lease decides where it is known; the other one may be anybody's. */
    set_routers(world, "192.0.2.2");
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    assert_int_equal(world->routes->len, 2);
    set_routers(world, "192.0.2.1");
    run(world, true);
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
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    add_route(world, DHCP "via 192.0.2.9 dev 3 metric 100");
    run(world, false);
    assert_int_equal(run(world, false), 0);
    assert_int_equal(world->routes->len, 2);
    next_run(world);
    assert_int_equal(run(world, false), 0);
}

/* `revert` as well: a route that leads nowhere must not stay first. */
static void
test_orphan_goes_by_revert(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    set_policy(world, NULL);
    run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

/* A delete must not hit a route that this very plan has made equal to its target. */
static void
test_replace_hides_behind_a_delete(void **state)
{
    World *world = *state;

    set_policy(world, "[route]\nrto_min=50\n");
    add_route(world, "inet default via 192.0.2.1 dev 3 src 192.0.2.7 metric 100");
    add_route(world, "inet default via 198.51.100.1 dev 4 metric 100");
    add_route(world, "inet default via 192.0.2.1 dev 3 metric 100 rto_min 50");
    run(world, false);
    run(world, false);
    assert_int_equal(world->routes->len, 3);
    set_policy(world, NULL);
    run(world, false);
    assert_int_equal(world->routes->len, 3);
}

/* Two routes of one identity, each with a past of its own: one of them is left alone. */
static void
test_two_pasts(void **state)
{
    World *world = *state;
    g_autofree char *before = NULL;
    g_autofree char *after = NULL;

    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 100 lock 13");
    add_route(world, "inet default via 192.0.2.1 dev 3 mtu 1400");
    before = table_text(world->routes);
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    assert_route(world, 1, "mtu 1400");
    set_policy(world, NULL);
    run(world, false);
    after = table_text(world->routes);
    assert_string_equal(before, after);
}

/* IPv6 routes that differ in their source prefix only. */
static void
test_source_prefix_is_identity(void **state)
{
    World *world = *state;

    set_policy(world, "[route]\nrto_min=8\n");
    add_route(world, "inet6 default via fe80::1 dev 3 metric 9 rto_min 77 lock 13");
    add_route(world, "inet6 default from 2001:db8::/64 via fe80::1 dev 4 metric 9");
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms");
    set_policy(world, NULL);
    run(world, false);
    assert_route(world, 0, "rto_min lock 77ms");
}

/* Both were tuned, at different times, and the lease says nothing: the later one is the news. */
static void
test_orphan_by_order(void **state)
{
    World *world = *state;
    g_autofree char *identity = NULL;
    const TtRoute *second;

    world->facts->regime = TT_NM_ANNOUNCING;
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100 rto_min 8 lock 13 quickack 1");
    add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100 rto_min 8 lock 13 quickack 1");
    second = world->routes->pdata[1];
    identity = tt_route_identity(second);
    next_run(world);
    tt_journal_touch(world->journal, identity, second, &second->metrics,
                     TT_METRIC_BIT(RTAX_RTO_MIN), 1000);
    run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

static void
test_orphan_by_metric(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 20100");
    run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(((TtRoute *) world->routes->pdata[0])->priority, 20100);
}

/* NetworkManager deleted the tuned route; its plain twin, which it forgot, stays first. */
static void
test_orphaned_twin(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    g_ptr_array_set_size(world->routes, 0);
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    add_route(world, DHCP "via 192.0.2.2 dev 3 metric 100");
    run(world, true);
    assert_int_equal(world->routes->len, 1);
    assert_int_equal(last_byte_of_gateway(world, 0), 2);
}

static void
test_no_orphans_among_others(void **state)
{
    World *world = *state;

    world->facts->regime = TT_NM_ANNOUNCING;
    /* Two routers of one lease; another device; another table; another protocol. */
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    add_route(world, DHCP "via 192.0.2.2 dev 3 metric 101");
    add_route(world, DHCP "via 192.0.2.3 dev 4 metric 100");
    add_route(world, DHCP "via 192.0.2.4 dev 3 metric 100 table 77");
    add_route(world, "inet default via 192.0.2.5 dev 3 metric 100");
    run(world, false);
    assert_int_equal(world->routes->len, 5);
    assert_int_equal(run(world, false), 0);
    /* Never touched by us: not ours to take away, however odd. */
    tt_journal_free(world->journal);
    world->journal = tt_journal_new();
    add_route(world, DHCP "via 192.0.2.9 dev 3 metric 100");
    run(world, false);
    assert_int_equal(world->routes->len, 6);
}

static void
test_learned(void **state)
{
    World *world = *state;

    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    /* A source address: 1.40 or later, and nothing says that it announces renewals. */
    assert_int_equal(only_left(world), TT_LEFT_NEEDS_MONITOR);
    world->facts->monitor_running = true;
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
    /* The monitor is gone: what it held is given back. */
    world->facts->monitor_running = false;
    run(world, false);
    assert_route(world, 0, "");
    assert_int_equal(only_left(world), TT_LEFT_NEEDS_MONITOR);
    set_policy(world, "[main]\nlearned=always\n[route]\nrto_min=8\n");
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms");
    set_policy(world, "[main]\nlearned=never\n[route]\nrto_min=8\n");
    run(world, false);
    assert_int_equal(only_left(world), TT_LEFT_NEVER);
}

static void
test_learned_by_regime(void **state)
{
    World *world = *state;

    set_policy(world, "[route-x]\nprotocol=any\nrto_min=8\n");
    add_route(world, DHCP "via 192.0.2.1 dev 3 metric 100");
    add_route(world, "inet6 default via fe80::1 dev 3 proto 9");
    world->facts->regime = TT_NM_SILENT;
    assert_int_equal(run(world, false), 0);
    world->facts->regime = TT_NM_ANNOUNCING;
    assert_int_equal(run(world, false), 1);
    world->facts->regime = TT_NM_OLD;
    assert_int_equal(run(world, false), 1);
    world->facts->regime = TT_NM_ABSENT;
    assert_int_equal(run(world, false), 0);
}

/* Without a source address a DHCP default comes from before 1.40. */
static void
test_old_regime_by_evidence(void **state)
{
    World *world = *state;

    add_route(world, "inet default proto 16 via 192.0.2.1 dev 3 metric 100");
    run(world, false);
    assert_route(world, 0, "rto_min lock 8ms quickack 1");
}

static void
test_kernel_ra(void **state)
{
    World *world = *state;

    set_policy(world, "[route-x]\nprotocol=ra\nrto_min=8\n");
    world->facts->monitor_running = true;
    add_route(world, "inet6 default via fe80::1 dev 3 proto 9 expires 30");
    assert_int_equal(only_left(world), TT_LEFT_KERNEL_RA);
}

static void
test_partial(void **state)
{
    World *world = *state;

    set_policy(world, "[route-x]\nmatch-device=interface-name:eth0\nrto_min=8\n");
    add_route(world, "inet default nexthop via 192.0.2.1 dev 3 nexthop via 198.51.100.1 dev 4");
    assert_int_equal(only_left(world), TT_LEFT_PARTIAL);
}

static void
free_hops(gpointer data)
{
    TtHopMetrics *hops = data;

    g_free(hops->metrics);
    g_free(hops);
}

static void
set_hops(World *world, const char *first, const char *second, bool complete)
{
    TtHopMetrics *hops = g_new0(TtHopMetrics, 1);
    const char *texts[] = {first, second};

    hops->n = 2;
    hops->complete = complete;
    hops->uniform = true;
    hops->metrics = g_new0(TtMetrics, 2);
    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = g_strconcat("inet6 default dev 3 ", texts[i], NULL);
        g_autoptr(TtRoute) route = route_from_text(text);

        hops->metrics[i] = route->metrics;
    }
    if (!world->hops)
        world->hops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_hops);
    g_hash_table_replace(world->hops, tt_route_identity(world->routes->pdata[0]), hops);
}

static gboolean
any(gpointer key, gpointer value, gpointer unused)
{
    return TRUE;
}

static guint
count_edits(World *world)
{
    g_autoptr(TtPlan) plan = build(world);

    return plan->edits->len;
}

static void
test_inet6_hops(void **state)
{
    World *world = *state;

    set_policy(world, "[route]\nrto_min=8\n");
    add_route(world, "inet6 default metric 9 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 3");
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
    add_route(world,
              "inet6 default metric 9 rto_min 8 lock 13 nexthop via fe80::1 dev 3 nexthop via "
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

    add_route(world, "inet6 default metric 9 nhid 1 via fe80::1 dev 3");
    add_route(world, "inet6 default metric 9 nhid 2 via fe80::2 dev 3");
    plan = build(world);
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

    add_route(world, "inet default via 198.51.100.1 dev 4");
    add_route(world, "inet default via 192.0.2.1 dev 3 src 192.0.2.7 rto_min 8 lock 13 quickack 1");
    add_route(world, "inet default via 192.0.2.1 dev 3 rto_min 8 lock 13 quickack 1");
    set_policy(world, "[route]\nmtu=1400\n");
    world->ifindex = 3;
    plan = build(world);
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

    add_route(world, "inet default via 192.0.2.1 dev 3 metric 100");
    add_route(world, "inet default via 192.0.2.1 dev 3 metric 200");
    run(world, false);
    assert_int_equal(tt_journal_size(world->journal), 2);
    g_ptr_array_set_size(world->routes, 1);
    run(world, false);
    assert_int_equal(tt_journal_size(world->journal), 1);
}

/*
 * Any table, any policy: I1 at every step, the target reached, nothing left to do, and all undone.
 */

static char *
random_route(GRand *rand)
{
    static const char *const metrics[] = {"",           "",
                                          " mtu 1400",  " rto_min 8 lock 13 quickack 1",
                                          " rto_min 8", " quickack 1 initcwnd 20",
                                          " ssthresh 9"};
    int dev = g_rand_int_range(rand, 3, 5);
    int host = g_rand_int_range(rand, 1, 4);

    return g_strdup_printf("inet default via %s.%d dev %d metric %d%s%s",
                           dev == 3 ? "192.0.2" : "198.51.100", host, dev,
                           g_rand_int_range(rand, 1, 3) * 100,
                           g_rand_int_range(rand, 0, 4) == 0 ? " src 192.0.2.7" : "",
                           metrics[g_rand_int_range(rand, 0, G_N_ELEMENTS(metrics))]);
}

static bool
is_copy_of_one(const World *world, const TtRoute *route, bool whatever_metrics)
{
    for (guint i = 0; i < world->routes->len; i++) {
        const TtRoute *other = world->routes->pdata[i];

        if (tt_route_same_identity(other, route)
            && (whatever_metrics || tt_metrics_equal(&other->metrics, &route->metrics)))
            return true;
    }
    return false;
}

static void
fill_randomly(World *world, GRand *rand, bool twins)
{
    guint n = (guint) g_rand_int_range(rand, 1, 7);

    g_ptr_array_set_size(world->routes, 0);
    while (n-- > 0) {
        g_autofree char *text = random_route(rand);
        g_autoptr(TtRoute) route = route_from_text(text);

        if (!is_copy_of_one(world, route, !twins))
            g_ptr_array_add(world->routes, g_steal_pointer(&route));
    }
}

/* In whatever order: a route of another key may have moved past. */
static bool
same_lines(const char *a, const char *b)
{
    g_auto(GStrv) lines = g_strsplit(a, "\n", -1);

    for (char **line = lines; *line; line++) {
        g_autofree char *whole = g_strconcat(*line, "\n", NULL);

        if (**line && !strstr(b, whole))
            return false;
    }
    return strlen(a) == strlen(b);
}

/* As core/apply does: plan and write until there is nothing left to do. */
static void
converge(World *world, guint32 seed)
{
    for (guint rounds = 0; run(world, false) != 0; rounds++) {
        if (rounds == 3)
            fail_msg("seed %u: never done", seed);
    }
}

/* Routes that differ in nothing but having a source cannot always be told apart in a delete: then
 * the later one stays as it is, and that is said. */
static void
assert_only_shadowed(World *world, guint32 seed)
{
    g_autoptr(TtPlan) plan = build(world);
    g_autoptr(GHashTable) shadowed = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        if (item->left == TT_LEFT_SHADOWED)
            g_hash_table_add(shadowed, item->identity);
    }
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        if (item->since && !g_hash_table_contains(shadowed, item->identity))
            fail_msg("seed %u: not all is undone", seed);
    }
}

static void
test_random_tables(void **state)
{
    World *world = *state;
    static const char *const policies[] = {
        "[route]\nrto_min=8\nquickack=yes\n",
        "[route]\nrto_min=none\n[route-a]\nmatch-device=interface-name:eth1\nrto_min=8\n",
        "[route]\nrto_min=none\n[route-a]\ngateway=192.0.2.2\nrto_min=8\ninitcwnd=30\n",
        "[route]\nmtu=1400\nlock=mtu\nquickack=no\n",
        NULL,
    };

    for (guint32 seed = 0; seed < 3000; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        bool twins = seed % 2 == 0;
        g_autofree char *before = NULL;
        g_autofree char *after = NULL;

        tt_journal_free(world->journal);
        world->journal = tt_journal_new();
        fill_randomly(world, rand, twins);
        before = table_text(world->routes);
        for (guint i = 0; i < 4; i++) {
            guint choice = (guint) g_rand_int_range(rand, 0, G_N_ELEMENTS(policies));

            set_policy(world, policies[choice]);
            world->ifindex = g_rand_int_range(rand, 0, 3) ? 0 : g_rand_int_range(rand, 3, 5);
            if (g_rand_boolean(rand))
                run_killed(world, rand);
            else
                converge(world, seed);
        }
        world->ifindex = 0;
        set_policy(world, NULL);
        converge(world, seed);
        if (tt_journal_size(world->journal) != 0) {
            assert_only_shadowed(world, seed);
            continue;
        }
        after = table_text(world->routes);
        if (!twins && !same_lines(before, after))
            fail_msg("seed %u: before\n%safter\n%s", seed, before, after);
    }
}

#define with_world(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

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
        with_world(test_random_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
