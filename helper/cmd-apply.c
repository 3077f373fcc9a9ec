/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply-offline.h"
#include "common.h"
#include "engine.h"
#include "nm-version.h"

#include <string.h>

static bool
take_device(char ***args, GArray *devices, GError **error)
{
    int ifindex;

    if (!(*args)[1])
        return tt_usage_error(error, "missing argument for '%s'.", **args);
    if (!tt_device_find(*++*args, &ifindex, error))
        return false;
    g_array_append_val(devices, ifindex);
    return true;
}

static bool
parse_args(char **args, GArray *devices, bool *out_dry_run, GError **error)
{
    for (; *args; args++) {
        if (tt_option_is(*args, "dry-run"))
            *out_dry_run = true;
        else if (strcmp(*args, "ifname") != 0)
            return tt_args_end(args, error);
        else if (!take_device(&args, devices, error))
            return false;
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
    g_autoptr(GArray) devices = g_array_new(FALSE, FALSE, sizeof(int));
    TtEngineRun run = {.devices = devices,
                       .options = context->options,
                       .exit = &context->exit,
                       .json = context->json};

    if (*args && tt_option_is(*args, "offline"))
        return run_offline(context, args + 1, error);
    if (!parse_args(args, devices, &run.dry_run, error))
        return false;
    policy = tt_policy_load_host(error);
    if (!policy)
        return false;
    tt_policy_warn(policy);
    if (!run.dry_run)
        tt_nm_version_note();
    run.policy = policy;
    return tt_engine_run(&run, error);
}
