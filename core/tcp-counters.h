/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's counters that tell whether a tuning does good or harm, and what they were when the
 * policy took effect. They count all connections of the network namespace.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
    TT_COUNTER_TIMEOUTS,       /* TCPTimeouts */
    TT_COUNTER_LOSS_PROBES,    /* TCPLossProbes */
    TT_COUNTER_DSACKS,         /* TCPDSACKRecv: the best sign of an rto_min that is too short */
    TT_COUNTER_SPURIOUS_RTOS,  /* TCPSpuriousRTOs: F-RTO only */
    TT_COUNTER_RETRANSMITTED,  /* RetransSegs */
    TT_COUNTER_SENT,           /* OutSegs, without retransmitted ones */
    TT_COUNTER_HYSTART_TRAINS, /* TCPHystartTrainDetect */
    TT_COUNTER_TW_RECYCLED,    /* TWRecycled: ports used again by tcp_tw_reuse */
    _TT_COUNTER_N,
} TtCounter;

/* "TCPTimeouts": as nstat(8) spells it, without the group. */
const char *tt_counter_name(TtCounter counter);

typedef struct {
    bool present[_TT_COUNTER_N]; /* an older kernel may lack some */
    guint64 value[_TT_COUNTER_N];
    gint64 since; /* seconds since the epoch; 0: the boot, or the start of the namespace */
} TtCounters;

/* Adds what a text like that of /proc/net/netstat or /proc/net/snmp has of them. */
void tt_counters_parse(TtCounters *counters, const char *text);

/* What they are now, since the boot. False: the kernel tells none. */
bool tt_counters_read(TtCounters *out_counters);

/*
 * The baseline, in run_dir. tt_counters_note() writes it unless there is one; a kernel that tells
 * no counters leaves none. Error: TT_ERROR_STATE, TT_ERROR_PERMISSION.
 */
bool tt_counters_note(const char *run_dir, gint64 now, GError **error);
bool tt_counters_forget(const char *run_dir, GError **error);

/* What came since the baseline; since the boot where there is none, or where the counters began
 * anew meanwhile. False: the kernel tells none. */
bool tt_counters_since(const char *run_dir, TtCounters *out_counters);

/*
 * Do peers say that nearly all of what was sent again had come already? Then it was not lost: its
 * acknowledgement was still to come (RFC 2883), and rto_min is too short for those peers. Losses
 * of data do not look so, and a loss of acknowledgements only looks so for half of them.
 */
bool tt_counters_look_spurious(const TtCounters *counters);
