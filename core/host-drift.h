/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drift to come: a line of sysctl.d(5) that will give a knob of [host] another value than the
 * policy does, at the next boot or the next `sysctl --system`.
 */
#pragma once

#include "host-knobs.h"

typedef struct {
    char *file;  /* NULL: no line says anything else than the policy */
    guint line;  /* from 1 */
    char *value; /* as the file says it */
} TtHostDrift;

void tt_host_drift_clear(TtHostDrift *drift);

/* What the files below `root` (NULL: the real ones) do to one knob that the policy sets. */
void
tt_host_drift_find(const char *root, TtHostKey key, const TtHostWish *wish, TtHostDrift *out_drift);
