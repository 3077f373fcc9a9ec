/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply.h"

#include "error.h"
#include "execute.h"
#include "lock.h"
#include "lowered.h"
#include "snapshot.h"
#include "state-file.h"
#include "tcp-counters.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define LOCK_TIMEOUT_MS 1000
#define QUIET_MS                                                                                   \
    25 /* no change for this long: NetworkManager has put its own route in and ours out */
#define PATIENCE_MS 500
#define N_ROUNDS 5 /* others may change routes while we do; then the plan is made again */

typedef struct {
    TtApplyOptions *options;
    TtApplyReportFunc report;
    gpointer data;
    TtRtnl *rtnl;
    GHashTable *told; /* edits that were reported: one that does not stick is made again */
    guint round;
    TtJournal *journal; /* as it is on disk, once it was saved */
    bool has_undone;
    TtApplyResult *result;
} Run;

void
tt_apply_result_clear(TtApplyResult *result)
{
    g_clear_pointer(&result->plan, tt_plan_free);
    g_clear_pointer(&result->policy, tt_policy_free);
}

static TtApplyOptions
with_defaults(const TtApplyOptions *options)
{
    TtApplyOptions complete = *options;

    if (!complete.run_dir)
        complete.run_dir = TT_RUN_DIR;
    if (!complete.lock_timeout_ms)
        complete.lock_timeout_ms = LOCK_TIMEOUT_MS;
    return complete;
}

TtPlan *
tt_apply_look(const TtApplyOptions *options, GError **error)
{
    TtApplyOptions complete = with_defaults(options);
    g_autoptr(TtRtnl) rtnl = NULL;
    g_autoptr(TtJournal) journal = tt_journal_load(complete.run_dir, error);

    if (!journal)
        return NULL;
    rtnl = tt_rtnl_new(error);
    return rtnl ? tt_snapshot_plan(rtnl, &complete, journal, error) : NULL;
}

static TtHostOptions
host_options(const TtApplyOptions *options)
{
    return (TtHostOptions){
        .run_dir = options->run_dir,
        .wishes = options->policy ? options->policy->host : NULL,
    };
}

bool
tt_apply_look_host(const TtApplyOptions *options, TtHostPlan *out_plan, GError **error)
{
    TtApplyOptions complete = with_defaults(options);
    TtHostOptions host = host_options(&complete);

    return tt_host_look(&host, out_plan, error);
}

static bool
save(Run *run, GError **error)
{
    return !tt_journal_is_changed(run->journal, true)
           || tt_journal_save(run->journal, run->options->run_dir, error);
}

static TtPlan *
look(Run *run, GError **error)
{
    return tt_snapshot_plan(run->rtnl, run->options, run->journal, error);
}

static char *
told_key(const TtEdit *edit, int error)
{
    g_autofree char *route = tt_route_format(edit->route, true);

    return g_strdup_printf("%d %d %s", edit->kind, error, route);
}

/* What the first round did is told; there are few of the others, and few of them have edits. */
static void
note_first_round(Run *run, const TtPlan *plan)
{
    for (guint i = 0; i < plan->edits->len; i++)
        g_hash_table_add(run->told, told_key(plan->edits->pdata[i], 0));
}

static void
report_once(const TtEditReport *report, gpointer data)
{
    Run *run = data;

    if (run->round > 0 && !g_hash_table_add(run->told, told_key(report->edit, report->error)))
        return;
    if (report->error)
        run->result->n_failed++;
    else
        run->result->n_changed++;
    if (run->report)
        run->report(report, run->data);
}

/* The kernel took an edit and yet the route is not as it should be: said once, at the end. */
static void
report_rest(Run *run, const TtPlan *plan)
{
    for (guint i = 0; i < plan->edits->len; i++) {
        TtEditReport report = {
            .edit = plan->edits->pdata[i],
            .error = -EAGAIN,
            .text = "the kernel's table does not show it; something else changes this route",
        };

        report_once(&report, run);
    }
}

static void
count_left(const TtPlan *plan, TtApplyResult *result)
{
    result->n_left = 0;
    for (guint i = 0; i < plan->items->len; i++)
        result->n_left += ((TtPlanItem *) plan->items->pdata[i])->left != TT_LEFT_NONE;
}

static bool
is_revert(const TtApplyOptions *options)
{
    return !options->policy && !options->tidy_only && !options->orphans_only;
}

/* Nothing is tuned any more, and not because a route went by itself: the next time counts anew. */
static void
forget_baseline(const Run *run)
{
    if (tt_journal_size(run->journal) == 0 && (run->has_undone || is_revert(run->options))
        && !tt_host_notes_exist(run->options->run_dir))
        tt_counters_forget(run->options->run_dir, NULL);
}

static bool
finish(Run *run, TtPlan *plan, GError **error)
{
    count_left(plan, run->result);
    tt_plan_free(run->result->plan);
    run->result->plan = plan;
    if (run->result->n_changed > 0)
        run->result->outcome = TT_OUTCOME_CHANGED;
    /* What could not be undone is not forgotten. */
    if (plan->edits->len > 0)
        tt_plan_note_intent(plan, run->journal);
    else if (!run->options->orphans_only)
        tt_plan_note_done(plan, run->journal);
    return save(run, error);
}

/* The journal cannot be written, so that nothing may be tuned. An orphan leads nowhere: taking it
 * away needs no note, and what comes after it is the host's connectivity. */
static void
take_orphans_away(Run *run)
{
    TtApplyOptions options = *run->options;
    g_autoptr(TtPlan) plan = NULL;

    options.orphans_only = true;
    plan = tt_snapshot_plan(run->rtnl, &options, run->journal, NULL);
    if (plan)
        tt_execute(run->rtnl, plan, true, report_once, run);
}

static bool
has_edits(const TtPlan *plan, TtReason reason)
{
    for (guint i = 0; i < plan->edits->len; i++) {
        if (((const TtEdit *) plan->edits->pdata[i])->reason == reason)
            return true;
    }
    return false;
}

/* What a kill must not lose: how to undo, and what an undo will not reach. The baseline only serves
 * who looks on: where it cannot be written, counts begin with the boot. */
static bool
save_notes(Run *run, const TtPlan *plan, GError **error)
{
    const char *run_dir = run->options->run_dir;

    tt_plan_note_intent(plan, run->journal);
    if (!save(run, error) || !tt_lowered_note(run_dir, plan, error))
        return false;
    if (has_edits(plan, TT_REASON_TUNE))
        tt_counters_note(run_dir, plan->now, NULL);
    run->has_undone |= has_edits(plan, TT_REASON_UNDO);
    return true;
}

/* One round. Returns what is true afterwards; *out_done: another round would not help. */
static TtPlan *
write_and_look(Run *run, const TtPlan *plan, bool *out_done, GError **error)
{
    TtExecution execution;
    TtPlan *next;

    if (!save_notes(run, plan, error)) {
        take_orphans_away(run);
        return NULL;
    }
    execution = tt_execute(run->rtnl, plan, run->round == N_ROUNDS - 1, report_once, run);
    next = look(run, error);
    if (run->round == 0 && next && next->edits->len > 0)
        note_first_round(run, plan);
    *out_done = execution.n_failed > 0 && !execution.outdated;
    return next;
}

/* Who expects changes would only look twice. From the watch on, changes by others are seen. */
static TtPlan *
first_look(Run *run, GError **error)
{
    if (!run->options->eager) {
        g_autoptr(TtPlan) plan = look(run, error);

        if (!plan || plan->edits->len == 0)
            return g_steal_pointer(&plan);
    }
    return tt_rtnl_watch(run->rtnl, error) ? look(run, error) : NULL;
}

static bool
has_twins(const TtPlan *plan)
{
    for (guint i = 0; i < plan->edits->len; i++) {
        const TtEdit *edit = plan->edits->pdata[i];

        if (edit->kind == TT_EDIT_DELETE && edit->reason == TT_REASON_TWIN)
            return true;
    }
    return false;
}

/*
 * A reapply of NetworkManager adds a plain copy behind a tuned route, and takes away the tuned one,
 * which it does not know, a moment later. Deleting the copy in between would leave no route at all.
 */
static TtPlan *
await_twins(Run *run, TtPlan *plan, GError **error)
{
    gint64 end_us = g_get_monotonic_time() + PATIENCE_MS * G_TIME_SPAN_MILLISECOND;

    while (plan && has_twins(plan) && g_get_monotonic_time() < end_us
           && !tt_rtnl_is_quiet(run->rtnl, QUIET_MS)) {
        tt_plan_free(plan);
        plan = look(run, error);
    }
    return plan;
}

/*
 * Plan, write, look again, until there is nothing left to do. The journal is written before the
 * kernel is: a run that is killed in between leaves something that can be undone.
 */
static bool
converge(Run *run, GError **error)
{
    TtPlan *plan = await_twins(run, first_look(run, error), error);
    bool done = false;

    for (run->round = 0; plan && plan->edits->len > 0 && !done; run->round++) {
        TtPlan *next;

        if (run->round == N_ROUNDS) {
            report_rest(run, plan);
            break;
        }
        next = write_and_look(run, plan, &done, error);
        tt_plan_free(plan);
        plan = await_twins(run, next, error);
    }
    return plan && finish(run, plan, error);
}

/*
 * An undo of everything leaves a mark, so that who is still watching, the monitor and a hook that
 * waits for NetworkManager to finish, does not take it for a change to be put right. The next run
 * that somebody asked for takes the mark away.
 */
bool
tt_apply_is_reverted(const char *run_dir)
{
    g_autofree char *path = g_build_filename(run_dir, TT_REVERTED_NAME, NULL);

    return access(path, F_OK) == 0;
}

static bool
mark_reverted(const TtApplyOptions *options, GError **error)
{
    if (is_revert(options))
        return tt_apply_is_reverted(options->run_dir)
               || tt_state_file_write(options->run_dir, TT_REVERTED_NAME, "", 0, error);
    if (options->tidy_only || options->orphans_only || options->stand_back)
        return true;
    return !tt_apply_is_reverted(options->run_dir)
           || tt_state_file_remove(options->run_dir, TT_REVERTED_NAME, error);
}

/*
 * Somebody could not have the lock and left a mark: what they saw may be another policy or another
 * device than what we came for. An undo of everything stays one: who comes after it starts anew.
 */
static void
widen(Run *run)
{
    TtPolicy *policy = is_revert(run->options) ? NULL : tt_policy_load(NULL, NULL);

    if (!policy)
        return;
    g_clear_pointer(&run->result->plan, tt_plan_free);
    run->result->host.plan.n_items = 0;
    tt_policy_free(run->result->policy);
    run->result->policy = policy;
    run->options->policy = policy;
    run->options->ifindex = 0;
    run->options->tidy_only = false;
    run->options->orphans_only = false;
}

static bool
run_host(Run *run, GError **error)
{
    TtHostOptions options = host_options(run->options);

    if (run->options->routes_only || run->options->tidy_only || run->options->orphans_only
        || !tt_host_is_concerned(options.wishes, options.run_dir))
        return true;
    options.report = run->options->report_host;
    options.data = run->data;
    options.rtnl = run->rtnl;
    if (!tt_host_run(&options, &run->result->host, error))
        return false;
    if (run->result->host.n_changed == 0)
        return true;
    run->result->outcome = TT_OUTCOME_CHANGED;
    if (tt_host_notes_exist(options.run_dir))
        tt_counters_note(options.run_dir, g_get_real_time() / G_USEC_PER_SEC, NULL);
    else
        run->has_undone = true;
    return true;
}

static bool
run_locked(Run *run, TtLock *lock, GError **error)
{
    if (run->options->stand_back && tt_apply_is_reverted(run->options->run_dir))
        return true;
    if (!mark_reverted(run->options, error))
        return false;
    do {
        if (tt_lock_was_marked(lock))
            widen(run);
        tt_journal_free(run->journal);
        run->journal = tt_journal_load(run->options->run_dir, error);
        if (!run->journal || !converge(run, error) || !run_host(run, error))
            return false;
        forget_baseline(run);
    } while (!tt_lock_release(lock));
    return true;
}

bool
tt_apply_run(const TtApplyOptions *options,
             TtApplyReportFunc report,
             gpointer data,
             TtApplyResult *out_result,
             GError **error)
{
    TtApplyOptions complete = with_defaults(options);
    Run run = {.options = &complete, .report = report, .data = data, .result = out_result};
    g_autoptr(TtRtnl) rtnl = NULL;
    g_autoptr(TtLock) lock = NULL;
    g_autoptr(GHashTable) told = NULL;
    TtLockResult locked;
    bool ok;

    memset(out_result, 0, sizeof *out_result);
    if (!complete.rtnl) {
        rtnl = tt_rtnl_new(error);
        complete.rtnl = rtnl;
    }
    if (!complete.rtnl
        || !tt_lock_take(complete.run_dir, complete.lock_timeout_ms, &lock, &locked, error))
        return false;
    if (locked == TT_LOCK_LEFT) {
        out_result->outcome = TT_OUTCOME_LEFT_TO_OTHER;
        return true;
    }
    run.rtnl = complete.rtnl;
    told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    run.told = told;
    ok = run_locked(&run, lock, error);
    tt_rtnl_unwatch(run.rtnl);
    tt_journal_free(run.journal);
    if (!ok)
        tt_apply_result_clear(out_result);
    return ok;
}
