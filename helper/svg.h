/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both distributions of a measurement as a drawing. Pure. */
#pragma once

#include "measure.h"

/*
 * For each time, the share of requests or transfers that took longer, both axes logarithmic: what
 * happens once in a thousand shows as well as the median. A complete document. (transfer full)
 */
char *tt_svg_draw(const TtMeasure *measure);
