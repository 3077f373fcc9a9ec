/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of TCP in words. Pure. All (transfer full). */
#pragma once

#include "core/tcp-counters.h"

/* "TCP since the policy took effect (3d ago): TCPTimeouts 0, ...", without a line end. */
char *tt_counters_text(const TtCounters *counters, gint64 now);

/* What is wrong with an rto_min, by these counters; NULL: nothing. `least_ms`: the least that a
 * route carries, 0 for none. */
char *tt_counters_complaint(const TtCounters *counters, guint32 least_ms);
