/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan tells the journal. */
#include "plan-internal.h"

/* Metrics whose touch the journal has to know: those that change, and those that are right because
 * a run was killed before it could change them. *out_foreign: right, but by somebody else's hand.
 */
static guint32
find_touched(const TtPlanItem *item, const TtJournalEntry *entry, guint32 *out_foreign)
{
    const TtMetrics *now = &item->route->metrics;
    guint32 changing = item->named & tt_metrics_difference(now, &item->target);
    guint32 right = entry ? item->named & entry->named & ~changing : 0;
    guint32 ours = right ? right & tt_journal_entry_ours(entry, now) : 0;

    *out_foreign = right & ~ours;
    return ours ? changing | (ours & tt_metrics_difference(now, &entry->set)) : changing;
}

static bool
is_to_be_noted(const TtPlanItem *item)
{
    return !item->leaves && item->left != TT_LEFT_SHADOWED && !tt_plan_is_untouchable(item->left);
}

/* Returns the metrics that are to be forgotten. */
static guint32
touch(const TtPlanItem *item, gint64 now, TtJournal *journal)
{
    guint32 foreign;
    guint32 touched = find_touched(item, tt_journal_get(journal, &item->identity), &foreign);

    if (touched)
        tt_journal_touch(journal, &item->identity, &item->route->metrics, &item->target, touched,
                         now);
    return item->dropped | foreign;
}

void
tt_plan_note_intent(const TtPlan *plan, TtJournal *journal)
{
    for (guint i = 0; i < plan->items->len; i++) {
        if (is_to_be_noted(plan->items->pdata[i]))
            touch(plan->items->pdata[i], plan->now, journal);
    }
}

/* Identities with a copy that could not be edited: what they had is still to be known. */
static GHashTable *
find_pending(const TtPlan *plan)
{
    GHashTable *pending = g_hash_table_new(tt_identity_hash, tt_identity_equal);

    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        if (item->left == TT_LEFT_SHADOWED)
            g_hash_table_add(pending, (gpointer) &item->identity);
    }
    return pending;
}

static void
note_done(const TtPlanItem *item, bool pending, gint64 now, TtJournal *journal)
{
    guint32 forget = touch(item, now, journal);

    if (pending)
        return;
    tt_journal_settle(journal, &item->identity);
    tt_journal_forget(journal, &item->identity, forget);
}

void
tt_plan_note_done(const TtPlan *plan, TtJournal *journal)
{
    g_autoptr(GHashTable) pending = find_pending(plan);

    tt_journal_keep_only(journal, plan->seen, plan->now);
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        if (item->leaves && item->reason != TT_REASON_TWIN)
            tt_journal_forget(journal, &item->identity, G_MAXUINT32);
        else if (is_to_be_noted(item))
            note_done(item, g_hash_table_contains(pending, &item->identity), plan->now, journal);
    }
}
