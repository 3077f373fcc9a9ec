/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host for tests of the plan: routes on eth0 (3) and eth1 (4), a policy, a journal. */
#pragma once

#include "core/plan.h"
#include "core/policy.h"

typedef struct {
    GPtrArray *routes;
    TtPolicy *policy;
    TtJournal *journal;
    TtFacts *facts;
    GHashTable *hops;
    GPtrArray *native; /* TtNativeRoute; NULL: none */
    int ifindex;
    bool spare_twins;
    bool orphans_only;
} World;

/* For cmocka: *state is a World with the policy rto_min=8, quickack=yes. */
int world_setup(void **state);
int world_teardown(void **state);

/* NULL: undo everything. */
void world_set_policy(World *world, const char *text);
void world_add_route(World *world, const char *text);
TtPlan *world_build(World *world);

/* Plans, carries out on the model of the kernel's table, checks I1 after each edit, and notes in
 * the journal. Returns the number of edits. `routes_may_go`: orphans do. */
guint world_run(World *world, bool routes_may_go);

/* A run that ends by SIGKILL between two edits. */
void world_run_killed(World *world, GRand *rand);

/* All routes, a line each. (transfer full) */
char *world_table_text(const GPtrArray *routes);
