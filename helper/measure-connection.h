/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One TCP connection to the peer, and what is timed on it. Waits with helper/interrupt. */
#pragma once

#include "core/socket.h"

/* What a transfer begins with: `measure --listen` swallows it, and any other sink does anyway. */
#define TT_MEASURE_SINK_MAGIC "tcptune-nm measure: sink\n"

/* The descriptor; -1 with an error: refused, no answer, interrupted. */
int tt_measure_connect(int family, const TtAddress *peer, guint16 port, GError **error);

/* Sends so many bytes and reads as many back. Milliseconds; -1 with an error. */
double tt_measure_request(int fd, gsize bytes, GError **error);

/* Sends so many bytes, and waits until the peer's kernel has acknowledged all of them. What
 * comes back is thrown away. Milliseconds; -1 with an error. */
double tt_measure_transfer(int fd, guint64 bytes, GError **error);

/* What tcp_info says of it. */
void tt_measure_read_info(int fd, TtSocket *socket);
