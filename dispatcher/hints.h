/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where to look: the devices that events touched since the last look. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#define TT_HINTS_MAX 8 /* of more devices than this, one look at all is cheaper */

typedef struct {
    bool all;
    guint n_devices;
    int ifindex[TT_HINTS_MAX];
    guint64 n_events; /* ever */
} TtHints;

/* 0: everything. */
static inline void
tt_hints_add(TtHints *hints, int ifindex)
{
    for (guint i = 0; i < hints->n_devices; i++) {
        if (hints->ifindex[i] == ifindex)
            return;
    }
    if (ifindex == 0 || hints->n_devices == TT_HINTS_MAX)
        hints->all = true;
    else
        hints->ifindex[hints->n_devices++] = ifindex;
}

static inline bool
tt_hints_any(const TtHints *hints)
{
    return hints->all || hints->n_devices > 0;
}

static inline void
tt_hints_clear(TtHints *hints)
{
    hints->all = false;
    hints->n_devices = 0;
}
