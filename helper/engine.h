/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes of the engine, or the look at what it would do, told line by line. */
#pragma once

#include "core/apply.h"
#include "exit.h"
#include "options.h"

typedef struct _JsonBuilder JsonBuilder;

typedef struct {
    bool dry_run;
    const TtPolicy *policy;  /* NULL: undo everything */
    const GArray *devices;   /* int; NULL: all, and the settings of [host]; empty: none */
    const GPtrArray *native; /* TtNativeRoute; NULL: none */
    const TtOptions *options;
    TtExit *exit;      /* TT_EXIT_DIFFERS: a setting of [host] is not to be had here */
    JsonBuilder *json; /* the document to write to, its top object open; NULL: lines of text */
} TtEngineRun;

typedef struct TtEngine TtEngine;

/* `run` is kept. With JSON, an array is open until tt_engine_finish(). (transfer full) */
TtEngine *tt_engine_new(const TtEngineRun *run);
void tt_engine_free(TtEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtEngine, tt_engine_free)

/* Once, or again (only routes) after something else was changed. False: nothing could be done.
 * TT_ERROR_TIMEOUT: another run went on for longer than --wait says. */
bool tt_engine_pass(TtEngine *engine, GError **error);

/* Something else was changed, or would be, so that "unchanged" is not true. */
void tt_engine_note_change(TtEngine *engine);
bool tt_engine_has_changed(const TtEngine *engine);

/* Tells the rest, also after a pass that failed, whose error stands. False: some edits failed. */
bool tt_engine_finish(TtEngine *engine, GError **error);
