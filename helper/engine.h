/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the engine, or the look at what it would do, told line by line. */
#pragma once

#include "core/apply.h"

typedef struct {
    bool dry_run;
    const TtPolicy *policy; /* NULL: undo everything */
    const GArray *devices;  /* int; empty: all */
} TtEngineRun;

/* False: nothing could be done, or some edits failed. */
bool tt_engine_run(const TtEngineRun *run, GError **error);
