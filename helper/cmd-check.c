/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/apply.h"
#include "core/host-report.h"
#include "core/monitor-status.h"
#include "describe.h"
#include "effect.h"
#include "json-host.h"
#include "json-monitor.h"
#include "json-route.h"
#include "monitor-text.h"
#include "native-check.h"
#include "native-json.h"
#include "output.h"

#include <stdio.h>

const TtField tt_check_fields[] = {{"ROUTE"},  {"DEVICE"}, {"WANTED"},
                                   {"KERNEL"}, {"STATE"},  {NULL}};

static char **
make_row(const TtPlanItem *item)
{
    char **row = g_new0(char *, G_N_ELEMENTS(tt_check_fields));

    row[0] = tt_describe_route(item->route);
    row[1] = tt_describe_devices(item->route);
    row[2] = tt_describe_wanted(item);
    row[3] = tt_describe_kernel(item);
    row[4] = tt_describe_state(item);
    return row;
}

static void
add_text(TtTable *table, char *what, char *devices, char *text)
{
    char **row = g_new0(char *, G_N_ELEMENTS(tt_check_fields));

    row[0] = what;
    row[1] = devices;
    row[4] = text;
    tt_table_take_toned_row(table, row, TT_TONE_BAD);
}

/* A monitor that follows another policy is a difference, though the routes may be right. */
static void
add_monitor(TtTable *table)
{
    TtMonitorStatus status;
    char *complaint =
        tt_monitor_status_read(TT_RUN_DIR, &status) ? tt_monitor_complaint(&status) : NULL;

    tt_monitor_status_clear(&status);
    if (complaint)
        add_text(table, g_strdup("monitor"), NULL, complaint);
}

static void
add_routes(TtTable *table, const TtPlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);

        if (tt_describe_is_difference(item))
            tt_table_take_toned_row(table, make_row(item), tt_describe_tone(item));
    }
}

static void
add_host(TtTable *table, const TtHostView *view)
{
    for (guint i = 0; i < view->plan.n_items; i++) {
        char **row;

        if (!tt_host_view_is_difference(view, i))
            continue;
        row = g_new0(char *, G_N_ELEMENTS(tt_check_fields));
        row[0] = tt_host_report_name(view->plan.items[i].key);
        row[2] = tt_host_view_wanted(view, i);
        row[3] = tt_host_view_kernel(view, i);
        row[4] = tt_host_view_state(view, i);
        tt_table_take_toned_row(table, row, tt_host_view_tone(view, i));
    }
}

static char *
join_devices(const TtNmProfile *profile)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < profile->devices->len; i++)
        g_string_append_printf(names, "%s%s", i ? "," : "",
                               ((TtNmDevice *) profile->devices->pdata[i])->interface);
    return g_string_free(names, FALSE);
}

static void
add_profiles(TtTable *table, const TtNative *native, TtTristate wanted)
{
    for (guint i = 0; native && i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];
        const char *name = tt_nm_profile_name(planned->profile);
        char *text = tt_native_difference(planned, wanted);

        if (text)
            add_text(table, g_strconcat("profile ", name, NULL), join_devices(planned->profile),
                     text);
    }
}

static bool
look_at_profiles(TtTable *table, const TtPolicy *policy, TtNative **out_native, GError **error)
{
    char *complaint = NULL;

    if (!tt_native_check(policy, out_native, &complaint, error))
        return false;
    if (complaint)
        add_text(table, g_strdup("native=yes"), NULL, complaint);
    add_profiles(table, *out_native, policy->main.native);
    return true;
}

static void
add_json(JsonBuilder *json, const TtPlan *plan, const TtHostView *view, const TtNative *native)
{
    tt_json_begin_array(json, "differences");
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);

        if (tt_describe_is_difference(item))
            tt_json_add_item(json, item);
    }
    json_builder_end_array(json);
    tt_json_add_host(json, view, true);
    tt_native_add_json(json, native);
    tt_json_add_monitor(json);
}

static void
print(const TtTable *table, const TtPlan *plan, const TtOptions *options)
{
    g_autofree char *text = tt_table_format(table);

    fputs(text, stdout);
    if (options->terse)
        return;
    if (!text[0])
        puts("everything is as the policy says");
    tt_effect_print(plan);
}

bool
tt_cmd_check(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtTable) table =
        tt_table_new(context->command, tt_check_fields, context->options, error);
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(TtPlan) plan = NULL;
    g_auto(TtHostView) view = {0};
    g_autoptr(TtNative) native = NULL;

    if (!table || !tt_args_end(args, error))
        return false;
    policy = tt_policy_load_host(error);
    plan = policy ? tt_apply_look(&(TtApplyOptions){.policy = policy}, error) : NULL;
    if (!plan || !tt_host_view_load(&view, policy, error))
        return false;
    tt_table_set_title(table, "Not as the policy says");
    add_routes(table, plan);
    add_host(table, &view);
    if (!look_at_profiles(table, policy, &native, error))
        return false;
    add_monitor(table);
    if (tt_table_size(table) > 0)
        context->exit = TT_EXIT_DIFFERS;
    if (context->json)
        add_json(context->json, plan, &view, native);
    else
        print(table, plan, context->options);
    return true;
}
