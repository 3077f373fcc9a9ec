/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/apply.h"
#include "core/error.h"
#include "core/host-report.h"
#include "core/monitor-status.h"
#include "core/report.h"
#include "core/rtnl.h"
#include "describe.h"
#include "effect.h"
#include "json-host.h"
#include "json-monitor.h"
#include "json-route.h"
#include "monitor-text.h"
#include "output.h"
#include "plan-lookup.h"
#include "print.h"
#include "textfile.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

enum { ROUTE, DEVICE, WANTED, KERNEL, PATH, SINCE, SECTION, STATE, N_COLUMNS };

const TtField tt_status_fields[] = {
    [ROUTE] = {"ROUTE"},
    [DEVICE] = {"DEVICE"},
    [WANTED] = {"WANTED"},
    [KERNEL] = {"KERNEL"},
    [PATH] = {"PATH"},
    [SINCE] = {"SINCE"},
    [SECTION] = {"SECTION", .on_demand = true},
    [STATE] = {"STATE"},
    [N_COLUMNS] = {NULL},
};

/* For one route, which section it was is what is asked. */
static const TtField lookup_fields[] = {
    [ROUTE] = {"ROUTE"},
    [DEVICE] = {"DEVICE"},
    [WANTED] = {"WANTED"},
    [KERNEL] = {"KERNEL"},
    [PATH] = {"PATH", .on_demand = true},
    [SINCE] = {"SINCE", .on_demand = true},
    [SECTION] = {"SECTION"},
    [STATE] = {"STATE"},
    [N_COLUMNS] = {NULL},
};

static char **
make_row(const TtPlanItem *item)
{
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    char **row = g_new0(char *, N_COLUMNS);

    row[ROUTE] = tt_describe_route(item->route);
    row[DEVICE] = tt_describe_devices(item->route);
    row[WANTED] = tt_describe_wanted(item);
    row[KERNEL] = tt_describe_kernel(item);
    row[PATH] = g_strdup("kernel");
    row[SINCE] = tt_describe_age(now, item->since);
    row[SECTION] = tt_describe_sections(&item->wanted);
    row[STATE] = tt_describe_state(item);
    return row;
}

/* What no policy can name, and what this one does not. */
static const char *
never_tuned(const TtRoute *route)
{
    switch (route->type) {
    case RTN_LOCAL:
        return "local address: never tuned";
    case RTN_BROADCAST:
        return "broadcast address: never tuned";
    case RTN_MULTICAST:
        return "multicast address: never tuned";
    case RTN_ANYCAST:
        return "anycast address: never tuned";
    default:
        return route->table == RT_TABLE_LOCAL ? "table local: never tuned" : "no section matches";
    }
}

/* A route that the plan does not know of, because no section can match it. */
static char **
make_foreign_row(const TtRoute *route)
{
    char **row = g_new0(char *, N_COLUMNS);

    row[ROUTE] = tt_describe_route(route);
    row[DEVICE] = tt_describe_devices(route);
    row[WANTED] = g_strdup("none");
    row[KERNEL] = tt_report_metrics(&route->metrics);
    row[STATE] = g_strdup(never_tuned(route));
    return row;
}

static void
add_all(TtTable *table, const TtPlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);

        if (item->state != TT_STATE_UNMATCHED)
            tt_table_take_toned_row(table, make_row(item), tt_describe_tone(item));
    }
}

static char **
make_host_row(const TtHostView *view, guint i)
{
    const TtHostItem *item = &view->plan.items[i];
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    char **row = g_new0(char *, N_COLUMNS);

    row[ROUTE] = tt_host_report_name(item->key);
    row[WANTED] = tt_host_view_wanted(view, i);
    row[KERNEL] = tt_host_view_kernel(view, i);
    row[PATH] = g_strdup(tt_knob_sysctl(item->key) ? "sysctl" : "module");
    row[SINCE] = tt_describe_age(now, item->since);
    row[SECTION] = tt_host_view_section(view, i);
    row[STATE] = tt_host_view_state(view, i);
    return row;
}

static void
add_host(TtTable *table, const TtHostView *view)
{
    for (guint i = 0; i < view->plan.n_items; i++)
        tt_table_take_toned_row(table, make_host_row(view, i), tt_host_view_tone(view, i));
}

static bool
look_up(const char *address, TtRoute **out_route, GError **error)
{
    g_autoptr(TtRtnl) rtnl = NULL;
    g_autoptr(GError) failure = NULL;
    TtAddress to = {0};
    int family = strchr(address, ':') ? AF_INET6 : AF_INET;

    if (inet_pton(family, address, &to) != 1)
        return tt_usage_error(error, "'%s' is not an IPv4 or IPv6 address.", address);
    rtnl = tt_rtnl_new(error);
    if (!rtnl)
        return false;
    *out_route = tt_rtnl_lookup(rtnl, family, &to, 0, &failure);
    if (*out_route)
        return true;
    if (failure)
        g_propagate_error(error, g_steal_pointer(&failure));
    else
        g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "There is no route to %s.", address);
    return false;
}

static void
add_json(JsonBuilder *json, const TtPlan *plan, const TtHostView *view, const TtRoute *route)
{
    const TtPlanItem *one = route ? tt_plan_lookup(plan, route) : NULL;

    tt_json_begin_array(json, "routes");
    if (one)
        tt_json_add_item(json, one);
    else if (route)
        tt_json_add_route(json, route);
    for (guint i = 0; !route && i < plan->items->len; i++) {
        const TtPlanItem *item = g_ptr_array_index(plan->items, i);

        if (item->state != TT_STATE_UNMATCHED)
            tt_json_add_item(json, item);
    }
    json_builder_end_array(json);
    tt_json_add_host(json, view, false);
    tt_json_add_bool(json, "reverted", tt_apply_is_reverted(TT_RUN_DIR));
    tt_json_add_monitor(json);
}

static void
add_one(TtTable *table, const TtPlan *plan, const TtRoute *route)
{
    const TtPlanItem *item = tt_plan_lookup(plan, route);

    if (item)
        tt_table_take_toned_row(table, make_row(item), tt_describe_tone(item));
    else
        tt_table_take_row(table, make_foreign_row(route));
}

static bool
parse_args(char **args, const char **out_address, const char **out_file, GError **error)
{
    bool is_file = args[0] && tt_option_is(args[0], "prometheus");

    if (is_file || (args[0] && !strcmp(args[0], "to"))) {
        if (!args[1])
            return tt_usage_error(error, "missing argument for '%s'.", args[0]);
        *(is_file ? out_file : out_address) = args[1];
        args += 2;
    }
    return tt_args_end(args, error);
}

static void
print_monitor(void)
{
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    TtMonitorStatus status;
    bool runs = tt_monitor_status_read(TT_RUN_DIR, &status);
    g_autofree char *text = tt_monitor_text(runs ? &status : NULL, now);

    putchar('\n');
    tt_print_line(stdout, "", text);
    tt_monitor_status_clear(&status);
}

static void
print_all(const TtTable *table, const TtPlan *plan, const TtOptions *options)
{
    g_autofree char *text = tt_table_format(table);

    fputs(text, stdout);
    if (options->terse)
        return;
    if (!text[0])
        puts("the policy touches nothing of this host");
    if (tt_apply_is_reverted(TT_RUN_DIR))
        puts(
            "undone by revert: until the next apply, or event of NetworkManager, nothing is tuned");
    print_monitor();
    tt_effect_print(plan);
}

/* No section can match it. */
static bool
is_link_local(const TtRoute *route)
{
    if (route->family == AF_INET6)
        return IN6_IS_ADDR_LINKLOCAL(&route->dst.v6);
    return route->dst.bytes[0] == 169 && route->dst.bytes[1] == 254;
}

/* An administrator expects the default route, and tunes that one. */
static bool
is_neighbour(const TtRoute *route)
{
    return route->n_hops == 1 && !route->hops[0].gateway_family && !tt_route_is_default(route)
           && !route->nh_id && route->type == RTN_UNICAST && route->table == RT_TABLE_MAIN
           && !is_link_local(route);
}

static void
print_one(const TtTable *table, const TtRoute *route, const TtOptions *options)
{
    g_autofree char *text = tt_table_format(table);

    fputs(text, stdout);
    if (!options->terse && is_neighbour(route))
        puts("\nThis address is on a link of the host and does not use the default route;"
             "\na section with destination=connected, or with its prefix, would match.");
}

/* The view is only filled where the plan is there. */
static TtPlan *
look(TtPolicy **out_policy, TtHostView *view, GError **error)
{
    g_autoptr(TtPlan) plan = NULL;

    *out_policy = tt_policy_load_host(error);
    if (*out_policy)
        plan = tt_apply_look(&(TtApplyOptions){.policy = *out_policy}, error);
    if (!plan || !tt_host_view_load(view, *out_policy, error))
        return NULL;
    return g_steal_pointer(&plan);
}

/* Whoever watches wants to hear of a broken policy, too. */
static bool
write_file(const char *path, GError **error)
{
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(GError) failure = NULL;
    g_auto(TtHostView) view = {0};
    g_autoptr(TtPlan) plan = look(&policy, &view, &failure);

    if (!tt_textfile_write(path, plan, &view, error))
        return false;
    if (plan)
        return true;
    g_propagate_error(error, g_steal_pointer(&failure));
    return false;
}

bool
tt_cmd_status(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtTable) table = NULL;
    g_autoptr(TtRoute) route = NULL;
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(TtPlan) plan = NULL;
    g_auto(TtHostView) view = {0};
    const char *address = NULL, *file = NULL;

    if (!parse_args(args, &address, &file, error))
        return false;
    if (file)
        return write_file(file, error);
    table = tt_table_new(context->command, address ? lookup_fields : tt_status_fields,
                         context->options, error);
    if (table)
        tt_table_set_title(table, address ? "The route to an address" : "Routes of the policy");
    if (!table || (address && !look_up(address, &route, error)))
        return false;
    plan = look(&policy, &view, error);
    if (!plan)
        return false;
    if (context->json) {
        add_json(context->json, plan, &view, route);
    } else if (route) {
        add_one(table, plan, route);
        print_one(table, route, context->options);
    } else {
        add_all(table, plan);
        add_host(table, &view);
        print_all(table, plan, context->options);
    }
    return true;
}
