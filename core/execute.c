/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "execute.h"

#include "race.h"
#include "rtnl-codec.h"

#include <errno.h>

typedef struct {
    TtRtnl *rtnl;
    const TtPlan *plan;
    TtApplyReportFunc report;
    gpointer data;
    TtExecution execution;
    TtRace *race;
    bool *done; /* per edit: the kernel took it */
    bool last_round;
} Run;

static int
send_edit(Run *run, TtEditKind kind, const TtRoute *route, guint32 absent, char **out_text)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    guint16 type = kind == TT_EDIT_DELETE ? RTM_DELROUTE : RTM_NEWROUTE;
    guint16 flags = 0;

    /* Never NLM_F_CREATE with REPLACE: it would bring back a route that is gone meanwhile. */
    if (kind == TT_EDIT_REPLACE)
        flags = NLM_F_REPLACE;
    else if (kind == TT_EDIT_APPEND)
        flags = NLM_F_CREATE | NLM_F_APPEND;
    tt_rtnl_build_route(message, route, type, flags, absent);
    return tt_rtnl_edit(run->rtnl, message, out_text);
}

static void
report(Run *run, const TtEdit *edit, int error, const char *text)
{
    TtEditReport report = {.edit = edit, .error = error, .text = text};

    run->execution.n_failed += error != 0;
    run->report(&report, run->data);
}

/* The route that an append put in is taken back: what it was to succeed is gone, or the step
 * cannot be finished. */
static void
take_back(Run *run, guint index)
{
    const TtEdit *append = run->plan->edits->pdata[index];
    /* Not its brother in front of it, which may differ in nothing but a mark (plan-mark.c). */
    guint32 absent =
        append->before.present | TT_METRIC_BIT(RTAX_SSTHRESH) | TT_METRIC_BIT(RTAX_REORDERING);

    if (append->kind == TT_EDIT_APPEND && run->done[index]) {
        send_edit(run, TT_EDIT_DELETE, append->route, absent, NULL);
        run->done[index] = false;
    }
}

/* An append was refused: the copies of this pass go, nothing was deleted for them yet. */
static void
break_off_append(Run *run, guint index)
{
    const TtEdit *failed = run->plan->edits->pdata[index];

    for (guint i = index; i-- > 0;) {
        const TtEdit *edit = run->plan->edits->pdata[i];

        if (edit->step != failed->step || edit->kind != TT_EDIT_APPEND)
            return;
        take_back(run, i);
    }
}

/* Returns true if the rest of the step is to be skipped. */
static bool
handle_failure(Run *run, guint index, int error, const char *text)
{
    const TtEdit *edit = run->plan->edits->pdata[index];
    bool gone = error == -ENOENT || error == -ESRCH;
    /* A device that goes down or away takes its routes along: the next look tells. */
    bool may_be_gone = error == -ENODEV || error == -ENETUNREACH || error == -EHOSTUNREACH;

    if (edit->kind == TT_EDIT_DELETE && gone && edit->pair >= 0)
        take_back(run, (guint) edit->pair);
    if (edit->kind == TT_EDIT_APPEND)
        break_off_append(run, index);
    run->execution.outdated |= gone || may_be_gone;
    if (!gone && !(may_be_gone && !run->last_round))
        report(run, edit, error, text);
    /* An old copy that stays is in front of the new ones: those before it must stay as well. */
    return edit->kind == TT_EDIT_APPEND
           || (edit->kind == TT_EDIT_DELETE && !gone && edit->pair >= 0);
}

static bool
carry_out(Run *run, guint index)
{
    const TtEdit *edit = run->plan->edits->pdata[index];
    g_autofree char *text = NULL;
    int r = send_edit(run, edit->kind, edit->route, edit->absent, &text);

    run->done[index] = r == 0;
    if (r < 0)
        return !handle_failure(run, index, r, text);
    if (edit->kind == TT_EDIT_REPLACE && tt_race_repair(run->race, edit))
        run->execution.outdated = true;
    report(run, edit, 0, NULL);
    return true;
}

static bool
is_outdated(Run *run)
{
    run->execution.outdated |= tt_race_lost(run->race);
    return run->execution.outdated;
}

static void
carry_all_out(Run *run)
{
    guint skipped_step = G_MAXUINT;
    guint last_step = G_MAXUINT;

    for (guint i = 0; i < run->plan->edits->len; i++) {
        const TtEdit *edit = run->plan->edits->pdata[i];

        if (edit->step == skipped_step)
            continue;
        /* Between steps nothing is half done: the place to stop where the plan is history. */
        if (edit->step != last_step && is_outdated(run))
            return;
        last_step = edit->step;
        if (!carry_out(run, i))
            skipped_step = edit->step;
    }
    is_outdated(run);
}

TtExecution
tt_execute(TtRtnl *rtnl, const TtPlan *plan, bool last_round, TtApplyReportFunc func, gpointer data)
{
    g_autoptr(TtRace) race = tt_race_new(rtnl, plan);
    g_autofree bool *done = g_new0(bool, plan->edits->len);
    Run run = {
        .rtnl = rtnl,
        .plan = plan,
        .report = func,
        .data = data,
        .race = race,
        .done = done,
        .last_round = last_round,
    };

    carry_all_out(&run);
    return run.execution;
}
