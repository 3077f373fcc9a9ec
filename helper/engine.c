/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine.h"

#include "core/error.h"
#include "core/report.h"
#include "ip-command.h"

#include <stdio.h>

/* What came of all devices of the run. */
typedef struct {
    guint n_changed;
    guint n_failed;
    guint n_left;
    bool left_to_other;
} Sum;

static void
print_edit(const TtEditReport *report, gpointer data)
{
    g_autofree char *text = NULL;

    if (report->error || report->text) {
        text = tt_report_failure(report);
        fflush(stdout);
        fprintf(stderr, "%s\n", text);
    } else if (!tt_report_is_detail(report->edit)) {
        text = tt_report_edit(report->edit);
        puts(text);
    }
}

static void
print_left_alone(const TtPlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);
        g_autofree char *route = NULL;

        if (item->state != TT_STATE_LEFT)
            continue;
        route = tt_route_format(item->route, false);
        printf("%s: left alone: %s\n", route, tt_left_text(item->left));
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

        printf("%s\n    %s\n", text, command);
    }
    print_left_alone(plan);
    sum->n_changed += plan->edits->len;
    return true;
}

static bool
real_run(const TtApplyOptions *options, Sum *sum, GError **error)
{
    TtApplyResult result = {0};

    if (!tt_apply_run(options, print_edit, NULL, &result, error))
        return false;
    if (result.plan)
        print_left_alone(result.plan);
    sum->n_changed += result.n_changed;
    sum->n_failed += result.n_failed;
    sum->n_left += result.n_left;
    sum->left_to_other |= result.outcome == TT_OUTCOME_LEFT_TO_OTHER;
    tt_apply_result_clear(&result);
    return true;
}

static bool
conclude(const Sum *sum, GError **error)
{
    if (sum->left_to_other)
        puts("Another run is at work; it was told to look again and does this one's work.");
    else if (!sum->n_changed && !sum->n_failed)
        puts("unchanged");
    if (!sum->n_failed)
        return true;
    g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "%u of %u edits failed.", sum->n_failed,
                sum->n_failed + sum->n_changed);
    return false;
}

bool
tt_engine_run(const TtEngineRun *run, GError **error)
{
    TtApplyOptions options = {.policy = run->policy};
    Sum sum = {0};

    for (guint i = 0; i == 0 || i < run->devices->len; i++) {
        if (run->devices->len > 0)
            options.ifindex = g_array_index(run->devices, int, i);
        if (run->dry_run ? !dry_run(&options, &sum, error) : !real_run(&options, &sum, error))
            return false;
    }
    return conclude(&sum, error);
}
