/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diag.h"

#include "diag-codec.h"
#include "error.h"
#include "rtnl-socket.h"

#include <errno.h>
#include <netinet/tcp.h>

struct TtDiag {
    TtRtnl *transport;
};

const guint32 tt_diag_live_states = 1u << TCP_ESTABLISHED | 1u << TCP_SYN_SENT | 1u << TCP_FIN_WAIT1
                                    | 1u << TCP_FIN_WAIT2 | 1u << TCP_CLOSE_WAIT
                                    | 1u << TCP_LAST_ACK | 1u << TCP_CLOSING;

TtDiag *
tt_diag_new(GError **error)
{
    TtRtnl *transport = tt_rtnl_new_protocol(NETLINK_SOCK_DIAG, error);
    TtDiag *diag;

    if (!transport)
        return NULL;
    diag = g_new0(TtDiag, 1);
    diag->transport = transport;
    return diag;
}

void
tt_diag_free(TtDiag *diag)
{
    if (!diag)
        return;
    tt_rtnl_free(diag->transport);
    g_free(diag);
}

static bool
add_socket(const struct nlmsghdr *message, gsize len, gpointer data)
{
    GArray *sockets = data;
    TtSocket socket;

    if (tt_diag_parse_socket(message, len, &socket))
        g_array_append_val(sockets, socket);
    return true;
}

bool
tt_diag_dump(TtDiag *diag, guint32 states, GArray *sockets, GError **error)
{
    static const int families[] = {AF_INET, AF_INET6};
    g_autoptr(GByteArray) request = g_byte_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
        tt_diag_build_dump(request, families[i], states);
        if (tt_rtnl_dump(diag->transport, request->data, add_socket, sockets, error)
            == TT_DUMP_FAILED) {
            g_prefix_error(error, "live connections (inet_diag): ");
            return false;
        }
    }
    return true;
}

int
tt_diag_destroy(TtDiag *diag, const TtSocket *socket)
{
    g_autoptr(GByteArray) request = g_byte_array_new();

    tt_diag_build_destroy(request, socket);
    return tt_rtnl_edit(diag->transport, request, NULL);
}
