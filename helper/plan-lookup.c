/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-lookup.h"

const TtPlanItem *
tt_plan_lookup(const TtPlan *plan, const TtRoute *route)
{
    g_autofree char *identity = tt_route_identity(route);
    const TtPlanItem *found = NULL;

    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);
        g_autofree char *other = NULL;

        if (!tt_route_same_key(item->route, route))
            continue;
        other = tt_route_identity(item->route);
        if (!g_str_equal(identity, other))
            continue;
        if (tt_metrics_equal(&item->route->metrics, &route->metrics))
            return item;
        if (!found)
            found = item;
    }
    return found;
}
