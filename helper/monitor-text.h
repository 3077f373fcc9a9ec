/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the monitor tells of itself, in words. Pure. All (transfer full). */
#pragma once

#include "core/monitor-status.h"

/* "monitor: running for 3d, 120 events seen, ..." without a line end; NULL: it does not run. */
char *tt_monitor_text(const TtMonitorStatus *status, gint64 now);

/* What is wrong with a monitor that runs; NULL: nothing. */
char *tt_monitor_complaint(const TtMonitorStatus *status);
