/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine.h"

#include "core/error.h"
#include "core/host-report.h"
#include "core/report.h"
#include "ip-command.h"
#include "json-host.h"
#include "json-route.h"
#include "print.h"

#include <stdio.h>

#define LOCK_TIMEOUT_S 30

/* What came of all devices of the run, in lines: what is a detail of another edit has none. */
typedef struct {
    JsonBuilder *json;      /* an array for edits is open; NULL: text is wanted */
    JsonBuilder *host_json; /* the same for settings of [host], in a document of its own */
    bool unchanged;
    bool unavailable; /* a setting that the policy names is not to be had here */
    guint n_done;
    guint n_failed;
    guint n_still_tuned;
    GPtrArray *left; /* char *: routes and settings that were left alone, and why */
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

static void
print_host(const TtHostReport *report, gpointer data)
{
    Sum *sum = data;
    g_autofree char *text = tt_host_report_write(report);

    if (sum->json)
        tt_json_add_host_edit(sum->host_json, report->item, report);
    if (report->error)
        tt_print_line(stderr, "", text);
    else if (!sum->json)
        tt_print_line(stdout, "", text);
    *(report->error ? &sum->n_failed : &sum->n_done) += 1;
}

static void
tell_left(Sum *sum, char *text)
{
    if (!sum->json)
        tt_print_line(stdout, "", text);
    g_ptr_array_add(sum->left, text);
}

/* Without a policy nothing is wanted: what is left alone is what could not be undone. */
static void
tell_left_alone(const TtApplyOptions *options, const TtPlan *plan, Sum *sum)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);
        bool still_tuned = !options->policy && item->left != TT_LEFT_NONE && item->since != 0;
        g_autofree char *route = NULL;

        if (!still_tuned && item->state != TT_STATE_LEFT)
            continue;
        route = tt_route_format(item->route, false);
        tell_left(sum,
                  g_strdup_printf("%s: %s: %s", route, still_tuned ? "still tuned" : "left alone",
                                  tt_left_text(item->left)));
        sum->n_still_tuned += still_tuned;
    }
}

static void
tell_unavailable(const TtHostPlan *plan, Sum *sum)
{
    for (guint i = 0; i < plan->n_items; i++) {
        const TtHostItem *item = &plan->items[i];
        g_autofree char *name = tt_host_report_name(item->key);
        g_autofree char *state = tt_host_report_state(item);

        if (item->state != TT_HOST_UNAVAILABLE || !item->wish)
            continue;
        sum->unavailable = true;
        tell_left(sum, g_strdup_printf("%s: %s", name, state));
    }
}

/* What holds now, and will not after the next boot. */
static void
warn_of_drift(const TtHostPlan *plan)
{
    g_auto(TtHostView) view = {.plan = *plan};

    tt_host_view_find_drift(&view);
    for (guint i = 0; i < plan->n_items; i++) {
        g_autofree char *name = tt_host_report_name(plan->items[i].key);
        g_autofree char *drift = NULL;
        g_autofree char *text = NULL;

        if (!view.drift[i].file)
            continue;
        drift = tt_host_report_drift(plan->items[i].key, &view.drift[i]);
        text = g_strdup_printf("%s: %s", name, drift);
        tt_print_line(stderr, "Warning: ", text);
    }
}

static void
tell_planned_host(const TtHostItem *item, Sum *sum)
{
    g_autofree char *text = tt_host_report_plan(item);
    g_autofree char *command = tt_host_report_command(item);

    if (sum->json) {
        tt_json_add_host_edit(sum->host_json, item, NULL);
        return;
    }
    tt_print_line(stdout, "", text);
    tt_print_line(stdout, "    ", command);
}

static bool
dry_run_host(const TtApplyOptions *options, Sum *sum, GError **error)
{
    TtHostPlan plan;

    if (options->routes_only)
        return true;
    if (!tt_apply_look_host(options, &plan, error))
        return false;
    for (guint i = 0; i < plan.n_items; i++) {
        if (plan.items[i].state == TT_HOST_DIFFERS)
            tell_planned_host(&plan.items[i], sum);
    }
    tell_unavailable(&plan, sum);
    warn_of_drift(&plan);
    sum->unchanged &= !tt_host_plan_writes(&plan);
    return true;
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
    return dry_run_host(options, sum, error);
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
    tell_unavailable(&result.host.plan, sum);
    warn_of_drift(&result.host.plan);
    sum->unchanged &= result.n_changed == 0 && result.n_failed == 0 && result.host.n_changed == 0
                      && result.host.n_failed == 0;
    tt_apply_result_clear(&result);
    return true;
}

/* The arrays of edits end here. */
static void
finish_json(const TtEngineRun *run, const Sum *sum)
{
    json_builder_end_array(sum->json);
    json_builder_end_array(sum->host_json);
    json_builder_set_member_name(sum->json, "host_edits");
    json_builder_add_value(sum->json, json_builder_get_root(sum->host_json));
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
        .routes_only = run->devices->len > 0,
        .report_host = print_host,
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
    g_autoptr(JsonBuilder) host_json = run->json ? json_builder_new() : NULL;
    Sum sum = {.json = run->json, .host_json = host_json, .unchanged = true, .left = left};
    bool ok;

    if (sum.json) {
        json_builder_begin_array(host_json);
        tt_json_begin_array(sum.json, "edits");
    }
    ok = run_devices(run, &sum, error);
    if (sum.json)
        finish_json(run, &sum);
    if (sum.unavailable)
        *run->exit = TT_EXIT_DIFFERS;
    return ok && conclude(run, &sum, error);
}
