/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "engine.h"
#include "stale.h"

static void
parse_args(char ***args, TtEngineRun *run, TtStaleRun *stale)
{
    for (; **args; ++*args) {
        if (tt_option_is(**args, "dry-run"))
            run->dry_run = stale->dry_run = true;
        else if (tt_option_is(**args, "close-stale"))
            stale->close = true;
        else
            break;
    }
}

bool
tt_cmd_revert(TtContext *context, char **args, GError **error)
{
    g_autoptr(GArray) devices = g_array_new(FALSE, FALSE, sizeof(int));
    TtEngineRun run = {.devices = devices,
                       .options = context->options,
                       .exit = &context->exit,
                       .json = context->json};
    TtStaleRun stale = {.quiet = context->json != NULL};

    parse_args(&args, &run, &stale);
    if (!tt_args_end(args, error) || !tt_engine_run(&run, error))
        return false;
    /* The routes are what was asked for: to count connections is only good manners. */
    return tt_stale_run(&stale, stale.close ? error : NULL) || !stale.close;
}
