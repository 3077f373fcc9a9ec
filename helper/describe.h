/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan says about a route, in the words of a table's cells. Pure. All (transfer full). */
#pragma once

#include "core/plan.h"
#include "output.h"

/* "default via 192.0.2.1 metric 100": the device has its own column. */
char *tt_describe_route(const TtRoute *route);
char *tt_describe_devices(const TtRoute *route);

/* The metrics that the policy names, or that are to be undone: as they shall be, as they are. */
char *tt_describe_wanted(const TtPlanItem *item);
TtMetrics tt_describe_wanted_metrics(const TtPlanItem *item);
char *tt_describe_kernel(const TtPlanItem *item);

/* "ok", "not effective (unlocked)", "needs monitor: ...", ... */
char *tt_describe_state(const TtPlanItem *item);

/* The colour of its row. */
TtTone tt_describe_tone(const TtPlanItem *item);

/* "[route-lan] FILE:LINE" of every section that gave a value. "" if none did. */
char *tt_describe_sections(const TtWanted *wanted);

/* "45s", "3m", "2h", "5d"; "" for a route never touched (since 0). */
char *tt_describe_age(gint64 now, gint64 since);

/* Is this route not as the policy says? */
bool tt_describe_is_difference(const TtPlanItem *item);
