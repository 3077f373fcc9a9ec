/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live TCP connection as inet_diag tells it. Plain data. */
#pragma once

#include "route.h"

typedef struct {
    guint8 family;  /* AF_INET also for an IPv6 socket that carries IPv4 */
    bool is_mapped; /* it is such a socket: the kernel knows it by ::ffff:ADDRESS */
    guint8 state;   /* TCP_ESTABLISHED, ... of netinet/tcp.h */
    guint8 tos;
    TtAddress local;
    TtAddress peer;
    guint16 local_port;
    guint16 peer_port;
    int ifindex; /* of the device that the socket is bound to; 0: none */
    guint32 uid;
    guint32 inode;     /* 0: the program has closed it */
    guint32 mark;      /* 0 also where we may not see it: without CAP_NET_ADMIN */
    guint32 cookie[2]; /* the kernel's name of this very socket */

    bool has_info; /* the rest: what tcp_info says */
    guint8 backoff;
    guint32 rto_us;
    guint32 ato_us;
    guint32 rtt_us; /* smoothed; 0: no sample yet */
    guint32 rttvar_us;
    guint32 min_rtt_us;
    guint32 idle_sent_ms; /* since data was last sent; since the start, if none was */
    guint32 idle_received_ms;
    guint32 n_segments_out;
    guint32 n_retransmitted; /* segments, loss probes included */
    bool has_dsacks;         /* the kernel counts them: 4.20 and later */
    guint32 n_dsacks;        /* segments that the peer says it had twice */
} TtSocket;

/* Another number of the same socket may come again; the cookie does not. */
bool tt_socket_equal(const TtSocket *a, const TtSocket *b);

/* "203.0.113.1:443", "[2001:db8::1]:443". (transfer full) */
char *tt_socket_format_address(const TtSocket *socket, const TtAddress *address, guint16 port);

/* "established", as ss(8) calls it; "unknown" for a number that TCP does not have. */
const char *tt_socket_state_name(guint8 state);
bool tt_socket_state_from_name(const char *name, guint8 *out_state);
