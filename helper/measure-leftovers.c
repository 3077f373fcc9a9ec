/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-leftovers.h"

#include "core/apply.h"
#include "core/lock.h"
#include "ip-command.h"
#include "measure-route.h"
#include "print.h"

#include <stdio.h>
#include <unistd.h>

static void
tell(const TtRoute *route, bool dry_run)
{
    TtEdit edit = {.kind = TT_EDIT_DELETE, .route = (TtRoute *) route};
    g_autofree char *text = tt_route_format(route, true);
    g_autofree char *command = tt_ip_command(&edit);

    tt_print_line(stdout, text, ": left by a measurement, removed");
    if (dry_run)
        tt_print_line(stdout, "    ", command);
}

static bool
sweep(bool dry_run, bool quiet, GError **error)
{
    g_autoptr(GPtrArray) removed = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    if (!tt_measure_route_sweep(dry_run, removed, error))
        return false;
    for (guint i = 0; !quiet && i < removed->len; i++)
        tell(removed->pdata[i], dry_run);
    return true;
}

static bool
sweep_with_lock(bool quiet, GError **error)
{
    int lock_fd = tt_lock_measure_take(TT_RUN_DIR, NULL);
    bool ok;

    if (lock_fd < 0)
        return false;
    ok = sweep(false, quiet, error);
    close(lock_fd);
    return ok;
}

bool
tt_measure_leftovers_remove(bool dry_run, bool quiet, GError **error)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);
    GError *failure = NULL;

    if (!tt_measure_route_sweep(true, found, error))
        return false;
    if (found->len == 0)
        return true;
    if (dry_run && !tt_lock_measure_running(TT_RUN_DIR))
        return sweep(true, quiet, error);
    if (!dry_run && sweep_with_lock(quiet, &failure))
        return true;
    if (failure) {
        g_propagate_error(error, failure);
        return false;
    }
    if (!quiet)
        puts("a measurement is running: its route goes when it ends");
    return true;
}
