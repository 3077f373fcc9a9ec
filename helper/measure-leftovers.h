/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes of a `measure` that was killed together with its guard. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Takes them away, or with `dry_run` says how, a line each unless `quiet`. Those of one that runs
 * stay, and are told of. Where there are none, nothing is said and nothing written. */
bool tt_measure_leftovers_remove(bool dry_run, bool quiet, GError **error);
