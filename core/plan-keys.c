/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which routes share a key. Nearly every key has one route, and there may be many thousands: hence
 * chains through the list of routes, and one group that is filled with each of them in turn.
 */
#include "plan-internal.h"

typedef struct {
    guint first; /* indices of routes */
    guint last;
    bool open;
} Chain;

struct TtPlanKeys {
    const GPtrArray *routes;
    TtPlanItem *const *item_of;
    guint *next;      /* of each route: the next one of its key; 0: it is the last */
    Chain *chains;    /* room for one by each route */
    GPtrArray *order; /* the open ones (not owned), in the order of the routes */
    TtPlanGroup group;
};

/* Of a key with several items, any of their chains will do. *out_apart: no two share a key. */
static GHashTable *
find_keys(TtPlanKeys *keys, bool *out_apart)
{
    GHashTable *chain_of = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);

    *out_apart = true;
    for (guint i = 0; i < keys->routes->len; i++) {
        if (keys->item_of[i])
            *out_apart &= g_hash_table_insert(chain_of, keys->routes->pdata[i], &keys->chains[i]);
    }
    return chain_of;
}

static void
add_route(TtPlanKeys *keys, Chain *chain, guint i)
{
    if (chain->open)
        keys->next[chain->last] = i;
    else
        g_ptr_array_add(keys->order, chain);
    if (!chain->open)
        chain->first = i;
    chain->last = i;
    chain->open = true;
}

TtPlanKeys *
tt_plan_keys_new(const GPtrArray *routes, TtPlanItem *const *item_of)
{
    TtPlanKeys *keys = g_new(TtPlanKeys, 1);
    g_autoptr(GHashTable) chain_of = NULL;
    bool apart;

    *keys = (TtPlanKeys){
        .routes = routes,
        .item_of = item_of,
        .next = g_new0(guint, routes->len),
        .chains = g_new0(Chain, routes->len),
        .order = g_ptr_array_new(),
        .group = {g_ptr_array_new(), g_ptr_array_new()},
    };
    chain_of = find_keys(keys, &apart);
    for (guint i = 0; i < routes->len; i++) {
        Chain *chain = apart && item_of[i] ? &keys->chains[i]
                                           : g_hash_table_lookup(chain_of, routes->pdata[i]);

        if (chain)
            add_route(keys, chain, i);
    }
    return keys;
}

void
tt_plan_keys_free(TtPlanKeys *keys)
{
    if (!keys)
        return;
    g_free(keys->next);
    g_free(keys->chains);
    g_ptr_array_unref(keys->order);
    g_ptr_array_unref(keys->group.routes);
    g_ptr_array_unref(keys->group.items);
    g_free(keys);
}

guint
tt_plan_keys_count(const TtPlanKeys *keys)
{
    return keys->order->len;
}

TtPlanGroup *
tt_plan_keys_group(TtPlanKeys *keys, guint n)
{
    const Chain *chain = keys->order->pdata[n];
    guint i = chain->first;

    g_ptr_array_set_size(keys->group.routes, 0);
    g_ptr_array_set_size(keys->group.items, 0);
    do {
        g_ptr_array_add(keys->group.routes, keys->routes->pdata[i]);
        g_ptr_array_add(keys->group.items, keys->item_of[i]);
        i = keys->next[i];
    } while (i);
    return &keys->group;
}
