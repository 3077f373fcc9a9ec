/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which routes share a key. Nearly every key has one route, and there may be many thousands: all
 * groups are slices of two arrays. */
#include "plan-internal.h"

struct TtPlanKeys {
    TtPlanGroup *groups; /* room for one by each route */
    GPtrArray *order;    /* those that are used (not owned), in the order of the routes */
    const TtRoute **routes;
    TtPlanItem **items;
};

/* By key, the group of one of its items. *out_apart: no two items share a key. */
static GHashTable *
find_keys(TtPlanKeys *keys, const GPtrArray *routes, TtPlanItem *const *item_of, bool *out_apart)
{
    GHashTable *group_by_key = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);

    *out_apart = true;
    for (guint i = 0; i < routes->len; i++) {
        if (item_of[i])
            *out_apart &= g_hash_table_insert(group_by_key, routes->pdata[i], &keys->groups[i]);
    }
    return group_by_key;
}

/* Counts the routes of each group. Returns the group of each route; NULL: no item has its key. */
static TtPlanGroup **
count(TtPlanKeys *keys, const GPtrArray *routes, TtPlanItem *const *item_of)
{
    TtPlanGroup **group_of = g_new(TtPlanGroup *, routes->len);
    bool apart;
    g_autoptr(GHashTable) group_by_key = find_keys(keys, routes, item_of, &apart);

    for (guint i = 0; i < routes->len; i++) {
        group_of[i] = apart && item_of[i] ? &keys->groups[i]
                                          : g_hash_table_lookup(group_by_key, routes->pdata[i]);
        if (group_of[i] && group_of[i]->n++ == 0)
            g_ptr_array_add(keys->order, group_of[i]);
    }
    return group_of;
}

static void
cut_slices(TtPlanKeys *keys)
{
    guint at = 0;

    for (guint i = 0; i < keys->order->len; i++) {
        TtPlanGroup *group = keys->order->pdata[i];

        group->routes = keys->routes + at;
        group->items = keys->items + at;
        at += group->n;
        group->n = 0;
    }
}

TtPlanKeys *
tt_plan_keys_new(const GPtrArray *routes, TtPlanItem *const *item_of)
{
    TtPlanKeys *keys = g_new(TtPlanKeys, 1);
    g_autofree TtPlanGroup **group_of = NULL;

    keys->groups = g_new0(TtPlanGroup, routes->len);
    keys->order = g_ptr_array_new();
    keys->routes = g_new(const TtRoute *, routes->len);
    keys->items = g_new(TtPlanItem *, routes->len);
    group_of = count(keys, routes, item_of);
    cut_slices(keys);
    for (guint i = 0; i < routes->len; i++) {
        TtPlanGroup *group = group_of[i];

        if (!group)
            continue;
        group->routes[group->n] = routes->pdata[i];
        group->items[group->n++] = item_of[i];
    }
    return keys;
}

void
tt_plan_keys_free(TtPlanKeys *keys)
{
    if (!keys)
        return;
    g_free(keys->groups);
    g_ptr_array_unref(keys->order);
    g_free(keys->routes);
    g_free(keys->items);
    g_free(keys);
}

guint
tt_plan_keys_count(const TtPlanKeys *keys)
{
    return keys->order->len;
}

TtPlanGroup *
tt_plan_keys_group(TtPlanKeys *keys, guint i)
{
    return keys->order->pdata[i];
}
