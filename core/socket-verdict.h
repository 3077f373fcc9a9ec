/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a live connection has of its route. Pure. There is no field for the rto_min in force: it is
 * told from the RTO, which is the smoothed round trip time plus at least rto_min, rounded up to a
 * tick (net/ipv4/tcp_input.c: __tcp_set_rto).
 */
#pragma once

#include "socket.h"

typedef enum {
    TT_SOCKET_NONE,     /* the route is not tuned, and the connection as on any other host */
    TT_SOCKET_TUNED,    /* it has what the policy wants */
    TT_SOCKET_NOT_YET,  /* the route has it; traffic has still to come */
    TT_SOCKET_STALE,    /* keeps a lower RTO than its route has now, from before an undo */
    TT_SOCKET_SPURIOUS, /* retransmits into the peer's delayed acknowledgement */
    _TT_SOCKET_VERDICT_N,
} TtSocketVerdict;

/* "tuned", "not yet"; NULL for none. */
const char *tt_socket_verdict_name(TtSocketVerdict verdict);

typedef struct {
    const TtMetrics *metrics; /* of its route, as the kernel has them; NULL: there is no route */
    bool is_tuned;            /* they are what the policy wants, and it wants some */
    gint64 tuned_for_ms;      /* how long, at most; 0: not known */
    guint32 lowered_ms;       /* the least rto_min that we ever gave the route; 0: none */
    guint32 default_us;       /* rto_min where no route says one: tcp_rto_min_us */
    guint32 tick_us;          /* of the kernel's clock: 1 s / HZ */
} TtSocketVerdictInput;

TtSocketVerdict tt_socket_verdict(const TtSocket *socket, const TtSocketVerdictInput *input);

/* The rto_min that the connection's RTO has in it, or its variance where that is more; at most a
 * tick too high. 0: not known. */
guint32 tt_socket_floor_us(const TtSocket *socket);

/* Fills default_us and tick_us from this kernel. */
void tt_socket_verdict_load_kernel(TtSocketVerdictInput *input);
