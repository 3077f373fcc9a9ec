/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Others change routes too, and NLM_F_REPLACE hits whatever is first of its key at that moment.
 * This watches the keys of a plan, says when the plan is history, and puts right what a replace
 * hit that it did not mean.
 */
#pragma once

#include "plan.h"
#include "rtnl.h"

typedef struct TtRace TtRace;

TtRace *tt_race_new(TtRtnl *rtnl, const TtPlan *plan);
void tt_race_free(TtRace *race);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtRace, tt_race_free)

/* Did anybody else change a route of the plan's keys since its routes were read? */
bool tt_race_lost(TtRace *race);

/*
 * To be called after replaces that were sent at once; `replaces` are those that the kernel took
 * (TtEdit). True: somebody's change came in between; where a replace hit another route than it
 * meant, that one is put back.
 */
bool tt_race_repair(TtRace *race, const GPtrArray *replaces);
