/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sock_diag socket: live TCP connections, and closing one. Blocking. */
#pragma once

#include "socket.h"

typedef struct TtDiag TtDiag;

TtDiag *tt_diag_new(GError **error);
void tt_diag_free(TtDiag *diag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtDiag, tt_diag_free)

/* The states in which a connection is alive and has a tcp_info. */
extern const guint32 tt_diag_live_states;

/*
 * Appends every TCP socket of both families whose state is a bit in `states` (1 << TCP_x) to
 * `sockets` (TtSocket). Sockets that come and go meanwhile may be missed. Needs no root.
 * TT_ERROR_NETLINK also where the kernel has no inet_diag for TCP (CONFIG_INET_DIAG).
 */
bool tt_diag_dump(TtDiag *diag, guint32 states, GArray *sockets, GError **error);

/*
 * Closes that very connection, and none that has the same addresses since. 0 or a negative errno:
 * -ENOENT, it is gone; -EOPNOTSUPP, the kernel cannot (CONFIG_INET_DIAG_DESTROY, 4.5 and later);
 * -EPERM, not root.
 */
int tt_diag_destroy(TtDiag *diag, const TtSocket *socket);
