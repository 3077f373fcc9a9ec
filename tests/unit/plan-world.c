/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-world.h"

#include "kernel-model.h"
#include "route-text.h"
#include "tt-test.h"

static void
world_add_link(World *world, int ifindex, const char *name)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = ifindex;
    link->type = TT_LINK_ETHERNET;
    g_strlcpy(link->name, name, sizeof link->name);
    g_hash_table_insert(world->facts->links, GINT_TO_POINTER(ifindex), link);
}

void
world_set_policy(World *world, const char *text)
{
    g_autoptr(GError) error = NULL;

    g_clear_pointer(&world->policy, tt_policy_free);
    if (!text)
        return;
    world->policy = tt_policy_parse("test.conf", text, strlen(text), &error);
    assert_no_error(error);
}

void
world_add_route(World *world, const char *text)
{
    g_ptr_array_add(world->routes, route_from_text(text));
}

int
world_setup(void **state)
{
    World *world = g_new0(World, 1);

    world->routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);
    world->facts = tt_facts_new();
    world->journal = tt_journal_new();
    world_add_link(world, 3, "eth0");
    world_add_link(world, 4, "eth1");
    world_set_policy(world, "[route]\nrto_min=8\nquickack=yes\n");
    *state = world;
    return 0;
}

int
world_teardown(void **state)
{
    World *world = *state;

    g_ptr_array_unref(world->routes);
    tt_policy_free(world->policy);
    tt_journal_free(world->journal);
    tt_facts_free(world->facts);
    if (world->hops)
        g_hash_table_unref(world->hops);
    if (world->native)
        g_ptr_array_unref(world->native);
    g_free(world);
    return 0;
}

TtPlan *
world_build(World *world)
{
    TtPlanInput input = {
        .policy = world->policy,
        .routes = world->routes,
        .hops = world->hops,
        .facts = world->facts,
        .journal = world->journal,
        .native = world->native,
        .ifindex = world->ifindex,
        .spare_twins = world->spare_twins,
        .orphans_only = world->orphans_only,
        .now = 1000,
    };

    return tt_plan_build(&input);
}

static GPtrArray *
world_copy_routes(const GPtrArray *routes)
{
    GPtrArray *copy = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    for (guint i = 0; i < routes->len; i++)
        g_ptr_array_add(copy, tt_route_copy(routes->pdata[i]));
    return copy;
}

/* Plans, carries out the first edits on the model, and checks I1 after each. */
static void
world_carry_out(World *world, const TtPlan *plan, guint n_edits, bool routes_may_go)
{
    g_autoptr(GPtrArray) table = world_copy_routes(world->routes);
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

guint
world_run(World *world, bool routes_may_go)
{
    g_autoptr(TtPlan) plan = world_build(world);

    world_carry_out(world, plan, plan->edits->len, routes_may_go);
    tt_plan_note_done(plan, world->journal);
    return plan->edits->len;
}

void
world_run_killed(World *world, GRand *rand)
{
    g_autoptr(TtPlan) plan = world_build(world);
    guint n_edits =
        plan->edits->len ? (guint) g_rand_int_range(rand, 0, (gint) plan->edits->len) : 0;

    world_carry_out(world, plan, n_edits, false);
    tt_plan_note_intent(plan, world->journal);
}

char *
world_table_text(const GPtrArray *routes)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < routes->len; i++) {
        g_autofree char *line = tt_route_format(routes->pdata[i], true);

        g_string_append_printf(text, "%s\n", line);
    }
    return g_string_free(text, FALSE);
}
