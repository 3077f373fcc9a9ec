/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections that keep a lower RTO than their route has now: what an undo does not reach. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
    bool close;   /* them, rather than only say how many there are */
    bool dry_run; /* those that will be stale once everything is undone */
    bool quiet;   /* nothing to standard output */
} TtStaleRun;

/* False: they cannot be looked for, or not all could be closed. */
bool tt_stale_run(const TtStaleRun *run, GError **error);
