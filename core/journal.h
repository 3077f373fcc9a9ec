/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each touched route had before the first touch, and what was written: enough to undo (I4).
 * A file in the run directory, written aside and renamed.
 */
#pragma once

#include "identity.h"

typedef struct {
    TtIdentity identity;
    TtMetrics before; /* the named metrics as found; absent ones are absent */
    TtMetrics set;    /* the named metrics as written */
    TtMetrics prior;  /* as written before that: a killed run leaves this in the kernel */
    guint32 named;    /* TT_METRIC_BIT()s of the metrics that were touched */
    gint64 missing;   /* seconds since the epoch: not seen any more since then; 0: seen */
    gint64 since;     /* seconds since the epoch: the first touch */
    gint64 order;     /* of the run that first touched it: which of two was tuned later, if any */
    bool seen;        /* for tt_journal_keep_only() only */
} TtJournalEntry;

typedef struct TtJournal TtJournal;

TtJournal *tt_journal_new(void);
void tt_journal_free(TtJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtJournal, tt_journal_free)
TtJournal *tt_journal_copy(const TtJournal *journal);
bool tt_journal_equal(const TtJournal *a, const TtJournal *b);

/* Has it been changed since it was made, loaded or asked with `reset`? */
bool tt_journal_is_changed(TtJournal *journal, bool reset);

/* (transfer none), NULL if the route was never touched. */
const TtJournalEntry *tt_journal_get(const TtJournal *journal, const TtIdentity *identity);
guint tt_journal_size(const TtJournal *journal);

/* TT_METRIC_BIT()s of the metrics in which what the route has is something that we wrote. */
guint32 tt_journal_entry_ours(const TtJournalEntry *entry, const TtMetrics *metrics);
/* Is this one of them? */
bool tt_journal_entry_is_ours(const TtJournalEntry *entry, const TtMetrics *metrics, int rtax);

/*
 * Notes that the `named` metrics of a route become `set`. What it `now_has` becomes `before`,
 * except where that is our own work already.
 */
void tt_journal_touch(TtJournal *journal,
                      const TtIdentity *identity,
                      const TtMetrics *now_has,
                      const TtMetrics *set,
                      guint32 named,
                      gint64 now);

/* Forgets some metrics of a route, and the entry with the last of them. */
void tt_journal_forget(TtJournal *journal, const TtIdentity *identity, guint32 metrics);

/*
 * Forgets every entry whose TtIdentity is not among these (NULL: there are none). IPv6 entries only
 * when they were missing for a minute: a dump of a table that others change leaves out routes that
 * are there, and the kernel does not say so.
 */
void tt_journal_keep_only(TtJournal *journal, const GArray *identities, gint64 now);

/* What was to be written to a route has been: `prior` is history. */
void tt_journal_settle(TtJournal *journal, const TtIdentity *identity);

/* Does every entry stand for a default route, for a route of table main, of this family? */
bool tt_journal_only_defaults(const TtJournal *journal);
bool tt_journal_only_main(const TtJournal *journal);
bool tt_journal_has_family(const TtJournal *journal, int family);

/* For core/journal-file. The entries, in no order; tt_journal_add() copies. */
typedef void (*TtJournalFunc)(const TtJournalEntry *entry, gpointer data);
void tt_journal_foreach(const TtJournal *journal, TtJournalFunc func, gpointer data);
void tt_journal_add(TtJournal *journal, const TtJournalEntry *entry);

/* An absent file is an empty journal; a damaged one is TT_ERROR_STATE. (transfer full) */
TtJournal *tt_journal_load(const char *run_dir, GError **error);

/* Written aside, then renamed. An empty journal is no file. */
bool tt_journal_save(const TtJournal *journal, const char *run_dir, GError **error);
