/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "journal.h"

#include <string.h>

#define MISSING_MAX_S 60

struct TtJournal {
    GHashTable *entries; /* TtIdentity, of the entry itself -> TtJournalEntry */
    gint64 last_order;   /* of the runs before this one */
    bool changed;
};

TtJournal *
tt_journal_new(void)
{
    TtJournal *journal = g_new0(TtJournal, 1);

    journal->entries = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, NULL, g_free);
    return journal;
}

void
tt_journal_free(TtJournal *journal)
{
    if (!journal)
        return;
    g_hash_table_unref(journal->entries);
    g_free(journal);
}

void
tt_journal_add(TtJournal *journal, const TtJournalEntry *entry)
{
    TtJournalEntry *copy = g_new(TtJournalEntry, 1);

    *copy = *entry;
    journal->last_order = MAX(journal->last_order, entry->order);
    g_hash_table_replace(journal->entries, &copy->identity, copy);
}

void
tt_journal_foreach(const TtJournal *journal, TtJournalFunc func, gpointer data)
{
    GHashTableIter iter;
    gpointer entry;

    g_hash_table_iter_init(&iter, journal->entries);
    while (g_hash_table_iter_next(&iter, NULL, &entry))
        func(entry, data);
}

static void
add_copy(const TtJournalEntry *entry, gpointer data)
{
    tt_journal_add(data, entry);
}

TtJournal *
tt_journal_copy(const TtJournal *journal)
{
    TtJournal *copy = tt_journal_new();

    tt_journal_foreach(journal, add_copy, copy);
    copy->last_order = journal->last_order;
    return copy;
}

static bool
entry_equal(const TtJournalEntry *a, const TtJournalEntry *b)
{
    return a->named == b->named && a->since == b->since && a->order == b->order
           && a->missing == b->missing && tt_metrics_equal(&a->before, &b->before)
           && tt_metrics_equal(&a->set, &b->set) && tt_metrics_equal(&a->prior, &b->prior);
}

bool
tt_journal_equal(const TtJournal *a, const TtJournal *b)
{
    GHashTableIter iter;
    gpointer identity, entry;

    if (tt_journal_size(a) != tt_journal_size(b))
        return false;
    g_hash_table_iter_init(&iter, a->entries);
    while (g_hash_table_iter_next(&iter, &identity, &entry)) {
        const TtJournalEntry *other = tt_journal_get(b, identity);

        if (!other || !entry_equal(entry, other))
            return false;
    }
    return true;
}

bool
tt_journal_is_changed(TtJournal *journal, bool reset)
{
    bool changed = journal->changed;

    if (reset)
        journal->changed = false;
    return changed;
}

const TtJournalEntry *
tt_journal_get(const TtJournal *journal, const TtIdentity *identity)
{
    return g_hash_table_lookup(journal->entries, identity);
}

guint
tt_journal_size(const TtJournal *journal)
{
    return g_hash_table_size(journal->entries);
}

guint32
tt_journal_entry_ours(const TtJournalEntry *entry, const TtMetrics *metrics)
{
    return entry->named
           & ~(tt_metrics_difference(metrics, &entry->set)
               & tt_metrics_difference(metrics, &entry->prior));
}

bool
tt_journal_entry_is_ours(const TtJournalEntry *entry, const TtMetrics *metrics, int rtax)
{
    return (tt_journal_entry_ours(entry, metrics) & TT_METRIC_BIT(rtax)) != 0;
}

static TtJournalEntry *
entry_for(TtJournal *journal, const TtIdentity *identity, gint64 now)
{
    TtJournalEntry *entry = g_hash_table_lookup(journal->entries, identity);

    if (entry)
        return entry;
    journal->changed = true;
    entry = g_new0(TtJournalEntry, 1);
    entry->identity = *identity;
    entry->since = now;
    entry->order = journal->last_order + 1;
    g_hash_table_replace(journal->entries, &entry->identity, entry);
    return entry;
}

static void
touch_one(TtJournalEntry *entry, const TtMetrics *now, const TtMetrics *set, bool ours, int rtax)
{
    if (!ours)
        tt_metrics_copy_one(&entry->before, now, rtax);
    /* If the edit never comes, the kernel goes on having what it has now. */
    tt_metrics_copy_one(&entry->prior, ours ? now : set, rtax);
    tt_metrics_copy_one(&entry->set, set, rtax);
    entry->named |= TT_METRIC_BIT(rtax);
}

void
tt_journal_touch(TtJournal *journal,
                 const TtIdentity *identity,
                 const TtMetrics *now_has,
                 const TtMetrics *set,
                 guint32 named,
                 gint64 now)
{
    TtJournalEntry *entry = entry_for(journal, identity, now);
    guint32 ours = tt_journal_entry_ours(entry, now_has);
    TtJournalEntry old = *entry;
    int rtax;

    tt_metric_for_each(rtax, named)
        touch_one(entry, now_has, set, ours & TT_METRIC_BIT(rtax), rtax);
    journal->changed |= !entry_equal(&old, entry);
}

void
tt_journal_forget(TtJournal *journal, const TtIdentity *identity, guint32 metrics)
{
    TtJournalEntry *entry = g_hash_table_lookup(journal->entries, identity);

    if (!entry || !(entry->named & metrics))
        return;
    journal->changed = true;
    entry->named &= ~metrics;
    entry->before = tt_metrics_masked(&entry->before, entry->named);
    entry->set = tt_metrics_masked(&entry->set, entry->named);
    entry->prior = tt_metrics_masked(&entry->prior, entry->named);
    if (entry->named == 0)
        g_hash_table_remove(journal->entries, identity);
}

typedef struct {
    TtJournal *journal;
    gint64 now;
} Keep;

static void
set_missing(TtJournalEntry *entry, gint64 missing, TtJournal *journal)
{
    journal->changed |= entry->missing != missing;
    entry->missing = missing;
}

static gboolean
is_gone(gpointer identity, gpointer data, gpointer keep_data)
{
    const Keep *keep = keep_data;
    TtJournalEntry *entry = data;

    if (entry->seen) {
        entry->seen = false;
        set_missing(entry, 0, keep->journal);
        return FALSE;
    }
    if (entry->identity.family == AF_INET
        || (entry->missing && keep->now - entry->missing >= MISSING_MAX_S))
        return TRUE;
    if (!entry->missing)
        set_missing(entry, keep->now, keep->journal);
    return FALSE;
}

void
tt_journal_keep_only(TtJournal *journal, const GArray *identities, gint64 now)
{
    Keep keep = {journal, now};

    for (guint i = 0; identities && i < identities->len; i++) {
        TtJournalEntry *entry =
            g_hash_table_lookup(journal->entries, &g_array_index(identities, TtIdentity, i));

        if (entry)
            entry->seen = true;
    }
    if (g_hash_table_foreach_remove(journal->entries, is_gone, &keep) > 0)
        journal->changed = true;
}

void
tt_journal_settle(TtJournal *journal, const TtIdentity *identity)
{
    TtJournalEntry *entry = g_hash_table_lookup(journal->entries, identity);

    if (!entry || tt_metrics_equal(&entry->prior, &entry->set))
        return;
    entry->prior = entry->set;
    journal->changed = true;
}

static gboolean
is_no_default(gpointer identity, gpointer entry, gpointer unused)
{
    return ((TtIdentity *) identity)->dst_len != 0;
}

bool
tt_journal_only_defaults(const TtJournal *journal)
{
    return !g_hash_table_find(journal->entries, is_no_default, NULL);
}

static gboolean
is_elsewhere(gpointer identity, gpointer entry, gpointer unused)
{
    return ((TtIdentity *) identity)->table != RT_TABLE_MAIN;
}

bool
tt_journal_only_main(const TtJournal *journal)
{
    return !g_hash_table_find(journal->entries, is_elsewhere, NULL);
}

static gboolean
is_of_family(gpointer identity, gpointer entry, gpointer family)
{
    return ((TtIdentity *) identity)->family == GPOINTER_TO_INT(family);
}

bool
tt_journal_has_family(const TtJournal *journal, int family)
{
    return g_hash_table_find(journal->entries, is_of_family, GINT_TO_POINTER(family)) != NULL;
}
