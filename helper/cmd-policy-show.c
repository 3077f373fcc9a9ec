/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "json-policy.h"
#include "print.h"

bool
tt_cmd_policy_show(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtPolicy) policy = NULL;
    g_autofree char *text = NULL;

    if (!tt_args_end(args, error))
        return false;
    policy = tt_policy_load_host(error);
    if (!policy)
        return false;
    if (context->json) {
        tt_json_add_policy(context->json, policy);
        return true;
    }
    text = tt_policy_format(policy);
    tt_print(stdout, text);
    return true;
}
