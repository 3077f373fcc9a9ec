/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the engine, or the look at what it would do, told line by line. */
#pragma once

#include "core/apply.h"
#include "exit.h"
#include "options.h"

typedef struct _JsonBuilder JsonBuilder;

typedef struct {
    bool dry_run;
    const TtPolicy *policy; /* NULL: undo everything */
    const GArray *devices;  /* int; empty: all */
    const TtOptions *options;
    TtExit *exit;      /* TT_EXIT_DIFFERS: a setting of [host] is not to be had here */
    JsonBuilder *json; /* the document to write to, its top object open; NULL: lines of text */
} TtEngineRun;

/* False: nothing could be done, or some edits failed. TT_ERROR_TIMEOUT: another run went on for
 * longer than --wait says. */
bool tt_engine_run(const TtEngineRun *run, GError **error);
