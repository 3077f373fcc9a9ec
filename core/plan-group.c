/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edits for the routes of one key, so that at every instant every look-up finds what it found
 * before (I1). IPv4: NLM_F_REPLACE hits the first of the key whatever it is; all others are
 * appended anew and the old ones deleted behind it. IPv6: one replace of the whole route.
 */
#include "plan-internal.h"

#include <string.h>

static const TtRoute *
route_at(const TtPlanGroup *group, guint i)
{
    return group->routes->pdata[i];
}

static TtPlanItem *
item_at(const TtPlanGroup *group, guint i)
{
    return group->items->pdata[i];
}

static void
remove_at(TtPlanGroup *group, guint i)
{
    g_ptr_array_remove_index(group->routes, i);
    g_ptr_array_remove_index(group->items, i);
}

static void
mark_shadowed(TtPlanItem *item)
{
    item->left = TT_LEFT_SHADOWED;
    item->state = TT_STATE_LEFT;
    item->target = item->route->metrics;
    item->leaves = false;
}

/*
 * Twins.
 */

static bool
only_twins_between(const TtPlanGroup *group, guint i, guint j)
{
    for (guint k = i + 1; k < j; k++) {
        const TtPlanItem *item = item_at(group, k);

        if (!item || (!item->leaves && !g_str_equal(item->identity, item_at(group, i)->identity)))
            return false;
    }
    return true;
}

static void
mark_twin(TtPlanItem *item)
{
    item->leaves = true;
    item->reason = TT_REASON_TWIN;
    item->state = TT_STATE_DIFFERS;
}

/* Of two that would become equal, the one that is right already stays, unless its going forward
 * would let another route of the key be first for a moment. */
static void
check_pair(TtPlanGroup *group, guint i, guint j)
{
    TtPlanItem *front = item_at(group, i), *back = item_at(group, j);

    if (!back || back->leaves || !g_str_equal(front->identity, back->identity)
        || !tt_metrics_equal(&front->target, &back->target))
        return;
    if (tt_plan_item_changes(front) && !tt_plan_item_changes(back)
        && only_twins_between(group, i, j))
        mark_twin(front);
    else
        mark_twin(back);
}

/* What the route had in this metric before we came. */
static const TtMetrics *
before_of(const TtPlanItem *item, const TtJournalEntry *entry, int rtax)
{
    bool ours = entry && tt_journal_entry_is_ours(entry, &item->route->metrics, rtax);

    return ours ? &entry->before : &item->route->metrics;
}

/* Routes of one identity have one entry in the journal, which cannot keep two pasts. */
static bool
pasts_differ(const TtPlanItem *a, const TtPlanItem *b, const TtJournal *journal)
{
    const TtJournalEntry *entry = tt_journal_get(journal, a->identity);
    guint32 named = a->named | b->named;

    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if ((named & TT_METRIC_BIT(rtax))
            && !tt_metrics_equal_one(before_of(a, entry, rtax), before_of(b, entry, rtax), rtax))
            return true;
    }
    return false;
}

static void
check_pasts(TtPlanGroup *group, guint i, guint j, const TtJournal *journal)
{
    const TtPlanItem *front = item_at(group, i);
    TtPlanItem *back = item_at(group, j);

    if (back && !front->leaves && !back->leaves && g_str_equal(front->identity, back->identity)
        && tt_plan_item_changes(back) && pasts_differ(front, back, journal))
        mark_shadowed(back);
}

void
tt_plan_group_twins(TtPlanGroup *group, const TtJournal *journal)
{
    for (guint i = 0; i < group->items->len; i++) {
        if (!item_at(group, i) || route_at(group, i)->family != AF_INET)
            continue;
        for (guint j = i + 1; j < group->items->len && !item_at(group, i)->leaves; j++)
            check_pair(group, i, j);
        for (guint j = i + 1; j < group->items->len; j++)
            check_pasts(group, i, j, journal);
    }
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
            || memcmp(&candidate->hops[i].gateway, &target->hops[i].gateway, sizeof(TtAddress)))
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

/* Every metric that some other route of the key has and this one lacks. */
static guint32
find_absent(const TtPlanGroup *group, const TtMetrics *also, const TtRoute *target)
{
    guint32 present = also ? also->present : 0;
    guint32 lock = also ? also->lock : 0;

    for (guint i = 0; i < group->routes->len; i++) {
        present |= route_at(group, i)->metrics.present;
        lock |= route_at(group, i)->metrics.lock;
    }
    return (present & ~target->metrics.present) | (lock ? TT_METRIC_BIT(RTAX_LOCK) : 0);
}

/* True if a delete of the route at `i` hits that one and no other before it. */
static bool
delete_is_exact(const TtPlanGroup *group, guint i, guint32 absent)
{
    for (guint k = 0; k < i; k++) {
        if (delete_could_hit(route_at(group, i), absent, route_at(group, k)))
            return false;
    }
    return true;
}

void
tt_plan_group_deletes(TtPlanGroup *group, TtPlan *plan)
{
    for (guint i = 0; i < group->routes->len;) {
        TtPlanItem *item = item_at(group, i);
        guint32 absent;

        if (!item || !item->leaves) {
            i++;
            continue;
        }
        absent = find_absent(group, NULL, route_at(group, i));
        if (!delete_is_exact(group, i, absent)) {
            mark_shadowed(item);
            i++;
            continue;
        }
        add_edit(plan, TT_EDIT_DELETE, item->reason, route_at(group, i), next_step(plan))->absent =
            absent;
        remove_at(group, i);
    }
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
    return item_at(group, i) ? item_at(group, i)->target : route_at(group, i)->metrics;
}

static void
append_one(Move *move, guint i, const TtMetrics *metrics)
{
    const TtPlanItem *item = item_at(move->group, i);
    TtEdit *edit = add_edit(move->plan, TT_EDIT_APPEND,
                            tt_plan_item_changes(item) ? item->reason : TT_REASON_ORDER,
                            route_at(move->group, i), move->step);

    edit->route->metrics = *metrics;
}

static void
delete_one(Move *move, guint i, const TtMetrics *metrics, guint32 absent)
{
    const TtPlanItem *item = item_at(move->group, i);
    TtEdit *edit = add_edit(move->plan, TT_EDIT_DELETE,
                            tt_plan_item_changes(item) ? item->reason : TT_REASON_ORDER,
                            route_at(move->group, i), move->step);

    edit->route->metrics = *metrics;
    edit->absent = absent;
    edit->pair = (int) (move->first_append + (i - move->from));
}

static bool
group_has_mark(const TtPlanGroup *group, guint32 mark)
{
    for (guint i = 0; i < group->routes->len; i++) {
        if (tt_plan_has_mark(&route_at(group, i)->metrics, mark))
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
    guint n = move->group->routes->len;

    move->first_append = move->plan->edits->len;
    for (guint i = move->from; i < n; i++) {
        TtMetrics metrics = final_metrics(move->group, i);

        if (to_mark)
            metrics = marked(move, metrics);
        append_one(move, i, &metrics);
    }
    for (guint i = n; i-- > move->from;) {
        TtMetrics old = route_at(move->group, i)->metrics;
        TtMetrics new = final_metrics(move->group, i);
        TtRoute target = *route_at(move->group, i);

        if (from_mark)
            old = marked(move, new);
        else if (to_mark)
            new = marked(move, new);
        target.metrics = old;
        delete_one(move, i, &old, find_absent(move->group, &new, &target));
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
    for (guint i = from; i < group->routes->len; i++)
        all_change &= tt_plan_item_changes(item_at(group, i));
    if (all_change) {
        pass(&move, false, false);
    } else {
        pass(&move, false, true);
        pass(&move, true, false);
    }
}

/*
 * Trying it out: what each edit would hit, in the order of execution.
 */

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

static bool
would_work(const TtPlanGroup *group, const TtPlan *plan, guint first_edit)
{
    g_autoptr(GPtrArray) table = g_ptr_array_new();

    for (guint i = 0; i < group->routes->len; i++)
        g_ptr_array_add(table, group->routes->pdata[i]);
    for (guint i = first_edit; i < plan->edits->len; i++) {
        if (!try_edit(table, plan->edits->pdata[i]))
            return false;
    }
    return true;
}

static void
plan_inet(TtPlanGroup *group, TtPlan *plan)
{
    if (tt_plan_item_changes(item_at(group, 0)))
        replace(item_at(group, 0), plan);
    for (guint i = 1; i < group->items->len; i++) {
        if (tt_plan_item_changes(item_at(group, i))) {
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
        if (would_work(group, plan, first_edit))
            return;
        g_ptr_array_set_size(plan->edits, (gint) first_edit);
        for (guint i = keep; i < group->items->len; i++) {
            if (tt_plan_item_changes(item_at(group, i)))
                mark_shadowed(item_at(group, i));
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

    for (guint i = 0; i < group->items->len; i++) {
        bool *hit = &seen[tt_route_is_ecmp_capable(route_at(group, i))];
        TtPlanItem *item = item_at(group, i);

        if (tt_plan_item_changes(item)) {
            if (*hit)
                mark_shadowed(item);
            else
                replace(item, plan);
        }
        *hit = true;
    }
}

void
tt_plan_group_changes(TtPlanGroup *group, TtPlan *plan)
{
    if (group->routes->len == 0)
        return;
    if (route_at(group, 0)->family == AF_INET)
        changes_inet(group, plan);
    else
        changes_inet6(group, plan);
}
