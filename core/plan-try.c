/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an edit would hit, by the kernel's rules: nothing is sent that would hit another route. */
#include "plan-internal.h"

#include <string.h>

/* Would the kernel take `candidate` for what a delete of `target` means? (fib_trie.c:
 * fib_table_delete, fib_nh_match, fib_metrics_match.) Where in doubt: yes. */
static bool
delete_could_hit(const TtRoute *target, guint32 absent, const TtRoute *candidate)
{
    const TtMetrics *wanted = &target->metrics, *has = &candidate->metrics;

    if (candidate->type != target->type || candidate->scope != target->scope
        || candidate->protocol != target->protocol || candidate->n_hops != target->n_hops
        || candidate->nh_id != target->nh_id
        || (target->has_prefsrc
            && (!candidate->has_prefsrc
                || target->prefsrc.v4.s_addr != candidate->prefsrc.v4.s_addr)))
        return false;
    for (guint i = 0; i < target->n_hops; i++) {
        if (candidate->hops[i].ifindex != target->hops[i].ifindex
            || !tt_address_equal(&candidate->hops[i].gateway, &target->hops[i].gateway))
            return false;
    }
    for (int rtax = RTAX_LOCK + 1; rtax < TT_METRICS_N; rtax++) {
        bool sent = tt_metrics_has(wanted, rtax) || (absent & TT_METRIC_BIT(rtax));

        if (sent && rtax != RTAX_CC_ALGO && wanted->value[rtax] != has->value[rtax])
            return false;
        if (rtax == RTAX_CC_ALGO && tt_metrics_has(wanted, rtax)
            && strcmp(wanted->congctl, has->congctl) != 0)
            return false;
    }
    return !(wanted->lock || (absent & TT_METRIC_BIT(RTAX_LOCK))) || wanted->lock == has->lock;
}

guint32
tt_plan_find_absent(const TtPlanGroup *group, const TtMetrics *also, const TtRoute *target)
{
    guint32 present = also ? also->present : 0;
    guint32 lock = also ? also->lock : 0;

    for (guint i = 0; i < group->n; i++) {
        present |= tt_plan_route_at(group, i)->metrics.present;
        lock |= tt_plan_route_at(group, i)->metrics.lock;
    }
    return (present & ~target->metrics.present) | (lock ? TT_METRIC_BIT(RTAX_LOCK) : 0);
}

bool
tt_plan_delete_is_exact(const TtPlanGroup *group, guint i, guint32 absent)
{
    for (guint k = 0; k < i; k++) {
        if (delete_could_hit(tt_plan_route_at(group, i), absent, tt_plan_route_at(group, k)))
            return false;
    }
    return true;
}

static bool
is_copy(const TtRoute *a, const TtRoute *b)
{
    return tt_metrics_equal(&a->metrics, &b->metrics) && tt_route_same_identity(a, b);
}

static bool
try_delete(GPtrArray *table, const TtEdit *edit)
{
    for (guint i = 0; i < table->len; i++) {
        if (!delete_could_hit(edit->route, edit->absent, table->pdata[i]))
            continue;
        if (!is_copy(edit->route, table->pdata[i]))
            return false;
        g_ptr_array_remove_index(table, i);
        return true;
    }
    return false;
}

static bool
try_edit(GPtrArray *table, const TtEdit *edit)
{
    if (edit->kind == TT_EDIT_DELETE)
        return try_delete(table, edit);
    for (guint i = 0; i < table->len; i++) {
        if (is_copy(table->pdata[i], edit->route))
            return false; /* EEXIST */
    }
    if (edit->kind == TT_EDIT_REPLACE)
        table->pdata[0] = edit->route;
    else
        g_ptr_array_add(table, edit->route);
    return true;
}

bool
tt_plan_would_work(const TtPlanGroup *group, const TtPlan *plan, guint first_edit)
{
    g_autoptr(GPtrArray) table = NULL;

    /* Alone, it can only hit itself. */
    if (group->n == 1)
        return true;
    table = g_ptr_array_new();
    for (guint i = 0; i < group->n; i++)
        g_ptr_array_add(table, (gpointer) group->routes[i]);
    for (guint i = first_edit; i < plan->edits->len; i++) {
        if (!try_edit(table, plan->edits->pdata[i]))
            return false;
    }
    return true;
}
