/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at the kernel and at NetworkManager's files as far as policy and journal reach, and plans.
 */
#pragma once

#include "apply.h"
#include "rtnl.h"

TtPlan *tt_snapshot_plan(TtRtnl *rtnl,
                         const TtApplyOptions *options,
                         const TtJournal *journal,
                         GError **error);
