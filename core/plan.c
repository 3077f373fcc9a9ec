/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-internal.h"

static const char *const left_texts[_TT_LEFT_N] = {
    [TT_LEFT_NONE] = "",
    [TT_LEFT_PARTIAL] = "a section matches only some of its next hops",
    [TT_LEFT_KERNEL_RA] = "the kernel keeps it from router advertisements",
    [TT_LEFT_NEEDS_MONITOR] = ("needs monitor: learned, and this NetworkManager may change it "
                               "without an event"),
    [TT_LEFT_NEVER] = "learned, and the policy says learned=never",
    [TT_LEFT_HOPS] = "its next hops carry metrics or attributes of their own",
    [TT_LEFT_HOPS_UNREAD] = "no look-up reaches all of its next hops: one may be dead",
    [TT_LEFT_FIGHT] = "something keeps undoing it; tried again later",
    [TT_LEFT_STALE] = ("its profile does not want this gateway any more; the next apply takes it "
                       "out of the profile"),
    [TT_LEFT_SHADOWED] = "an edit would hit another route of the same prefix and metric",
};

static const char *const left_names[_TT_LEFT_N] = {
    [TT_LEFT_NONE] = "",
    [TT_LEFT_PARTIAL] = "some-hops",
    [TT_LEFT_KERNEL_RA] = "kernel-ra",
    [TT_LEFT_NEEDS_MONITOR] = "needs-monitor",
    [TT_LEFT_NEVER] = "learned-never",
    [TT_LEFT_HOPS] = "hop-metrics",
    [TT_LEFT_HOPS_UNREAD] = "hops-unread",
    [TT_LEFT_FIGHT] = "fight",
    [TT_LEFT_STALE] = "stale",
    [TT_LEFT_SHADOWED] = "shadowed",
};

const char *
tt_left_text(TtLeft left)
{
    return left_texts[left];
}

const char *
tt_left_name(TtLeft left)
{
    return left_names[left];
}

static void
item_free(gpointer data)
{
    TtPlanItem *item = data;

    tt_route_free(item->merged);
    g_free(item);
}

static void
edit_free(gpointer data)
{
    TtEdit *edit = data;

    tt_route_free(edit->route);
    g_free(edit);
}

void
tt_plan_free(TtPlan *plan)
{
    if (!plan)
        return;
    g_ptr_array_unref(plan->items);
    g_ptr_array_unref(plan->edits);
    g_ptr_array_unref(plan->routes);
    if (plan->seen)
        g_array_unref(plan->seen);
    tt_facts_free(plan->facts);
    g_free(plan);
}

typedef struct {
    const TtPlanInput *input;
    TtPlan *plan;
    TtNmRegime regime;
    GHashTable *marked; /* TtRoute, by key: a killed run left a mark among these */
    GHashTable *native; /* tt_plan_native_index() */
} Build;

static bool
is_marked(const Build *build, const TtRoute *route)
{
    return g_hash_table_size(build->marked) > 0 && g_hash_table_contains(build->marked, route);
}

static bool
is_of_interest(const Build *build, const TtWanted *wanted, const TtRoute *route, bool touched)
{
    return build->input->with_unmatched || tt_wanted_any(wanted)
           || wanted->match == TT_MATCH_PARTIAL || is_marked(build, route)
           || touched
           /* Whether or not the policy wants it: a tuned one may be its orphan. */
           || (build->plan->seen && tt_plan_is_dhcp_default(route));
}

/* Makes an item of a route, if the policy or the journal has a say in it. */
static TtPlanItem *
look_at(Build *build, const TtRoute *route)
{
    const TtPlanInput *input = build->input;
    bool in_scope;
    guint stale = tt_plan_stale(input, route);
    const TtNativeRoute *native = tt_plan_native_find(build->native, route);
    TtIdentity identity = {0};
    bool touched = false;
    TtWanted wanted = {0};
    TtPlanItem *item;

    if (build->plan->seen) {
        identity = tt_identity_of(route);
        touched = tt_journal_get(input->journal, &identity) != NULL;
        if (touched)
            g_array_append_val(build->plan->seen, identity);
    }
    /* What makes it stale may be a default that comes on another device. */
    in_scope = stale || input->ifindex == 0 || tt_route_uses_device(route, input->ifindex);
    if (input->tidy_only || (!in_scope && !is_marked(build, route)))
        return NULL;
    if (input->policy && in_scope && !input->orphans_only)
        tt_match_route(input->policy, route, input->facts, &wanted);
    if (!native && !stale && !is_of_interest(build, &wanted, route, touched))
        return NULL;
    item = g_new0(TtPlanItem, 1);
    item->route = route;
    item->identity = build->plan->seen ? identity : tt_identity_of(route);
    item->wanted = wanted;
    if (input->orphans_only)
        item->target = route->metrics;
    else
        tt_plan_target(input, build->regime, native, item);
    item->leaving_hop = -1;
    item->stale = stale;
    if (stale)
        tt_plan_judge_stale(input, route, item);
    g_ptr_array_add(build->plan->items, item);
    return item;
}

static void
find_marked(Build *build)
{
    for (guint i = 0; i < build->input->routes->len; i++) {
        TtRoute *route = build->input->routes->pdata[i];

        if (tt_plan_is_marked(&route->metrics))
            g_hash_table_add(build->marked, route);
    }
}

static void
plan_edits(Build *build, TtPlanKeys *keys)
{
    guint n_keys = tt_plan_keys_count(keys);

    for (guint i = 0; i < n_keys; i++)
        tt_plan_group_twins(tt_plan_keys_group(keys, i), build->input, build->plan);
    tt_plan_orphans(build->input, build->plan->items);
    for (guint i = 0; i < build->plan->items->len; i++)
        tt_plan_delete_hop(build->plan->items->pdata[i], build->plan);
    /* What leaves goes first, so that a route that it hid is the first of its key. */
    for (guint i = 0; i < n_keys; i++)
        tt_plan_group_deletes(tt_plan_keys_group(keys, i), build->plan);
    for (guint i = 0; i < n_keys; i++)
        tt_plan_group_changes(tt_plan_keys_group(keys, i), build->plan);
}

TtPlan *
tt_plan_build(const TtPlanInput *input)
{
    g_autofree TtPlanItem **item_of = g_new(TtPlanItem *, input->routes->len);
    g_autoptr(TtPlanKeys) keys = NULL;
    g_autoptr(GHashTable) marked = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);
    g_autoptr(GHashTable) native = tt_plan_native_index(input->native);
    Build build = {
        .input = input,
        .plan = g_new0(TtPlan, 1),
        .regime = tt_plan_regime(input),
        .marked = marked,
        .native = native,
    };

    build.plan->now = input->now;
    if (tt_journal_size(input->journal) > 0)
        build.plan->seen = g_array_new(FALSE, FALSE, sizeof(TtIdentity));
    build.plan->items = g_ptr_array_new_with_free_func(item_free);
    build.plan->edits = g_ptr_array_new_with_free_func(edit_free);
    build.plan->routes = g_ptr_array_ref(input->routes);
    find_marked(&build);
    for (guint i = 0; i < input->routes->len; i++)
        item_of[i] = look_at(&build, input->routes->pdata[i]);
    keys = tt_plan_keys_new(input->routes, item_of);
    plan_edits(&build, keys);
    return build.plan;
}
