/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "engine.h"

bool
tt_cmd_revert(TtContext *context, char **args, GError **error)
{
    g_autoptr(GArray) devices = g_array_new(FALSE, FALSE, sizeof(int));
    TtEngineRun run = {.devices = devices, .options = context->options, .json = context->json};

    if (*args && tt_option_is(*args, "dry-run")) {
        run.dry_run = true;
        args++;
    }
    return tt_args_end(args, error) && tt_engine_run(&run, error);
}
