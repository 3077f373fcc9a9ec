/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each knob of [host] had before the first touch, and what was written: enough to undo (I4).
 * A file in the run directory, written aside and renamed. Knobs of a network namespace are noted
 * with it: the folder may be shared with the host.
 */
#pragma once

#include "host-knobs.h"

typedef struct {
    bool noted;
    gint64 since; /* seconds since the epoch: the first touch */
    char before[TT_KNOB_VALUE_LEN];
    char set[TT_KNOB_VALUE_LEN];
    char prior[TT_KNOB_VALUE_LEN]; /* written before that: a killed run leaves this in the kernel */
} TtHostNote;

typedef struct {
    TtHostNote note[_TT_HOST_N];
    bool lacks_loopback; /* this kernel does not know tcp_tw_reuse=loopback: it was tried */
    guint64 netns;       /* ours */
    GPtrArray *others;   /* char *: lines of other network namespaces, kept as they are */
    bool changed;        /* since it was loaded or saved */
} TtHostNotes;

void tt_host_notes_free(TtHostNotes *notes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtHostNotes, tt_host_notes_free)

/* Is there such a file at all? */
bool tt_host_notes_exist(const char *run_dir);

/* An absent file is no notes; a damaged one is TT_ERROR_STATE. (transfer full) */
TtHostNotes *tt_host_notes_load(const char *run_dir, GError **error);

/* Only what has changed is written. No notes are no file. */
bool tt_host_notes_save(TtHostNotes *notes, const char *run_dir, GError **error);

/* Is this value something that we wrote? */
bool tt_host_note_is_ours(const TtHostNote *note, const char *value);

/* Notes that a knob, which has `value` now, becomes `set`. What it has now becomes `before`, except
 * where that is our own work already. */
void tt_host_notes_touch(TtHostNotes *notes,
                         TtHostKey key,
                         const char *value,
                         const char *set,
                         gint64 now);

/* What was to be written has been. What is as it was before the first touch needs no note. */
void tt_host_notes_settle(TtHostNotes *notes, TtHostKey key);
void tt_host_notes_forget(TtHostNotes *notes, TtHostKey key);
void tt_host_notes_set_lacks(TtHostNotes *notes, bool lacks_loopback);
