/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which routes something else keeps changing back. Pure: the caller brings the clock. Router
 * advertisements, at least 3 s apart (RFC 4861, 6.2.1), stay below the limit.
 */
#pragma once

#include "core/identity.h"

#define TT_FIGHT_LIMIT 5     /* more undoings than this ... */
#define TT_FIGHT_WINDOW_S 10 /* ... within this make a fight */
#define TT_FIGHT_TRUCE_S 60  /* and then the route is left alone for this long */

typedef struct TtFights TtFights;

TtFights *tt_fights_new(void);
void tt_fights_free(TtFights *fights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtFights, tt_fights_free)

/*
 * A route, by its identity, was written to at `now_us` (monotonic). The first time is no undoing.
 * True: this one was once too often, the truce begins.
 */
bool tt_fights_note(TtFights *fights, const TtIdentity *identity, gint64 now_us);

/* The identities under truce, as a set; ends those that are over. (transfer none) */
GHashTable *tt_fights_avoided(TtFights *fights, gint64 now_us);

/* When the next truce ends; 0: there is none. */
gint64 tt_fights_next_end_us(const TtFights *fights);
