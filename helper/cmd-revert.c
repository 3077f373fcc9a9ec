/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "measure-leftovers.h"
#include "stale.h"
#include "tune.h"

static void
parse_args(char ***args, TtTuning *tuning, TtStaleRun *stale)
{
    for (; **args; ++*args) {
        if (tt_option_is(**args, "dry-run"))
            tuning->dry_run = stale->dry_run = true;
        else if (tt_option_is(**args, "close-stale"))
            stale->close = true;
        else
            break;
    }
}

bool
tt_cmd_revert(TtContext *context, char **args, GError **error)
{
    g_auto(TtSelection) everything;
    TtTuning tuning = {.selection = &everything};
    TtStaleRun stale = {.quiet = context->json != NULL};

    tt_selection_init(&everything);
    parse_args(&args, &tuning, &stale);
    if (!tt_args_end(args, error) || !tt_tune(context, &tuning, error)
        || !tt_measure_leftovers_remove(tuning.dry_run, stale.quiet, error))
        return false;
    /* The routes are what was asked for: to count connections is only good manners. */
    return tt_stale_run(&stale, stale.close ? error : NULL) || !stale.close;
}
