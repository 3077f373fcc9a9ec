/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the monitor tells of itself: it writes, status and check read. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
    gint64 since;       /* seconds since the epoch */
    guint64 n_events;   /* notifications that got through the filter */
    guint64 n_changes;  /* edits that put routes right */
    gint64 last_change; /* 0: none yet */
    gint64 last_fight;  /* 0: none yet */
    char *fight;        /* the route of it */
    char *policy_error; /* why the policy on disk is not the one that runs; NULL: it is */
} TtMonitorStatus;

void tt_monitor_status_clear(TtMonitorStatus *status);
bool tt_monitor_status_write(const char *run_dir, const TtMonitorStatus *status, GError **error);

/* False: no monitor holds its lock, or it says nothing. Clear it afterwards. */
bool tt_monitor_status_read(const char *run_dir, TtMonitorStatus *out_status);
