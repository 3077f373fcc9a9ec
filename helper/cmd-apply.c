/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply-offline.h"
#include "common.h"
#include "tune.h"

static bool
parse_args(char **args, TtSelection *selection, TtTuning *tuning, GError **error)
{
    for (; *args; args++) {
        g_autoptr(GError) failure = NULL;

        if (tt_option_is(*args, "dry-run"))
            tuning->dry_run = true;
        else if (tt_option_is(*args, "reapply"))
            tuning->reapply = true;
        else if (!tt_selection_take(selection, &args, &failure)) {
            if (!failure)
                return tt_args_end(args, error);
            g_propagate_error(error, g_steal_pointer(&failure));
            return false;
        }
    }
    return true;
}

static bool
run_offline(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtPolicy) policy = NULL;

    if (context->json)
        return tt_usage_error(error, "'apply --offline': has no JSON output.");
    if (!tt_args_end(args, error))
        return false;
    policy = tt_policy_load_host(error);
    if (!policy)
        return false;
    tt_policy_warn(policy);
    return tt_apply_offline(policy, error);
}

bool
tt_cmd_apply(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtPolicy) policy = NULL;
    g_auto(TtSelection) selection;
    TtTuning tuning = {.selection = &selection};

    tt_selection_init(&selection);
    if (*args && tt_option_is(*args, "offline"))
        return run_offline(context, args + 1, error);
    if (!parse_args(args, &selection, &tuning, error))
        return false;
    policy = tt_policy_load_host(error);
    if (!policy)
        return false;
    tt_policy_warn(policy);
    tuning.policy = policy;
    return tt_tune(context, &tuning, error);
}
