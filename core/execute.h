/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out a plan, while others may change the same routes. */
#pragma once

#include "apply.h"
#include "rtnl.h"

typedef struct {
    guint n_failed;
    bool outdated; /* others changed routes of the plan's keys: plan again */
} TtExecution;

/* `last_round`: errors that another look might explain are reported too.
 * tt_rtnl_watch() must have been called before the plan's routes were read. */
TtExecution tt_execute(TtRtnl *rtnl,
                       const TtPlan *plan,
                       bool last_round,
                       TtApplyReportFunc func,
                       gpointer data);
