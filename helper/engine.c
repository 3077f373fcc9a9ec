/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine.h"

#include "core/error.h"
#include "core/report.h"
#include "ip-command.h"
#include "print.h"

#include <stdio.h>

#define LOCK_TIMEOUT_S 30

/* What came of all devices of the run, in lines: what is a detail of another edit has none. */
typedef struct {
    bool unchanged;
    guint n_done;
    guint n_failed;
    guint n_still_tuned;
} Sum;

static void
print_edit(const TtEditReport *report, gpointer data)
{
    Sum *sum = data;
    g_autofree char *text = NULL;

    if (report->error || report->text) {
        text = tt_report_failure(report);
        tt_print_line(stderr, "", text);
        sum->n_failed++;
    } else if (!tt_report_is_detail(report->edit)) {
        text = tt_report_edit(report->edit);
        tt_print_line(stdout, "", text);
        sum->n_done++;
    }
}

/* Without a policy nothing is wanted: what is left alone is what could not be undone. */
static void
print_left_alone(const TtApplyOptions *options, const TtPlan *plan, Sum *sum)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);
        bool still_tuned = !options->policy && item->left != TT_LEFT_NONE && item->since != 0;
        g_autofree char *route = NULL;
        g_autofree char *text = NULL;

        if (!still_tuned && item->state != TT_STATE_LEFT)
            continue;
        route = tt_route_format(item->route, false);
        text = g_strdup_printf("%s: %s: %s", route, still_tuned ? "still tuned" : "left alone",
                               tt_left_text(item->left));
        tt_print_line(stdout, "", text);
        sum->n_still_tuned += still_tuned;
    }
}

static bool
dry_run(const TtApplyOptions *options, Sum *sum, GError **error)
{
    g_autoptr(TtPlan) plan = tt_apply_look(options, error);

    if (!plan)
        return false;
    for (guint i = 0; i < plan->edits->len; i++) {
        const TtEdit *edit = g_ptr_array_index(plan->edits, i);
        g_autofree char *text = tt_report_edit(edit);
        g_autofree char *command = tt_ip_command(edit);

        tt_print_line(stdout, "", text);
        tt_print_line(stdout, "    ", command);
    }
    print_left_alone(options, plan, sum);
    sum->unchanged &= plan->edits->len == 0;
    return true;
}

static bool
real_run(const TtApplyOptions *options, Sum *sum, GError **error)
{
    TtApplyResult result = {0};

    if (!tt_apply_run(options, print_edit, sum, &result, error))
        return false;
    if (result.outcome == TT_OUTCOME_LEFT_TO_OTHER) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                    "another run of tcptune-nm has held the lock for %d s; nothing%s was done.",
                    LOCK_TIMEOUT_S, sum->unchanged ? "" : " more");
        return false;
    }
    if (result.plan)
        print_left_alone(options, result.plan, sum);
    sum->unchanged &= result.n_changed == 0 && result.n_failed == 0;
    tt_apply_result_clear(&result);
    return true;
}

static bool
conclude(const TtEngineRun *run, const Sum *sum, GError **error)
{
    const char *more = sum->n_still_tuned == 1 ? " is" : "s are";

    if (sum->unchanged && !sum->n_still_tuned)
        puts("unchanged");
    if (sum->n_failed)
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "%u of %u edits failed.", sum->n_failed,
                    sum->n_failed + sum->n_done);
    else if (sum->n_still_tuned && !run->dry_run)
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "%u route%s still tuned.",
                    sum->n_still_tuned, more);
    else
        return true;
    return false;
}

bool
tt_engine_run(const TtEngineRun *run, GError **error)
{
    TtApplyOptions options = {
        .policy = run->policy,
        .eager = true,
        .lock_timeout_ms = LOCK_TIMEOUT_S * 1000,
    };
    Sum sum = {.unchanged = true};

    for (guint i = 0; i == 0 || i < run->devices->len; i++) {
        if (run->devices->len > 0)
            options.ifindex = g_array_index(run->devices, int, i);
        if (run->dry_run ? !dry_run(&options, &sum, error) : !real_run(&options, &sum, error))
            return false;
    }
    return conclude(run, &sum, error);
}
