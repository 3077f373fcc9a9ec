/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lowered.h"

#include "state-file.h"
#include "text.h"

#include <string.h>

#define FILE_NAME "lowered"
#define HEADER "tcptune-nm lowered 1\n"

static void
set_ms(GHashTable *lowered, const TtIdentity *identity, guint ms)
{
    g_hash_table_replace(lowered, g_memdup(identity, sizeof *identity), GUINT_TO_POINTER(ms));
}

/* Lines of "MILLISECONDS IDENTITY". A line that is none is skipped: what is not known here closes
 * no connection. */
static void
parse(const char *text, GHashTable *lowered)
{
    const char *at = text;

    if (!tt_text_take(&at, HEADER))
        return;
    while (*at) {
        TtIdentity identity;
        guint64 ms;

        if (tt_text_take_number(&at, G_MAXUINT32, &ms) && ms > 0 && tt_text_take(&at, " ")
            && tt_identity_take(&at, &identity) && *at == '\n')
            set_ms(lowered, &identity, (guint) ms);
        at += strcspn(at, "\n");
        tt_text_take(&at, "\n");
    }
}

GHashTable *
tt_lowered_load(const char *run_dir)
{
    GHashTable *lowered = g_hash_table_new_full(tt_identity_hash, tt_identity_equal, g_free, NULL);
    g_autofree char *text = NULL;

    if (tt_state_file_read(run_dir, FILE_NAME, &text, NULL) && text)
        parse(text, lowered);
    return lowered;
}

static bool
save(const char *run_dir, GHashTable *lowered, GError **error)
{
    g_autoptr(GString) text = g_string_new(HEADER);
    GHashTableIter iter;
    gpointer identity, ms;

    g_hash_table_iter_init(&iter, lowered);
    while (g_hash_table_iter_next(&iter, &identity, &ms)) {
        tt_text_append_number(text, GPOINTER_TO_UINT(ms));
        g_string_append_c(text, ' ');
        tt_identity_append(identity, text);
        g_string_append_c(text, '\n');
    }
    return tt_state_file_write(run_dir, FILE_NAME, text->str, text->len, error);
}

static bool
lowers(const TtPlanItem *item)
{
    return item->state == TT_STATE_DIFFERS && item->reason == TT_REASON_TUNE
           && tt_metrics_has(&item->target, RTAX_RTO_MIN)
           && tt_metrics_locked(&item->target, RTAX_RTO_MIN);
}

/* True if it was not known. */
static bool
add(GHashTable *lowered, const TtPlanItem *item)
{
    guint32 ms = item->target.value[RTAX_RTO_MIN];
    guint32 known = GPOINTER_TO_UINT(g_hash_table_lookup(lowered, &item->identity));

    if (known && known <= ms)
        return false;
    set_ms(lowered, &item->identity, ms);
    return true;
}

bool
tt_lowered_note(const char *run_dir, const TtPlan *plan, GError **error)
{
    g_autoptr(GHashTable) lowered = NULL;
    bool changed = false;

    for (guint i = 0; i < plan->items->len; i++) {
        if (!lowers(plan->items->pdata[i]))
            continue;
        if (!lowered)
            lowered = tt_lowered_load(run_dir);
        changed |= add(lowered, plan->items->pdata[i]);
    }
    return !changed || save(run_dir, lowered, error);
}
