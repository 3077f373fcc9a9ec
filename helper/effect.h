/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the policy do good or harm? What status and check say of it, below their tables. */
#pragma once

#include "core/plan.h"

/* The counters to standard output, what they mean as a warning to standard error. */
void tt_effect_print(const TtPlan *plan);

/* The least rto_min in ms that the kernel honours on a route that the policy tunes; 0: none. */
guint32 tt_effect_least_rto_min(const TtPlan *plan);
