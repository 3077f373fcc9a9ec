/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fights.h"

#define N_HISTORIES 64 /* routes that nobody undoes are forgotten beyond this */

typedef struct {
    gint64 at_us[TT_FIGHT_LIMIT + 1]; /* the last undoings, a ring */
    gint64 last_us;
    guint n; /* all writes; the first is no undoing */
} History;

struct TtFights {
    GHashTable *histories; /* TtIdentity -> History */
    GHashTable *avoided;   /* TtIdentity -> gint64 *: when the truce ends */
};

TtFights *
tt_fights_new(void)
{
    TtFights *fights = g_new(TtFights, 1);

    fights->histories = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free, g_free);
    fights->avoided = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free, g_free);
    return fights;
}

void
tt_fights_free(TtFights *fights)
{
    if (!fights)
        return;
    g_hash_table_unref(fights->histories);
    g_hash_table_unref(fights->avoided);
    g_free(fights);
}

static gboolean
is_history(gpointer identity, gpointer history, gpointer now_us)
{
    return ((History *) history)->last_us
           < *(gint64 *) now_us - TT_FIGHT_WINDOW_S * G_TIME_SPAN_SECOND;
}

static History *
history_of(TtFights *fights, const TtIdentity *identity)
{
    History *history = g_hash_table_lookup(fights->histories, identity);

    if (!history) {
        history = g_new0(History, 1);
        g_hash_table_insert(fights->histories, g_memdup(identity, sizeof *identity), history);
    }
    return history;
}

static bool
is_once_too_often(History *history, gint64 now_us)
{
    gint64 *slot = &history->at_us[history->n % G_N_ELEMENTS(history->at_us)];
    gint64 oldest = *slot;

    *slot = now_us;
    history->last_us = now_us;
    history->n++;
    /* `oldest` is as many undoings ago as the ring is long; the first write does not count. */
    return history->n > G_N_ELEMENTS(history->at_us)
           && now_us - oldest <= TT_FIGHT_WINDOW_S * G_TIME_SPAN_SECOND;
}

bool
tt_fights_note(TtFights *fights, const TtIdentity *identity, gint64 now_us)
{
    gint64 *end;

    if (g_hash_table_size(fights->histories) > N_HISTORIES)
        g_hash_table_foreach_remove(fights->histories, is_history, &now_us);
    if (!is_once_too_often(history_of(fights, identity), now_us))
        return false;
    end = g_new(gint64, 1);
    *end = now_us + TT_FIGHT_TRUCE_S * G_TIME_SPAN_SECOND;
    g_hash_table_replace(fights->avoided, g_memdup(identity, sizeof *identity), end);
    g_hash_table_remove(fights->histories, identity);
    return true;
}

static gboolean
is_over(gpointer identity, gpointer end, gpointer now_us)
{
    return *(gint64 *) end <= *(gint64 *) now_us;
}

GHashTable *
tt_fights_avoided(TtFights *fights, gint64 now_us)
{
    g_hash_table_foreach_remove(fights->avoided, is_over, &now_us);
    return fights->avoided;
}

gint64
tt_fights_next_end_us(const TtFights *fights)
{
    GHashTableIter iter;
    gpointer end;
    gint64 next = 0;

    g_hash_table_iter_init(&iter, fights->avoided);
    while (g_hash_table_iter_next(&iter, NULL, &end)) {
        if (next == 0 || *(gint64 *) end < next)
            next = *(gint64 *) end;
    }
    return next;
}
