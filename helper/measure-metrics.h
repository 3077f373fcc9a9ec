/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two sides of a measurement carry. */
#pragma once

#include "measure.h"

/*
 * Plain is what the route has without tcptune-nm, tuned that with what the policy wants of it, or
 * what `words` say ("rto_min=8ms", as in a policy; none: the policy). False also where there is
 * nothing to compare.
 */
bool tt_measure_metrics(const TtRoute *route,
                        char *const *words,
                        TtMetrics out_metrics[_TT_SIDE_N],
                        GError **error);
