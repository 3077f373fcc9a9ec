/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "socket-verdict.h"

#include <time.h>

#define STOCK_US 200000 /* include/net/tcp.h: TCP_RTO_MIN */

/* Fewer say nothing; of what a lossy path makes it send again, a half at most had come. */
#define SPURIOUS_MIN 3

const char *
tt_socket_verdict_name(TtSocketVerdict verdict)
{
    static const char *const names[_TT_SOCKET_VERDICT_N] = {
        [TT_SOCKET_TUNED] = "tuned",
        [TT_SOCKET_NOT_YET] = "not yet",
        [TT_SOCKET_STALE] = "stale",
        [TT_SOCKET_SPURIOUS] = "spurious",
    };

    return names[verdict];
}

guint32
tt_socket_floor_us(const TtSocket *socket)
{
    guint32 rto_us = socket->rto_us >> MIN(socket->backoff, 31);

    /* Before the first sample it is the initial RTO, of which no route has a say. */
    if (!socket->has_info || socket->rtt_us == 0 || rto_us < socket->rtt_us)
        return 0;
    return rto_us - socket->rtt_us;
}

static guint64
round_up(guint64 us, guint32 tick_us)
{
    return (us + tick_us - 1) / tick_us * tick_us;
}

/* What the kernel makes of the rto_min that counts for the route. */
static guint64
in_force(const TtSocketVerdictInput *input)
{
    guint64 us = input->default_us;

    if (tt_metrics_locked(input->metrics, RTAX_RTO_MIN))
        us = (guint64) input->metrics->value[RTAX_RTO_MIN] * 1000;
    return round_up(us, input->tick_us);
}

/*
 * No connection comes below the rto_min in force (tcp_rtt_estimator) but one that was there before.
 * One below anything that we ever set has its RTO from somebody else: a program's TCP_RTO_MIN_US.
 */
static bool
is_stale(guint64 floor_us, const TtSocketVerdictInput *input)
{
    guint64 lowered_us = round_up((guint64) input->lowered_ms * 1000, input->tick_us);

    return lowered_us > 0 && floor_us >= lowered_us && floor_us < in_force(input);
}

static bool
is_spurious(const TtSocket *socket, guint64 floor_us)
{
    return socket->n_dsacks >= SPURIOUS_MIN && floor_us < STOCK_US
           && (guint64) socket->n_dsacks * 4 >= (guint64) socket->n_retransmitted * 3;
}

static bool
is_idle(const TtSocket *socket, const TtSocketVerdictInput *input)
{
    guint32 idle_ms = MIN(socket->idle_sent_ms, socket->idle_received_ms);

    return input->tuned_for_ms > 0 && idle_ms > input->tuned_for_ms;
}

/*
 * After rto_min was lowered the RTO comes down by a quarter of the rest with each round trip; it
 * stays up where the round trips themselves vary more than that (mdev is four times rttvar), and
 * one slow answer lifts it for a while: half as much again is near enough.
 */
static bool
is_coming_down(const TtSocket *socket, guint64 floor_us, const TtSocketVerdictInput *input)
{
    guint64 target_us = in_force(input);

    return tt_metrics_locked(input->metrics, RTAX_RTO_MIN)
           && floor_us > target_us / 2 * 3 + input->tick_us
           && (guint64) socket->rttvar_us * 4 <= target_us;
}

TtSocketVerdict
tt_socket_verdict(const TtSocket *socket, const TtSocketVerdictInput *input)
{
    guint64 floor_us = tt_socket_floor_us(socket);

    if (!socket->has_info || !input->metrics)
        return TT_SOCKET_NONE;
    if (floor_us && is_stale(floor_us, input))
        return TT_SOCKET_STALE;
    if (floor_us && is_spurious(socket, floor_us))
        return TT_SOCKET_SPURIOUS;
    if (!input->is_tuned)
        return TT_SOCKET_NONE;
    if (!floor_us || is_idle(socket, input) || is_coming_down(socket, floor_us, input))
        return TT_SOCKET_NOT_YET;
    return TT_SOCKET_TUNED;
}

/* The coarse clocks go on by a tick at a time. */
static guint32
read_tick_us(void)
{
    struct timespec resolution;

    if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) < 0 || resolution.tv_sec > 0
        || resolution.tv_nsec < 1000)
        return 10000;
    return (guint32) (resolution.tv_nsec / 1000);
}

/* net.ipv4.tcp_rto_min_us: 6.11 and later. */
static guint32
read_default_us(void)
{
    g_autofree char *text = NULL;
    guint64 us = 0;

    if (g_file_get_contents("/proc/sys/net/ipv4/tcp_rto_min_us", &text, NULL, NULL))
        us = g_ascii_strtoull(text, NULL, 10);
    return us > 0 && us <= G_MAXUINT32 ? (guint32) us : STOCK_US;
}

void
tt_socket_verdict_load_kernel(TtSocketVerdictInput *input)
{
    input->tick_us = read_tick_us();
    input->default_us = read_default_us();
}
