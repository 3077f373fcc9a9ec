/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a route of a device gets what it gets: section by section, in the order of the search. */
#include "common.h"
#include "core/apply.h"
#include "describe.h"
#include "json-policy.h"
#include "json-route.h"
#include "print.h"

#include <stdio.h>

/* "rto_min=8ms quickack=no" of what a section has the last word on; "" for nothing. */
static char *
given_values(const TtWanted *wanted, const TtSection *section)
{
    GString *text = g_string_new(NULL);

    for (int attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wish = wanted->wish[attr];
        g_autofree char *value = NULL;

        if (!wish || wanted->section[attr] != section)
            continue;
        if (wish->kind == TT_WISH_SET)
            value = tt_attr_value_format(attr, &wish->value);
        else
            value = g_strdup(wish->kind == TT_WISH_REMOVE ? "no" : "none");
        g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", tt_attr_info(attr)->name,
                               value);
    }
    if (wanted->lock_section == section)
        g_string_append_printf(text, "%slock", text->len ? " " : "");
    return g_string_free(text, FALSE);
}

static char *
explain(const TtSection *section, const TtPlanItem *item, const TtFacts *facts)
{
    g_autofree char *why = NULL;
    g_autofree char *values = NULL;
    TtMatch match = tt_match_section(section, item->route, facts, &why);

    if (match != TT_MATCH_YES)
        return g_strdup_printf("does not match: %s", why ? why : "some next hops only");
    values = given_values(&item->wanted, section);
    if (values[0])
        return g_strdup_printf("gives %s", values);
    return g_strdup(section->stop_match ? "matches and gives nothing"
                                        : "matches; sections above gave its values");
}

static void
add_section(JsonBuilder *json,
            const TtSection *section,
            const TtPlanItem *item,
            const TtFacts *facts)
{
    g_autofree char *text = explain(section, item, facts);

    json_builder_begin_object(json);
    tt_json_add_text(json, "section", section->name);
    tt_json_add_origin(json, &section->origin);
    tt_json_add_bool(json, "matches",
                     tt_match_section(section, item->route, facts, NULL) == TT_MATCH_YES);
    tt_json_add_text(json, "text", text);
    tt_json_add_bool(json, "ends_search", item->wanted.stopped_by == section);
    json_builder_end_object(json);
}

/* The sections in the order of the search, as far as it goes. */
static void
add_item(JsonBuilder *json, const TtPlanItem *item, const TtPolicy *policy, const TtFacts *facts)
{
    json_builder_begin_object(json);
    tt_json_add_item_members(json, item);
    tt_json_begin_array(json, "search");
    for (guint i = 0; i < policy->sections->len; i++) {
        const TtSection *section = g_ptr_array_index(policy->sections, i);

        add_section(json, section, item, facts);
        if (item->wanted.stopped_by == section)
            break;
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void
add_json(JsonBuilder *json, const TtPlan *plan, const TtPolicy *policy)
{
    tt_json_begin_array(json, "routes");
    for (guint i = 0; i < plan->items->len; i++)
        add_item(json, g_ptr_array_index(plan->items, i), policy, plan->facts);
    json_builder_end_array(json);
}

static void
print_item(const TtPlanItem *item, const TtPolicy *policy, const TtFacts *facts)
{
    g_autofree char *route = tt_route_format(item->route, true);
    g_autofree char *state = tt_describe_state(item);

    tt_print_line(stdout, "", route);
    for (guint i = 0; i < policy->sections->len; i++) {
        const TtSection *section = g_ptr_array_index(policy->sections, i);
        g_autofree char *told = explain(section, item, facts);
        g_autofree char *text = g_strdup_printf("[%s] %s:%u: %s", section->name,
                                                section->origin.file, section->origin.line, told);

        tt_print_line(stdout, "  ", text);
        if (item->wanted.stopped_by == section) {
            printf("  the search ends here: stop-match=yes\n");
            break;
        }
    }
    printf("  => %s\n", state);
}

bool
tt_cmd_policy_test(TtContext *context, char **args, GError **error)
{
    TtApplyOptions options = {.with_unmatched = true};
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(TtPlan) plan = NULL;

    if (!args[0])
        return tt_usage_error(error, "'%s' needs the name of a device.", context->command);
    if (!tt_args_end(args + 1, error) || !tt_device_find(args[0], &options.ifindex, error))
        return false;
    policy = tt_policy_load_host(error);
    if (!policy)
        return false;
    options.policy = policy;
    plan = tt_apply_look(&options, error);
    if (!plan)
        return false;
    if (context->json) {
        add_json(context->json, plan, policy);
        return true;
    }
    for (guint i = 0; i < plan->items->len; i++)
        print_item(g_ptr_array_index(plan->items, i), policy, plan->facts);
    if (plan->items->len == 0)
        tt_print_line(stdout, args[0], " has no route that a section could match");
    return true;
}
