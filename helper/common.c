/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"

#include "core/error.h"
#include "print.h"

bool
tt_args_end(char **args, GError **error)
{
    if (!*args)
        return true;
    return tt_usage_error(error, "argument '%s' not understood. Try passing --help instead.",
                          *args);
}

bool
tt_device_find(const char *name, int *out_ifindex, GError **error)
{
    int ifindex = (int) if_nametoindex(name);

    if (!ifindex) {
        g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "Device '%s' not found.", name);
        return false;
    }
    *out_ifindex = ifindex;
    return true;
}

static void
warn(const char *text)
{
    tt_print_line(stderr, "Warning: ", text);
}

void
tt_policy_warn(const TtPolicy *policy)
{
    for (guint i = 0; i < policy->warnings->len; i++)
        warn(g_ptr_array_index(policy->warnings, i));
}

TtPolicy *
tt_policy_load_host(GError **error)
{
    TtPolicy *policy = tt_policy_load(NULL, error);

    if (policy && policy->files->len == 0)
        warn("there is no policy: write one to /etc/tcptune-nm/tcptune-nm.conf.");
    return policy;
}
