/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the plan only. */
#pragma once

#include "plan.h"

/*
 * Put into a route's metrics while it is moved behind another of its key: two copies of a route
 * that are equal in everything cannot stand side by side. 0x7fffffff is what the kernel itself
 * calls an infinite ssthresh, and since 5.6 the metric is not even read by default; a route that
 * has an ssthresh of its own gets the mark as reordering, which only ever acts through the
 * tcp_metrics cache. The values just below serve where a killed run left the first.
 */
#define TT_MARK_MAX 0x7fffffffu
#define TT_MARK_MIN 0x7ffffff0u

bool tt_plan_is_marked(const TtMetrics *metrics);
void tt_plan_clear_mark(TtMetrics *metrics);
/* False: the route has values of its own in both. */
bool tt_plan_set_mark(TtMetrics *metrics, guint32 mark);
bool tt_plan_has_mark(const TtMetrics *metrics, guint32 mark);

/* plan-native: by all that tells the routes apart; NULL: there are none. Borrows them. */
GHashTable *tt_plan_native_index(const GPtrArray *natives);
/* NULL: none counts for this route. */
const TtNativeRoute *tt_plan_native_find(GHashTable *index, const TtRoute *route);
/* False, and the target as it was: what the metric goes back to is not for `native` to say. */
bool tt_plan_native_undo(const TtNativeRoute *native,
                         const TtMetrics *now,
                         const TtJournalEntry *entry,
                         int rtax,
                         TtMetrics *target);

/* plan-target: what the metrics of one route shall be; fills all of item but route, identity and
 * wanted. `native` may be NULL. */
void tt_plan_target(const TtPlanInput *input,
                    TtNmRegime regime,
                    const TtNativeRoute *native,
                    TtPlanItem *item);

/* Left as it is, even if we wrote to it earlier. */
bool tt_plan_is_untouchable(TtLeft left);

/* plan-learned: what NetworkManager learned and may take back. */
TtNmRegime tt_plan_regime(const TtPlanInput *input);
TtLeft tt_plan_learned(const TtPlanInput *input, TtNmRegime regime, const TtRoute *route);
/* IPv4, by DHCP, one next hop: what can be an orphan, or make one. */
bool tt_plan_is_dhcp_default(const TtRoute *route);
/* Finds the orphans among the items and marks them. */
void tt_plan_orphans(const TtPlanInput *input, GPtrArray *items);

/* plan-stale: TT_STALE_* of the profile whose moved gateway this is; 0: it is none, or as it was.
 */
guint tt_plan_stale(const TtPlanInput *input, const TtRoute *route);
/* Shall it go? `route` is the item's own, as it is in the input. */
void tt_plan_judge_stale(const TtPlanInput *input, const TtRoute *route, TtPlanItem *item);

/* plan-group: the edits for the routes of one key. */
typedef struct {
    guint n;
    const TtRoute **routes; /* in the kernel's order */
    TtPlanItem **items;     /* of each; NULL: not ours to touch */
} TtPlanGroup;

static inline const TtRoute *
tt_plan_route_at(const TtPlanGroup *group, guint i)
{
    return group->routes[i];
}

static inline TtPlanItem *
tt_plan_item_at(const TtPlanGroup *group, guint i)
{
    return group->items[i];
}

/* plan-keys: the routes of the input by key, as far as any of the key is an item. `item_of` has for
 * each route its item, NULL: none. (transfer full) */
typedef struct TtPlanKeys TtPlanKeys;
TtPlanKeys *tt_plan_keys_new(const GPtrArray *routes, TtPlanItem *const *item_of);
void tt_plan_keys_free(TtPlanKeys *keys);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtPlanKeys, tt_plan_keys_free)
guint tt_plan_keys_count(const TtPlanKeys *keys);
TtPlanGroup *tt_plan_keys_group(TtPlanKeys *keys, guint i);

/* plan-twins: marks twins. To be called before any edit of the group is planned. */
void tt_plan_group_twins(TtPlanGroup *group, const TtPlanInput *input, TtPlan *plan);

/* plan-group: deletes of twins, of orphans, of what is stale. */
void tt_plan_group_deletes(TtPlanGroup *group, TtPlan *plan);
/* All others, once nothing that leaves is left in the group. */
void tt_plan_group_changes(TtPlanGroup *group, TtPlan *plan);

/* One hop of an IPv6 route, which the kernel deletes alone. */
void tt_plan_delete_hop(const TtPlanItem *item, TtPlan *plan);

/* An edit of it would hit another route: it is left alone. */
void tt_plan_mark_shadowed(TtPlanItem *item);

/* plan-try: what the kernel would do. */

/* Every metric that some route of the key, or `also`, has and this one lacks. */
guint32 tt_plan_find_absent(const TtPlanGroup *group, const TtMetrics *also, const TtRoute *target);
/* True if a delete of the route at `i` hits that one and no other before it. */
bool tt_plan_delete_is_exact(const TtPlanGroup *group, guint i, guint32 absent);
/* True if every edit of the plan from `first_edit` on would do what it means to. */
bool tt_plan_would_work(const TtPlanGroup *group, const TtPlan *plan, guint first_edit);

static inline bool
tt_plan_item_changes(const TtPlanItem *item)
{
    return item && !item->leaves && !tt_metrics_equal(&item->target, &item->route->metrics);
}
