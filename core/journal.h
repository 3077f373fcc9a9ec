/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each touched route had before the first touch, and what was written: enough to undo (I4).
 * A file in the run directory, written aside and renamed; it names routes by tt_route_identity().
 */
#pragma once

#include "route.h"

typedef struct {
    char *identity;
    TtMetrics before; /* the named metrics as found; absent ones are absent */
    TtMetrics set;    /* the named metrics as written */
    guint32 named;    /* TT_METRIC_BIT()s of the metrics that were touched */
    gint64 since;     /* seconds since the epoch: the first touch */
    gint64 order;     /* grows with every touch: which of two routes was tuned later */
} TtJournalEntry;

typedef struct TtJournal TtJournal;

/* An absent file is an empty journal; a damaged one is TT_ERROR_STATE. (transfer full) */
TtJournal *tt_journal_load(const char *run_dir, GError **error);
TtJournal *tt_journal_new(void);
void tt_journal_free(TtJournal *journal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtJournal, tt_journal_free)

TtJournal *tt_journal_copy(const TtJournal *journal);
bool tt_journal_equal(const TtJournal *a, const TtJournal *b);

/* (transfer none), NULL if the route was never touched. */
const TtJournalEntry *tt_journal_get(const TtJournal *journal, const TtRoute *route);

/* Notes a touch: keeps `before` of metrics noted earlier. */
void tt_journal_touch(TtJournal *journal,
                      const TtRoute *route,
                      const TtMetrics *set,
                      guint32 named,
                      gint64 now);
/* Forgets some metrics of a route, and the entry with the last of them. */
void tt_journal_forget(TtJournal *journal, const TtRoute *route, guint32 metrics);
/* Forgets every entry whose identity is not in the set. */
void tt_journal_keep_only(TtJournal *journal, GHashTable *identities);
guint tt_journal_size(const TtJournal *journal);

/* Written aside, flushed to the file system, renamed. */
bool tt_journal_save(const TtJournal *journal, const char *run_dir, GError **error);
