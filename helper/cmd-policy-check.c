/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/error.h"
#include "json-policy.h"

#include <stdio.h>
#include <string.h>

bool
tt_cmd_policy_check(TtContext *context, char **args, GError **error)
{
    const char *path = args[0];
    g_autoptr(TtPolicy) policy = NULL;

    if (path && !tt_args_end(args + 1, error))
        return false;
    if (path && strcmp(path, "-") != 0 && !g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "File '%s' not found.", path);
        return false;
    }
    policy = path ? tt_policy_load_file(path, error) : tt_policy_load_host(error);
    if (!policy)
        return false;
    if (context->json) {
        tt_json_add_policy(context->json, policy);
        return true;
    }
    tt_policy_warn(policy);
    printf("no errors: %u route section%s in %u file%s\n", policy->sections->len,
           policy->sections->len == 1 ? "" : "s", policy->files->len,
           policy->files->len == 1 ? "" : "s");
    return true;
}
