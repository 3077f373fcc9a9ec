/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routes of one identity: copies that NetworkManager added again, and those that somebody wants
 * twice. Which of them goes, which stays, which cannot be touched.
 */
#include "plan-internal.h"

static bool
only_twins_between(const TtPlanGroup *group, guint i, guint j)
{
    for (guint k = i + 1; k < j; k++) {
        const TtPlanItem *item = tt_plan_item_at(group, k);

        if (!item
            || (!item->leaves
                && !tt_identity_equal(&item->identity, &tt_plan_item_at(group, i)->identity)))
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

/* NetworkManager may be about to take the tuned one away, which it does not know: as long as that
 * is open, both stay, or there would be none. */
static bool
spare(const TtPlanInput *input, TtPlan *plan, TtPlanItem *front, TtPlanItem *back)
{
    if (!input->spare_twins || tt_plan_item_changes(front) == tt_plan_item_changes(back))
        return false;
    tt_plan_mark_shadowed(tt_plan_item_changes(front) ? front : back);
    plan->n_spared++;
    return true;
}

/* Of two that would become equal, the one that is right already stays, unless its going forward
 * would let another route of the key be first for a moment. */
static void
check_pair(TtPlanGroup *group, guint i, guint j, const TtPlanInput *input, TtPlan *plan)
{
    TtPlanItem *front = tt_plan_item_at(group, i), *back = tt_plan_item_at(group, j);

    if (!back || back->leaves || !tt_identity_equal(&front->identity, &back->identity)
        || !tt_metrics_equal(&front->target, &back->target) || spare(input, plan, front, back))
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
    const TtJournalEntry *entry = tt_journal_get(journal, &a->identity);
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
    const TtPlanItem *front = tt_plan_item_at(group, i);
    TtPlanItem *back = tt_plan_item_at(group, j);

    if (back && !front->leaves && !back->leaves
        && tt_identity_equal(&front->identity, &back->identity) && tt_plan_item_changes(back)
        && pasts_differ(front, back, journal))
        tt_plan_mark_shadowed(back);
}

void
tt_plan_group_twins(TtPlanGroup *group, const TtPlanInput *input, TtPlan *plan)
{
    for (guint i = 0; i < group->n; i++) {
        if (!tt_plan_item_at(group, i) || tt_plan_route_at(group, i)->family != AF_INET)
            continue;
        for (guint j = i + 1; j < group->n && !tt_plan_item_at(group, i)->leaves; j++)
            check_pair(group, i, j, input, plan);
        for (guint j = i + 1; j < group->n; j++)
            check_pasts(group, i, j, input->journal);
    }
}
