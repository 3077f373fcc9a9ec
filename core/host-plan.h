/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * (wishes, what the knobs have, notes) -> what is, and what is to be written. Pure, as core/plan is
 * for routes.
 */
#pragma once

#include "host-notes.h"

typedef enum {
    TT_HOST_OK,
    TT_HOST_DIFFERS,     /* `target` is to be written */
    TT_HOST_UNAVAILABLE, /* not to be had here: `found.status` and `lacks` say why */
    TT_HOST_UNREADABLE,
    _TT_HOST_STATE_N,
} TtHostState;

/* One knob that the policy names, or that we touched. */
typedef struct {
    TtHostKey key;
    const TtHostWish *wish; /* NULL: the policy has no say in it (any more) */
    TtKnobReading found;
    TtHostState state;
    char target[TT_KNOB_VALUE_LEN]; /* what it shall have; "": nobody says */
    bool lacks;                     /* the kernel does not know this value */
    bool whole_host;                /* counts beyond the network namespace that we are in */
    gint64 since;                   /* first touch; 0: never touched */
} TtHostItem;

typedef struct {
    TtHostItem items[_TT_HOST_N];
    guint n_items;
} TtHostPlan;

typedef struct {
    const TtHostWish *wishes;      /* one for each TtHostKey; NULL: undo everything */
    const TtKnobReading *readings; /* one for each TtHostKey that tt_host_plan_needs() */
    const TtHostNotes *notes;
    bool in_namespace; /* of its own: what is host-wide is said to be */
} TtHostPlanInput;

/* False: the policy does not name it, or asks for what this kernel does not know. What we set there
 * is undone. */
bool tt_host_item_has_say(const TtHostItem *item);

/* tcp_tw_reuse=loopback: whether the kernel knows it, only trying tells. */
bool tt_host_item_asks_for_loopback(const TtHostItem *item);

/* Does the plan depend on what this knob has? */
bool tt_host_plan_needs(const TtHostWish *wishes, const TtHostNotes *notes, TtHostKey key);

void tt_host_plan_build(const TtHostPlanInput *input, TtHostPlan *out_plan);

/* Is there anything to be written? */
bool tt_host_plan_writes(const TtHostPlan *plan);

/* (transfer none), NULL if the plan has nothing to do with this knob. */
const TtHostItem *tt_host_plan_find(const TtHostPlan *plan, TtHostKey key);

/*
 * What the notes have to know: before a knob is written, and, by a plan made afterwards, what has
 * become of it.
 */
void tt_host_plan_note_intent(const TtHostItem *item, gint64 now, TtHostNotes *notes);
void tt_host_plan_note_done(const TtHostPlan *plan, TtHostNotes *notes);
