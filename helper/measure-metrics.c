/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-metrics.h"

#include "common.h"
#include "core/apply.h"
#include "core/error.h"
#include "core/report.h"
#include "plan-lookup.h"

static bool
undo(const TtRoute *route, TtMetrics *metrics, GError **error)
{
    g_autoptr(TtPlan) plan = tt_apply_look(&(TtApplyOptions){.policy = NULL}, error);
    const TtPlanItem *item;

    if (!plan)
        return false;
    item = tt_plan_lookup(plan, route);
    *metrics = item ? item->target : route->metrics;
    return true;
}

/* The same grammar, and the same limits, as in a file. */
static TtPolicy *
parse_words(char *const *words, GError **error)
{
    g_autofree char *lines = g_strjoinv("\n", (char **) words);
    g_autofree char *text = g_strconcat(
        "[route-measure]\ndestination=any\ntable=any\nprotocol=any\n", lines, "\n", NULL);

    return tt_policy_parse("command line", text, strlen(text), error);
}

static bool
apply_words(const TtRoute *route, char *const *words, TtMetrics *metrics, GError **error)
{
    g_autoptr(TtPolicy) policy = parse_words(words, error);
    g_autoptr(TtFacts) facts = tt_facts_new();
    TtWanted wanted;

    if (!policy)
        return false;
    tt_match_route(policy, route, facts, &wanted);
    tt_wanted_apply(&wanted, metrics);
    return true;
}

static bool
apply_policy(const TtRoute *route, TtMetrics *metrics, GError **error)
{
    g_autoptr(TtPolicy) policy = tt_policy_load_host(error);
    g_autoptr(TtPlan) plan =
        policy ? tt_apply_look(&(TtApplyOptions){.policy = policy}, error) : NULL;
    g_autofree char *text = NULL;
    const TtPlanItem *item;

    if (!plan)
        return false;
    item = tt_plan_lookup(plan, route);
    if (item && tt_wanted_any(&item->wanted)) {
        tt_wanted_apply(&item->wanted, metrics);
        return true;
    }
    text = tt_route_format(route, false);
    g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND,
                "the policy wants nothing of the peer's route (%s); say what to compare, such as "
                "rto_min=8ms.",
                text);
    return false;
}

bool
tt_measure_metrics(const TtRoute *route,
                   char *const *words,
                   TtMetrics out_metrics[_TT_SIDE_N],
                   GError **error)
{
    TtMetrics *tuned = &out_metrics[TT_SIDE_TUNED];
    g_autofree char *text = NULL;

    if (!undo(route, &out_metrics[TT_SIDE_PLAIN], error))
        return false;
    *tuned = out_metrics[TT_SIDE_PLAIN];
    if (words[0] ? !apply_words(route, words, tuned, error) : !apply_policy(route, tuned, error))
        return false;
    if (!tt_metrics_equal(tuned, &out_metrics[TT_SIDE_PLAIN]))
        return true;
    text = tt_report_metrics(tuned);
    g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                "there is nothing to compare: without tcptune-nm the route has the same: %s.",
                text);
    return false;
}
