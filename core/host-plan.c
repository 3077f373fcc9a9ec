/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-plan.h"

#include <string.h>

static const TtHostWish *
wish_for(const TtHostWish *wishes, TtHostKey key)
{
    return wishes && wishes[key].kind == TT_WISH_SET ? &wishes[key] : NULL;
}

bool
tt_host_plan_needs(const TtHostWish *wishes, const TtHostNotes *notes, TtHostKey key)
{
    return wish_for(wishes, key) || notes->note[key].noted;
}

bool
tt_host_item_asks_for_loopback(const TtHostItem *item)
{
    return item->key == TT_HOST_TCP_TW_REUSE && item->wish
           && item->wish->number == TT_TW_REUSE_LOOPBACK;
}

bool
tt_host_item_has_say(const TtHostItem *item)
{
    return item->wish && !item->lacks;
}

static void
set_target(TtHostItem *item, const TtHostNote *note)
{
    g_autofree char *value = NULL;

    if (tt_host_item_has_say(item)) {
        value = tt_host_wish_value(item->key, item->wish);
        g_strlcpy(item->target, value, sizeof item->target);
    } else if (tt_host_note_is_ours(note, item->found.value)) {
        g_strlcpy(item->target, note->before, sizeof item->target);
    }
}

static void
judge(TtHostItem *item)
{
    if (item->found.status == TT_KNOB_UNREADABLE)
        item->state = TT_HOST_UNREADABLE;
    else if (item->target[0] && strcmp(item->target, item->found.value) != 0)
        item->state = TT_HOST_DIFFERS;
    else if (item->lacks || item->found.status != TT_KNOB_HERE)
        item->state = TT_HOST_UNAVAILABLE;
    else
        item->state = TT_HOST_OK;
}

static TtHostItem
make_item(const TtHostPlanInput *input, TtHostKey key)
{
    const TtHostNote *note = &input->notes->note[key];
    TtHostItem item = {
        .key = key,
        .wish = wish_for(input->wishes, key),
        .found = input->readings[key],
        .whole_host = input->in_namespace && tt_knob_is_host_wide(key),
        .since = note->since,
    };

    item.lacks = tt_host_item_asks_for_loopback(&item) && input->notes->lacks_loopback;
    if (item.found.status == TT_KNOB_HERE)
        set_target(&item, note);
    judge(&item);
    return item;
}

void
tt_host_plan_build(const TtHostPlanInput *input, TtHostPlan *out_plan)
{
    out_plan->n_items = 0;
    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        if (tt_host_plan_needs(input->wishes, input->notes, key))
            out_plan->items[out_plan->n_items++] = make_item(input, key);
    }
}

bool
tt_host_plan_writes(const TtHostPlan *plan)
{
    for (guint i = 0; i < plan->n_items; i++) {
        if (plan->items[i].state == TT_HOST_DIFFERS)
            return true;
    }
    return false;
}

const TtHostItem *
tt_host_plan_find(const TtHostPlan *plan, TtHostKey key)
{
    for (guint i = 0; i < plan->n_items; i++) {
        if (plan->items[i].key == key)
            return &plan->items[i];
    }
    return NULL;
}

void
tt_host_plan_note_intent(const TtHostItem *item, gint64 now, TtHostNotes *notes)
{
    tt_host_notes_touch(notes, item->key, item->found.value, item->target, now);
}

/* Nothing is left to write. What somebody else made right is theirs: before and after are the same
 * then, and nothing is left to note. */
static void
note_right(const TtHostItem *item, TtHostNotes *notes)
{
    const TtHostNote *note = &notes->note[item->key];

    if (!tt_host_item_has_say(item)) {
        tt_host_notes_forget(notes, item->key);
        return;
    }
    if (strcmp(note->set, item->found.value) != 0)
        tt_host_plan_note_intent(item, note->since, notes);
    tt_host_notes_settle(notes, item->key);
}

static void
note_item(const TtHostItem *item, TtHostNotes *notes)
{
    bool ours = tt_host_note_is_ours(&notes->note[item->key], item->found.value);

    switch (item->found.status) {
    case TT_KNOB_HERE:
        if (item->state != TT_HOST_DIFFERS)
            note_right(item, notes);
        else if (!ours)
            tt_host_notes_forget(notes, item->key);
        break;
    case TT_KNOB_ABSENT:
    case TT_KNOB_NOT_LOADED:
        tt_host_notes_forget(notes, item->key);
        break;
    /* It may well be there for the next run. */
    case TT_KNOB_ELSEWHERE:
    case TT_KNOB_HIDDEN:
    case TT_KNOB_UNREADABLE:
    case _TT_KNOB_N:
        break;
    }
}

void
tt_host_plan_note_done(const TtHostPlan *plan, TtHostNotes *notes)
{
    bool lacks = false;

    for (guint i = 0; i < plan->n_items; i++) {
        const TtHostItem *item = &plan->items[i];

        lacks |= item->lacks;
        if (notes->note[item->key].noted)
            note_item(item, notes);
    }
    tt_host_notes_set_lacks(notes, lacks);
}
