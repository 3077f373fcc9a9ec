/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measurement in words. Pure. All (transfer full). */
#pragma once

#include "measure.h"

/* The whole report: what was measured, both sides, a histogram, and what it comes to. */
char *tt_measure_format(const TtMeasure *measure);

/* "With the metrics it was 12.4 times as fast ...": one sentence or two. */
char *tt_measure_format_verdict(const TtMeasure *measure, const TtMeasureVerdict *verdict);

/* "round 7 of 20: plain 3.65 ms, tuned 0.29 ms", means so far; for a line that is rewritten. */
char *tt_measure_format_progress(const TtMeasure *measure);

/* "0.06 ms", "4 MB", "94.1 MB/s" */
char *tt_measure_format_ms(double ms);
char *tt_measure_format_bytes(guint64 bytes);
