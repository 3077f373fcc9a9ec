/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

#include "host-devices.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int fd;    /* -1: it could not be opened, or need not be */
    int error; /* negative errno */
} Write;

bool
tt_host_is_concerned(const TtHostWish *wishes, const char *run_dir)
{
    for (TtHostKey key = 0; wishes && key < _TT_HOST_N; key++) {
        if (wishes[key].kind == TT_WISH_SET)
            return true;
    }
    return tt_host_notes_exist(run_dir);
}

static void
look(const TtHostOptions *options, const TtHostNotes *notes, TtHostPlan *out_plan)
{
    TtKnobReading readings[_TT_HOST_N];
    TtHostPlanInput input = {.wishes = options->wishes, .readings = readings, .notes = notes};
    bool any_wide = false;

    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        if (!tt_host_plan_needs(options->wishes, notes, key))
            continue;
        tt_knob_read(options->root, key, &readings[key]);
        any_wide |= tt_knob_is_host_wide(key);
    }
    input.in_namespace = any_wide && tt_knob_in_namespace(options->root);
    tt_host_plan_build(&input, out_plan);
}

bool
tt_host_look(const TtHostOptions *options, TtHostPlan *out_plan, GError **error)
{
    g_autoptr(TtHostNotes) notes = tt_host_notes_load(options->run_dir, error);

    if (!notes)
        return false;
    look(options, notes, out_plan);
    return true;
}

/* What cannot be opened needs no note. */
static void
open_all(const TtHostOptions *options, const TtHostPlan *plan, TtHostNotes *notes, Write *writes)
{
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;

    for (guint i = 0; i < plan->n_items; i++) {
        const TtHostItem *item = &plan->items[i];

        writes[i] = (Write){.fd = -1};
        if (item->state != TT_HOST_DIFFERS)
            continue;
        writes[i].fd = tt_knob_open(options->root, item->key);
        if (writes[i].fd < 0)
            writes[i].error = writes[i].fd;
        else
            tt_host_plan_note_intent(item, now, notes);
    }
}

static void
close_all(const TtHostPlan *plan, const Write *writes)
{
    for (guint i = 0; i < plan->n_items; i++) {
        if (writes[i].fd >= 0)
            close(writes[i].fd);
    }
}

/*
 * A kernel that knows "loopback" has a range, 0 to 2, and refuses what is outside it; one that does
 * not takes any number, for yes. No version tells: RHEL 8 calls its kernel 4.18, and knows it.
 * Returns a negative errno where it is neither.
 */
static int
try_loopback(TtHostItem *item, int fd, TtHostNotes *notes)
{
    int r = tt_knob_write(fd, TT_KNOB_NO_VALUE);

    if (r < 0)
        return r == -EINVAL ? 0 : r;
    item->lacks = true;
    g_strlcpy(item->target, notes->note[item->key].before, sizeof item->target);
    tt_host_notes_set_lacks(notes, true);
    return 0;
}

static void
write_all(TtHostPlan *plan, Write *writes, TtHostNotes *notes)
{
    for (guint i = 0; i < plan->n_items; i++) {
        TtHostItem *item = &plan->items[i];
        Write *write = &writes[i];

        if (write->fd < 0)
            continue;
        if (tt_host_item_asks_for_loopback(item) && tt_host_item_has_say(item))
            write->error = try_loopback(item, write->fd, notes);
        if (!write->error)
            write->error = tt_knob_write(write->fd, item->target);
    }
}

static void
tell(const TtHostOptions *options, TtHostReport *report)
{
    g_autofree char *keepers = NULL;

    if (!options->report)
        return;
    if (report->item->key == TT_HOST_DEFAULT_QDISC && !report->error && options->rtnl)
        keepers = tt_host_devices_keeping(options->rtnl, report->item->target);
    report->keepers = keepers;
    options->report(report, options->data);
}

static void
judge(const TtHostOptions *options, const TtHostItem *item, int error, TtHostResult *result)
{
    const TtHostItem *after = tt_host_plan_find(&result->plan, item->key);
    TtHostReport report = {.item = item, .error = error};

    if (after->state == TT_HOST_UNREADABLE)
        report = (TtHostReport){.item = after, .error = after->found.error};
    else if (!error && strcmp(after->found.value, item->target) != 0) {
        report.error = after->found.error ? after->found.error : -EAGAIN;
        report.text = after->found.value[0] ? after->found.value : NULL;
    }
    /* Refused, and as it was before: the plan says so. */
    if (!report.error && strcmp(item->found.value, item->target) == 0)
        return;
    if (report.error)
        result->n_failed++;
    else
        result->n_changed++;
    tell(options, &report);
}

static bool
write_and_look(const TtHostOptions *options,
               TtHostNotes *notes,
               TtHostResult *result,
               GError **error)
{
    Write writes[_TT_HOST_N] = {{0}};
    TtHostPlan plan = result->plan;
    bool noted;

    open_all(options, &plan, notes, writes);
    noted = tt_host_notes_save(notes, options->run_dir, error);
    if (noted)
        write_all(&plan, writes, notes);
    close_all(&plan, writes);
    if (!noted)
        return false;
    look(options, notes, &result->plan);
    for (guint i = 0; i < plan.n_items; i++) {
        if (plan.items[i].state == TT_HOST_DIFFERS)
            judge(options, &plan.items[i], writes[i].error, result);
    }
    return true;
}

/* What could not even be looked at, even if it can a moment later. */
static void
judge_unreadable(const TtHostOptions *options, TtHostResult *result)
{
    for (guint i = 0; i < result->plan.n_items; i++) {
        const TtHostItem *item = &result->plan.items[i];

        if (item->state != TT_HOST_UNREADABLE)
            continue;
        result->n_failed++;
        tell(options, &(TtHostReport){.item = item, .error = item->found.error});
    }
}

bool
tt_host_run(const TtHostOptions *options, TtHostResult *out_result, GError **error)
{
    g_autoptr(TtHostNotes) notes = tt_host_notes_load(options->run_dir, error);

    if (!notes)
        return false;
    look(options, notes, &out_result->plan);
    judge_unreadable(options, out_result);
    if (tt_host_plan_writes(&out_result->plan)
        && !write_and_look(options, notes, out_result, error))
        return false;
    tt_host_plan_note_done(&out_result->plan, notes);
    return tt_host_notes_save(notes, options->run_dir, error);
}
