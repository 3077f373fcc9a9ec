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

struct TtEngine {
    const TtEngineRun *run;
    JsonBuilder *host_json; /* edits of [host], in a document of its own; NULL: text is wanted */
    guint n_passes;
    bool unchanged;
    bool broken;      /* a pass came to nothing */
    bool unavailable; /* a setting that the policy names is not to be had here */
    guint n_done;     /* in lines: what is a detail of another edit has none */
    guint n_failed;
    guint n_still_tuned; /* in the last pass, as `left` */
    GPtrArray *left;     /* char *: routes that were left alone, and why */
    GPtrArray *host_left;
};

static void
print_edit(const TtEditReport *report, gpointer data)
{
    TtEngine *engine = data;
    g_autofree char *text = NULL;

    if (engine->run->json)
        tt_json_add_edit(engine->run->json, report->edit, report);
    if (report->error || report->text) {
        text = tt_report_failure(report);
        tt_print_line(stderr, "", text);
        engine->n_failed++;
    } else if (!tt_report_is_detail(report->edit)) {
        if (!engine->run->json) {
            text = tt_report_edit(report->edit);
            tt_print_line(stdout, "", text);
        }
        engine->n_done++;
    }
}

static void
print_host(const TtHostReport *report, gpointer data)
{
    TtEngine *engine = data;
    g_autofree char *text = tt_host_report_write(report);

    if (engine->run->json)
        tt_json_add_host_edit(engine->host_json, report->item, report);
    if (report->error)
        tt_print_line(stderr, "", text);
    else if (!engine->run->json)
        tt_print_line(stdout, "", text);
    *(report->error ? &engine->n_failed : &engine->n_done) += 1;
}

/* Without a policy nothing is wanted: what is left alone is what could not be undone. */
static void
note_left_alone(const TtApplyOptions *options, const TtPlan *plan, TtEngine *engine)
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
        g_ptr_array_add(engine->left, text);
        engine->n_still_tuned += still_tuned;
    }
}

static void
note_unavailable(const TtHostPlan *plan, TtEngine *engine)
{
    for (guint i = 0; i < plan->n_items; i++) {
        const TtHostItem *item = &plan->items[i];
        g_autofree char *name = tt_host_report_name(item->key);
        g_autofree char *state = tt_host_report_state(item);

        if (item->state != TT_HOST_UNAVAILABLE || !item->wish)
            continue;
        engine->unavailable = true;
        g_ptr_array_add(engine->host_left, g_strdup_printf("%s: %s", name, state));
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
tell_planned_host(const TtHostItem *item, TtEngine *engine)
{
    g_autofree char *text = tt_host_report_plan(item);
    g_autofree char *command = tt_host_report_command(item);

    if (engine->run->json) {
        tt_json_add_host_edit(engine->host_json, item, NULL);
        return;
    }
    tt_print_line(stdout, "", text);
    tt_print_line(stdout, "    ", command);
}

static bool
dry_run_host(const TtApplyOptions *options, TtEngine *engine, GError **error)
{
    TtHostPlan plan;

    if (options->routes_only)
        return true;
    if (!tt_apply_look_host(options, &plan, error))
        return false;
    for (guint i = 0; i < plan.n_items; i++) {
        if (plan.items[i].state == TT_HOST_DIFFERS)
            tell_planned_host(&plan.items[i], engine);
    }
    note_unavailable(&plan, engine);
    warn_of_drift(&plan);
    engine->unchanged &= !tt_host_plan_writes(&plan);
    return true;
}

static void
tell_planned(const TtEdit *edit, TtEngine *engine)
{
    g_autofree char *text = tt_report_edit(edit);
    g_autofree char *command = tt_ip_command(edit);

    if (engine->run->json) {
        tt_json_add_edit(engine->run->json, edit, NULL);
        return;
    }
    tt_print_line(stdout, "", text);
    tt_print_line(stdout, "    ", command);
}

static bool
dry_run(const TtApplyOptions *options, TtEngine *engine, GError **error)
{
    g_autoptr(TtPlan) plan = tt_apply_look(options, error);

    if (!plan)
        return false;
    for (guint i = 0; i < plan->edits->len; i++)
        tell_planned(g_ptr_array_index(plan->edits, i), engine);
    note_left_alone(options, plan, engine);
    engine->unchanged &= plan->edits->len == 0;
    return dry_run_host(options, engine, error);
}

static bool
real_run(const TtApplyOptions *options, TtEngine *engine, GError **error)
{
    TtApplyResult result = {0};

    if (!tt_apply_run(options, print_edit, engine, &result, error))
        return false;
    if (result.outcome == TT_OUTCOME_LEFT_TO_OTHER) {
        g_set_error(error, TT_ERROR, TT_ERROR_TIMEOUT,
                    "another run of tcptune-nm has held the lock for %u s; nothing%s was done.",
                    options->lock_timeout_ms / 1000, engine->unchanged ? "" : " more");
        return false;
    }
    if (result.plan)
        note_left_alone(options, result.plan, engine);
    note_unavailable(&result.host.plan, engine);
    warn_of_drift(&result.host.plan);
    engine->unchanged &= result.n_changed == 0 && result.n_failed == 0 && result.host.n_changed == 0
                         && result.host.n_failed == 0;
    tt_apply_result_clear(&result);
    return true;
}

static void
add_texts(JsonBuilder *json, const GPtrArray *texts)
{
    for (guint i = 0; i < texts->len; i++)
        tt_json_add_element(json, texts->pdata[i]);
}

/* The arrays of edits end here. */
static void
finish_json(TtEngine *engine)
{
    JsonBuilder *json = engine->run->json;

    json_builder_end_array(json);
    json_builder_end_array(engine->host_json);
    json_builder_set_member_name(json, "host_edits");
    json_builder_add_value(json, json_builder_get_root(engine->host_json));
    tt_json_begin_array(json, "left_alone");
    add_texts(json, engine->left);
    add_texts(json, engine->host_left);
    json_builder_end_array(json);
    tt_json_add_bool(json, "changed", !engine->unchanged);
    tt_json_add_bool(json, "dry_run", engine->run->dry_run);
}

static void
finish_text(const TtEngine *engine)
{
    for (guint i = 0; i < engine->left->len; i++)
        tt_print_line(stdout, "", engine->left->pdata[i]);
    for (guint i = 0; i < engine->host_left->len; i++)
        tt_print_line(stdout, "", engine->host_left->pdata[i]);
    if (!engine->broken && engine->unchanged && !engine->n_still_tuned)
        puts("unchanged");
}

TtEngine *
tt_engine_new(const TtEngineRun *run)
{
    TtEngine *engine = g_new0(TtEngine, 1);

    engine->run = run;
    engine->unchanged = true;
    engine->left = g_ptr_array_new_with_free_func(g_free);
    engine->host_left = g_ptr_array_new_with_free_func(g_free);
    if (run->json) {
        engine->host_json = json_builder_new();
        json_builder_begin_array(engine->host_json);
        tt_json_begin_array(run->json, "edits");
    }
    return engine;
}

void
tt_engine_free(TtEngine *engine)
{
    if (!engine)
        return;
    g_ptr_array_unref(engine->left);
    g_ptr_array_unref(engine->host_left);
    g_clear_object(&engine->host_json);
    g_free(engine);
}

static bool
run_on(TtEngine *engine, int ifindex, GError **error)
{
    const TtEngineRun *run = engine->run;
    guint wait_s = run->options->wait_given ? run->options->wait_s : LOCK_TIMEOUT_S;
    TtApplyOptions options = {
        .policy = run->policy,
        .ifindex = ifindex,
        .native = run->native,
        .eager = true,
        .routes_only = run->devices || engine->n_passes > 0,
        .report_host = print_host,
        .lock_timeout_ms = wait_s * 1000 + 1, /* 0 stands for a second */
    };

    engine->broken =
        !(run->dry_run ? dry_run(&options, engine, error) : real_run(&options, engine, error));
    return !engine->broken;
}

bool
tt_engine_pass(TtEngine *engine, GError **error)
{
    const GArray *devices = engine->run->devices;
    bool ok = true;

    g_ptr_array_set_size(engine->left, 0);
    engine->n_still_tuned = 0;
    if (!devices)
        ok = run_on(engine, 0, error);
    for (guint i = 0; ok && devices && i < devices->len; i++)
        ok = run_on(engine, g_array_index(devices, int, i), error);
    engine->n_passes++;
    return ok;
}

void
tt_engine_note_change(TtEngine *engine)
{
    engine->unchanged = false;
}

bool
tt_engine_has_changed(const TtEngine *engine)
{
    return !engine->unchanged;
}

static bool
conclude(const TtEngine *engine, GError **error)
{
    const char *more = engine->n_still_tuned == 1 ? " is" : "s are";

    if (engine->n_failed)
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "%u of %u edits failed.", engine->n_failed,
                    engine->n_failed + engine->n_done);
    else if (engine->n_still_tuned && !engine->run->dry_run)
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "%u route%s still tuned.",
                    engine->n_still_tuned, more);
    else
        return true;
    return false;
}

bool
tt_engine_finish(TtEngine *engine, GError **error)
{
    if (engine->run->json)
        finish_json(engine);
    else
        finish_text(engine);
    if (engine->unavailable)
        *engine->run->exit = TT_EXIT_DIFFERS;
    return !engine->broken && conclude(engine, error);
}
