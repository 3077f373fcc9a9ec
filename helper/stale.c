/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stale.h"

#include "core/apply.h"
#include "core/diag.h"
#include "core/error.h"
#include "live-text.h"
#include "print.h"

#include <errno.h>
#include <stdio.h>

/* Of all live connections the stale ones. */
static GPtrArray *
find(const TtStaleRun *run, GError **error)
{
    g_autoptr(TtPlan) plan = NULL;
    g_autoptr(GPtrArray) live = NULL;

    if (run->dry_run) {
        plan = tt_apply_look(&(TtApplyOptions){.policy = NULL}, error);
        if (!plan)
            return NULL;
    }
    live = tt_live_look(&(TtLiveFilter){0}, plan, run->dry_run, error);
    for (guint i = live ? live->len : 0; i-- > 0;) {
        TtLive *one = live->pdata[i];

        one->item = NULL; /* the plan goes */
        if (one->verdict != TT_SOCKET_STALE)
            g_ptr_array_remove_index(live, i);
    }
    return g_steal_pointer(&live);
}

static void
tell(const TtStaleRun *run, const TtSocket *socket)
{
    g_autofree char *local = tt_socket_format_address(socket, &socket->local, socket->local_port);
    g_autofree char *peer = tt_socket_format_address(socket, &socket->peer, socket->peer_port);
    g_autofree char *rto = tt_live_text_us(socket, socket->rto_us);
    g_autofree char *text = g_strdup_printf("connection from %s to %s, RTO %s: %s", local, peer,
                                            rto, run->dry_run ? "to be closed" : "closed");

    if (!run->quiet)
        tt_print_line(stdout, "", text);
}

static bool
fail(int code, GError **error)
{
    if (code == -EOPNOTSUPP)
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK,
                    "this kernel cannot close connections: it is built without "
                    "CONFIG_INET_DIAG_DESTROY.");
    else
        g_set_error(error, TT_ERROR, code == -EPERM ? TT_ERROR_PERMISSION : TT_ERROR_NETLINK,
                    "cannot close a connection: %s", g_strerror(-code));
    return false;
}

static bool
close_all(const TtStaleRun *run, const GPtrArray *stale, GError **error)
{
    g_autoptr(TtDiag) diag = tt_diag_new(error);

    for (guint i = 0; diag && i < stale->len; i++) {
        const TtSocket *socket = &((const TtLive *) stale->pdata[i])->socket;
        int r = run->dry_run ? 0 : tt_diag_destroy(diag, socket);

        if (r < 0 && r != -ENOENT) /* gone by itself */
            return fail(r, error);
        tell(run, socket);
    }
    return diag != NULL;
}

static void
tell_count(const TtStaleRun *run, guint n)
{
    if (n == 0 || run->quiet)
        return;
    printf("%u live connection%s a lowered RTO; 'tcptune-nm revert --close-stale' closes %s\n", n,
           n == 1 ? (run->dry_run ? " will keep" : " keeps")
                  : (run->dry_run ? "s will keep" : "s keep"),
           n == 1 ? "it" : "them");
}

bool
tt_stale_run(const TtStaleRun *run, GError **error)
{
    g_autoptr(GPtrArray) stale = find(run, error);

    if (!stale)
        return false;
    if (run->close)
        return close_all(run, stale, error);
    tell_count(run, stale->len);
    return true;
}
