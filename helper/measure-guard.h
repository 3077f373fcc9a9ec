/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that waits for this one to end, and takes the routes of `measure` away if it could not
 * do so itself. A route that stays behind leads nowhere once the gateway has moved.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct TtMeasureGuard TtMeasureGuard;

/* Before the first route is put in. The guard keeps what descriptors are open, the lock of
 * `measure` for one, until it is done. (transfer full) */
TtMeasureGuard *tt_measure_guard_start(GError **error);

/* Lets it go, and waits until it has gone. */
void tt_measure_guard_stop(TtMeasureGuard *guard);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtMeasureGuard, tt_measure_guard_stop)
