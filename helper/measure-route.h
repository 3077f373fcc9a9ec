/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host route that `measure` puts in for its peer, one at a time. It forwards as the route does
 * that the peer is reached by anyway, so that a moment without it changes nothing; it is never
 * replaced, only added where its place is free and deleted by its own name.
 */
#pragma once

#include "core/rtnl.h"

typedef struct TtMeasureRoute TtMeasureRoute;

/* TT_ERROR_NOT_FOUND: the peer cannot be reached. TT_ERROR_STATE: it cannot be measured: it is this
 * host, or has a route of its own already. Changes nothing. (transfer full) */
TtMeasureRoute *tt_measure_route_new(int family, const TtAddress *peer, GError **error);

/* Takes the route away where it is in. */
void tt_measure_route_free(TtMeasureRoute *route);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtMeasureRoute, tt_measure_route_free)

/* How the peer is reached without us. (transfer none) */
const TtRoute *tt_measure_route_base(const TtMeasureRoute *route);

/* Makes it the peer's route, with these metrics, and reads back that it is. */
bool tt_measure_route_set(TtMeasureRoute *route, const TtMetrics *metrics, GError **error);

/* False: somebody else has changed how the peer is reached. */
bool tt_measure_route_check(TtMeasureRoute *route, GError **error);

bool tt_measure_route_remove(TtMeasureRoute *route, GError **error);

/* All routes of any `measure`, in all tables: those that a killed one left, once nobody holds its
 * lock. Appends each (TtRoute) to `removed`, which may be NULL; with `dry_run` it only looks. */
bool tt_measure_route_sweep(bool dry_run, GPtrArray *removed, GError **error);
