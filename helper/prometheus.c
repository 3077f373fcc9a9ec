/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prometheus.h"

#define PREFIX "tcptune_nm_"

static const struct {
    const char *name;
    const char *help;
} counter_metrics[_TT_COUNTER_N] = {
    [TT_COUNTER_TIMEOUTS] = {"tcp_timeouts_total", "Retransmission time-outs (TCPTimeouts)."},
    [TT_COUNTER_LOSS_PROBES] = {"tcp_loss_probes_total", "Tail loss probes (TCPLossProbes)."},
    [TT_COUNTER_DSACKS] = {"tcp_dsack_received_total",
                           "Segments that a peer says it had twice (TCPDSACKRecv)."},
    [TT_COUNTER_SPURIOUS_RTOS] = {"tcp_spurious_rtos_total",
                                  "Time-outs that F-RTO found in vain (TCPSpuriousRTOs)."},
    [TT_COUNTER_RETRANSMITTED] = {"tcp_retransmitted_segments_total",
                                  "Segments sent again (RetransSegs)."},
    [TT_COUNTER_SENT] = {"tcp_sent_segments_total", "Segments sent (OutSegs)."},
    [TT_COUNTER_HYSTART_TRAINS] = {"tcp_hystart_train_detected_total",
                                   "Slow starts ended by an ACK train (TCPHystartTrainDetect)."},
    [TT_COUNTER_TW_RECYCLED] = {"tcp_time_wait_reused_total",
                                "Ports in TIME-WAIT that were used again (TWRecycled)."},
};

static void
append(GString *text, const char *name, const char *type, const char *help, guint64 value)
{
    g_string_append_printf(text,
                           "# HELP " PREFIX "%s %s\n"
                           "# TYPE " PREFIX "%s %s\n" PREFIX "%s %" G_GUINT64_FORMAT "\n",
                           name, help, name, type, name, value);
}

static void
append_counters(GString *text, const TtCounters *counters)
{
    append(text, "effect_timestamp_seconds", "gauge",
           "Since when the TCP counters below count: when the policy took effect; 0: the boot.",
           (guint64) counters->since);
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (counters->present[i])
            append(text, counter_metrics[i].name, "counter", counter_metrics[i].help,
                   counters->value[i]);
    }
}

char *
tt_prometheus_format(const TtPrometheus *values)
{
    GString *text = g_string_new(NULL);

    append(text, "policy_valid", "gauge", "1: the policy on disk has no error.",
           values->policy_valid);
    if (values->policy_valid) {
        append(text, "routes_tuned", "gauge", "Routes that carry what the policy wants.",
               values->n_tuned);
        append(text, "drift", "gauge", "Differences between the policy and the kernel.",
               values->n_drift);
    }
    append(text, "monitor_running", "gauge", "1: the monitor runs.", values->monitor_running);
    append(text, "last_run_timestamp_seconds", "gauge",
           "When hook, monitor, apply or revert last ran; 0: not since the boot.",
           (guint64) values->last_run);
    if (values->has_counters)
        append_counters(text, &values->counters);
    return g_string_free(text, FALSE);
}
