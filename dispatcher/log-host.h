/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines for the settings of [host]. */
#pragma once

#include "core/host.h"

/* One line for each write, done or refused: a TtHostReportFunc. */
void tt_log_host(const TtHostReport *report, gpointer unused);

/* For who looks again and again: what was told last of each setting. {0} at first. */
typedef struct {
    char *complaint[_TT_HOST_N];
} TtHostTold;

void tt_host_told_clear(TtHostTold *told);

/* As tt_log_host(), but the same failure only once. */
void tt_host_told_report(TtHostTold *told, const TtHostReport *report);

/* What is not to be had here, once. */
void tt_host_told_plan(TtHostTold *told, const TtHostPlan *plan);
