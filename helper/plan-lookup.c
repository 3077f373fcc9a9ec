/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-lookup.h"

const TtPlanItem *
tt_plan_lookup(const TtPlan *plan, const TtRoute *route)
{
    TtIdentity identity = tt_identity_of(route);
    const TtPlanItem *found = NULL;

    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);

        if (!tt_identity_equal(&item->identity, &identity))
            continue;
        if (tt_metrics_equal(&item->route->metrics, &route->metrics))
            return item;
        if (!found)
            found = item;
    }
    return found;
}
