/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine.h"

#include "core/error.h"
#include "core/report.h"
#include "ip-command.h"
#include "json-route.h"
#include "print.h"

#include <stdio.h>

#define LOCK_TIMEOUT_S 30

/* What came of all devices of the run, in lines: what is a detail of another edit has none. */
typedef struct {
    JsonBuilder *json; /* an array for edits is open; NULL: text is wanted */
    bool unchanged;
    guint n_done;
    guint n_failed;
    guint n_still_tuned;
    GPtrArray *left; /* char *: routes that were left alone, and why */
} Sum;

static void
print_edit(const TtEditReport *report, gpointer data)
{
    Sum *sum = data;
    g_autofree char *text = NULL;

    if (sum->json)
        tt_json_add_edit(sum->json, report->edit, report);
    if (report->error || report->text) {
        text = tt_report_failure(report);
        tt_print_line(stderr, "", text);
        sum->n_failed++;
    } else if (!tt_report_is_detail(report->edit)) {
        if (!sum->json) {
            text = tt_report_edit(report->edit);
            tt_print_line(stdout, "", text);
        }
        sum->n_done++;
    }
}

/* Without a policy nothing is wanted: what is left alone is what could not be undone. */
static void
tell_left_alone(const TtApplyOptions *options, const TtPlan *plan, Sum *sum)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);
        bool still_tuned = !options->policy && item->left != TT_LEFT_NONE && item->since != 0;
        g_autofree char *route = NULL;
        char *text;

        if (!still_tuned && item->state != TT_STATE_LEFT)
            continue;
        route = tt_route_format(item->route, false);
        text = g_strdup_printf("%s: %s: %s", route, still_tuned ? "still tuned" : "left alone",
                               tt_left_text(item->left));
        if (!sum->json)
            tt_print_line(stdout, "", text);
        g_ptr_array_add(sum->left, text);
        sum->n_still_tuned += still_tuned;
    }
}

static void
tell_planned(const TtEdit *edit, Sum *sum)
{
    g_autofree char *text = tt_report_edit(edit);
    g_autofree char *command = tt_ip_command(edit);

    if (sum->json) {
        tt_json_add_edit(sum->json, edit, NULL);
        return;
    }
    tt_print_line(stdout, "", text);
    tt_print_line(stdout, "    ", command);
}

static bool
dry_run(const TtApplyOptions *options, Sum *sum, GError **error)
{
    g_autoptr(TtPlan) plan = tt_apply_look(options, error);

    if (!plan)
        return false;
    for (guint i = 0; i < plan->edits->len; i++)
        tell_planned(g_ptr_array_index(plan->edits, i), sum);
    tell_left_alone(options, plan, sum);
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
        g_set_error(error, TT_ERROR, TT_ERROR_TIMEOUT,
                    "another run of tcptune-nm has held the lock for %u s; nothing%s was done.",
                    options->lock_timeout_ms / 1000, sum->unchanged ? "" : " more");
        return false;
    }
    if (result.plan)
        tell_left_alone(options, result.plan, sum);
    sum->unchanged &= result.n_changed == 0 && result.n_failed == 0;
    tt_apply_result_clear(&result);
    return true;
}

/* The array of edits ends here. */
static void
finish_json(const TtEngineRun *run, const Sum *sum)
{
    json_builder_end_array(sum->json);
    tt_json_begin_array(sum->json, "left_alone");
    for (guint i = 0; i < sum->left->len; i++)
        tt_json_add_element(sum->json, sum->left->pdata[i]);
    json_builder_end_array(sum->json);
    tt_json_add_bool(sum->json, "changed", !sum->unchanged);
    tt_json_add_bool(sum->json, "dry_run", run->dry_run);
}

static bool
conclude(const TtEngineRun *run, const Sum *sum, GError **error)
{
    const char *more = sum->n_still_tuned == 1 ? " is" : "s are";

    if (sum->unchanged && !sum->n_still_tuned && !sum->json)
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

static bool
run_devices(const TtEngineRun *run, Sum *sum, GError **error)
{
    guint wait_s = run->options->wait_given ? run->options->wait_s : LOCK_TIMEOUT_S;
    TtApplyOptions options = {
        .policy = run->policy,
        .eager = true,
        .lock_timeout_ms = wait_s * 1000 + 1, /* 0 stands for a second */
    };

    for (guint i = 0; i == 0 || i < run->devices->len; i++) {
        if (run->devices->len > 0)
            options.ifindex = g_array_index(run->devices, int, i);
        if (run->dry_run ? !dry_run(&options, sum, error) : !real_run(&options, sum, error))
            return false;
    }
    return true;
}

bool
tt_engine_run(const TtEngineRun *run, GError **error)
{
    g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);
    Sum sum = {.json = run->json, .unchanged = true, .left = left};
    bool ok;

    if (sum.json)
        tt_json_begin_array(sum.json, "edits");
    ok = run_devices(run, &sum, error);
    if (sum.json)
        finish_json(run, &sum);
    return ok && conclude(run, &sum, error);
}
