/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits for the routes of one key, so that at every instant every look-up finds what it found
 * before (I1). IPv4: NLM_F_REPLACE hits the first of the key whatever it is; all others are
 * appended anew and the old ones deleted behind it. IPv6: one replace of the whole route.
 */
#include "plan-internal.h"
#include "rtnl-codec.h"

#include <string.h>

static void
remove_at(TtPlanGroup *group, guint i)
{
    group->n--;
    memmove(group->routes + i, group->routes + i + 1, (group->n - i) * sizeof *group->routes);
    memmove(group->items + i, group->items + i + 1, (group->n - i) * sizeof *group->items);
}

void
tt_plan_mark_shadowed(TtPlanItem *item)
{
    item->left = TT_LEFT_SHADOWED;
    item->state = TT_STATE_LEFT;
    item->target = item->route->metrics;
    item->leaves = false;
}

/*
 * Single edits.
 */

static TtEdit *
add_edit(TtPlan *plan, TtEditKind kind, TtReason reason, const TtRoute *route, guint step)
{
    TtEdit *edit = g_new0(TtEdit, 1);

    edit->kind = kind;
    edit->reason = reason;
    edit->route = tt_route_copy(route);
    edit->before = route->metrics;
    edit->step = step;
    edit->pair = -1;
    g_ptr_array_add(plan->edits, edit);
    return edit;
}

static guint
next_step(const TtPlan *plan)
{
    const TtEdit *last = plan->edits->len ? plan->edits->pdata[plan->edits->len - 1] : NULL;

    return last ? last->step + 1 : 0;
}

void
tt_plan_group_deletes(TtPlanGroup *group, TtPlan *plan)
{
    for (guint i = 0; i < group->n;) {
        TtPlanItem *item = tt_plan_item_at(group, i);
        guint32 absent;
        TtEdit *edit;

        if (!item || !item->leaves) {
            i++;
            continue;
        }
        absent = tt_plan_find_absent(group, NULL, tt_plan_route_at(group, i));
        if (!tt_plan_delete_is_exact(group, i, absent)) {
            tt_plan_mark_shadowed(item);
            i++;
            continue;
        }
        edit = add_edit(plan, TT_EDIT_DELETE, item->reason, tt_plan_route_at(group, i),
                        next_step(plan));
        edit->absent = absent;
        edit->stale = item->stale;
        remove_at(group, i);
    }
}

void
tt_plan_delete_hop(const TtPlanItem *item, TtPlan *plan)
{
    g_autoptr(TtRoute) hop = NULL;

    if (item->leaving_hop < 0)
        return;
    hop = tt_rtnl_make_hop_route(item->route, (guint) item->leaving_hop, RTPROT_STATIC);
    add_edit(plan, TT_EDIT_DELETE, item->reason, hop, next_step(plan))->stale = item->stale;
}

static void
replace(const TtPlanItem *item, TtPlan *plan)
{
    TtEdit *edit = add_edit(plan, TT_EDIT_REPLACE, item->reason, item->route, next_step(plan));

    edit->route->metrics = item->target;
}

/*
 * IPv4: behind the first.
 */

typedef struct {
    TtPlanGroup *group;
    TtPlan *plan;
    guint from; /* the first of the routes that are appended anew */
    guint step;
    guint32 mark;
    guint first_append; /* index of the edit that appended the route at `from` */
} Move;

static TtMetrics
final_metrics(const TtPlanGroup *group, guint i)
{
    return tt_plan_item_at(group, i) ? tt_plan_item_at(group, i)->target
                                     : tt_plan_route_at(group, i)->metrics;
}

static void
append_one(Move *move, guint i, const TtMetrics *metrics)
{
    const TtPlanItem *item = tt_plan_item_at(move->group, i);
    TtEdit *edit = add_edit(move->plan, TT_EDIT_APPEND,
                            tt_plan_item_changes(item) ? item->reason : TT_REASON_ORDER,
                            tt_plan_route_at(move->group, i), move->step);

    edit->route->metrics = *metrics;
}

static void
delete_one(Move *move, guint i, const TtMetrics *metrics, guint32 absent)
{
    const TtPlanItem *item = tt_plan_item_at(move->group, i);
    TtEdit *edit = add_edit(move->plan, TT_EDIT_DELETE,
                            tt_plan_item_changes(item) ? item->reason : TT_REASON_ORDER,
                            tt_plan_route_at(move->group, i), move->step);

    edit->route->metrics = *metrics;
    edit->absent = absent;
    edit->pair = (int) (move->first_append + (i - move->from));
}

static bool
group_has_mark(const TtPlanGroup *group, guint32 mark)
{
    for (guint i = 0; i < group->n; i++) {
        if (tt_plan_has_mark(&tt_plan_route_at(group, i)->metrics, mark))
            return true;
    }
    return false;
}

/* One that no route of the key has. */
static guint32
find_mark(const TtPlanGroup *group)
{
    guint32 mark = TT_MARK_MAX;

    while (mark > TT_MARK_MIN && group_has_mark(group, mark))
        mark--;
    return mark;
}

static TtMetrics
marked(const Move *move, TtMetrics metrics)
{
    tt_plan_set_mark(&metrics, move->mark);
    return metrics;
}

/* Appends all from `from` on in their order, then deletes the old ones from behind. Whatever
 * the instant, a look-up that starts at the front meets them in the order in which they stood. */
static void
pass(Move *move, bool from_mark, bool to_mark)
{
    guint n = move->group->n;

    move->first_append = move->plan->edits->len;
    for (guint i = move->from; i < n; i++) {
        TtMetrics metrics = final_metrics(move->group, i);

        if (to_mark)
            metrics = marked(move, metrics);
        append_one(move, i, &metrics);
    }
    for (guint i = n; i-- > move->from;) {
        TtMetrics old = tt_plan_route_at(move->group, i)->metrics;
        TtMetrics new = final_metrics(move->group, i);
        TtRoute target = *tt_plan_route_at(move->group, i);

        if (from_mark)
            old = marked(move, new);
        else if (to_mark)
            new = marked(move, new);
        target.metrics = old;
        delete_one(move, i, &old, tt_plan_find_absent(move->group, &new, &target));
    }
}

/* Not the first of its key: all from the first change on are appended anew. Those that do not
 * change would be refused as copies of themselves, hence the detour over a mark. */
static void
move_behind(TtPlanGroup *group, TtPlan *plan, guint from)
{
    Move move = {.group = group, .plan = plan, .from = from, .step = next_step(plan)};
    bool all_change = true;

    move.mark = find_mark(group);
    for (guint i = from; i < group->n; i++)
        all_change &= tt_plan_item_changes(tt_plan_item_at(group, i));
    if (all_change) {
        pass(&move, false, false);
    } else {
        pass(&move, false, true);
        pass(&move, true, false);
    }
}

static void
plan_inet(TtPlanGroup *group, TtPlan *plan)
{
    if (tt_plan_item_changes(tt_plan_item_at(group, 0)))
        replace(tt_plan_item_at(group, 0), plan);
    for (guint i = 1; i < group->n; i++) {
        if (tt_plan_item_changes(tt_plan_item_at(group, i))) {
            move_behind(group, plan, i);
            return;
        }
    }
}

/* What cannot be done without hitting another route is not done: those behind the first are
 * given up before the first itself is. */
static void
changes_inet(TtPlanGroup *group, TtPlan *plan)
{
    guint first_edit = plan->edits->len;

    for (guint keep = 1;; keep--) {
        plan_inet(group, plan);
        if (tt_plan_would_work(group, plan, first_edit))
            return;
        g_ptr_array_set_size(plan->edits, (gint) first_edit);
        for (guint i = keep; i < group->n; i++) {
            if (tt_plan_item_changes(tt_plan_item_at(group, i)))
                tt_plan_mark_shadowed(tt_plan_item_at(group, i));
        }
        if (keep == 0)
            return;
    }
}

/* The kernel's replace takes the first route of the same metric and the same capability for
 * ECMP, else the first of the same metric (ip6_fib.c: fib6_add_rt2node). */
static void
changes_inet6(TtPlanGroup *group, TtPlan *plan)
{
    bool seen[2] = {false, false};

    for (guint i = 0; i < group->n; i++) {
        bool *hit = &seen[tt_route_is_ecmp_capable(tt_plan_route_at(group, i))];
        TtPlanItem *item = tt_plan_item_at(group, i);

        if (tt_plan_item_changes(item)) {
            if (*hit)
                tt_plan_mark_shadowed(item);
            else
                replace(item, plan);
        }
        *hit = true;
    }
}

void
tt_plan_group_changes(TtPlanGroup *group, TtPlan *plan)
{
    if (group->n == 0)
        return;
    if (tt_plan_route_at(group, 0)->family == AF_INET)
        changes_inet(group, plan);
    else
        changes_inet6(group, plan);
}
