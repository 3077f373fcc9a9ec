/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes <-> socket, for sock_diag(7). Pure: whatever the bytes are, nothing outside them is read
 * (fuzzed).
 */
#pragma once

#include "socket.h"

#include <linux/netlink.h>

/* False: not a socket of IPv4 or IPv6, or not well formed. A short tcp_info, of an older kernel,
 * leaves at zero what it lacks. */
bool tt_diag_parse_socket(const struct nlmsghdr *message, gsize len, TtSocket *out_socket);

/* Fills what tcp_info says, also as getsockopt(TCP_INFO) has it. */
void tt_diag_parse_info(const void *info, gsize len, TtSocket *socket);

/* The request for all TCP sockets of a family whose state is a bit in `states` (1 << TCP_x).
 * Both: into `message`, which is cleared first. */
void tt_diag_build_dump(GByteArray *message, int family, guint32 states);

/* The request that closes one (tcp(7): the program gets ECONNABORTED, the peer a reset). */
void tt_diag_build_destroy(GByteArray *message, const TtSocket *socket);
