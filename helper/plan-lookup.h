/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"

/*
 * The item of a route that a look-up found; NULL: the plan has none. The identity tells no hops of
 * an IPv6 multipath route: a look-up names the chosen one first, and has the metrics of that one.
 * Of twins, it is the one with these metrics. (transfer none)
 */
const TtPlanItem *tt_plan_lookup(const TtPlan *plan, const TtRoute *route);
