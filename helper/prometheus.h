/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `status` knows, for the textfile collector of node_exporter. Pure. */
#pragma once

#include "core/tcp-counters.h"

typedef struct {
    bool policy_valid; /* false: what follows of routes is not known */
    guint n_tuned;     /* routes that carry what the policy wants */
    guint n_drift;     /* lines that `check` would print */
    bool monitor_running;
    gint64 last_run; /* seconds since the epoch; 0: none since the boot */
    bool has_counters;
    TtCounters counters;
} TtPrometheus;

/* In the text format of Prometheus, version 0.0.4. (transfer full) */
char *tt_prometheus_format(const TtPrometheus *values);
