/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two series of times, counted by the same bins. Pure. */
#pragma once

#include <glib.h>

typedef struct {
    guint n_bins;
    double *edges;    /* n_bins + 1; a value that is an edge is in the bin above it */
    guint *counts[2]; /* n_bins each */
} TtHistogram;

/*
 * Edges are numbers that a person would choose: 1, 2, 5 and so on by decades where the values
 * differ a lot, of equal distance where they do not. Values are positive. (transfer full)
 */
TtHistogram *tt_histogram_new(const double *a, guint n_a, const double *b, guint n_b);
void tt_histogram_free(TtHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtHistogram, tt_histogram_free)

/* A line for each bin, with a bar and a count for each series; bins at the ends are never empty.
 * `names` are the headings of the two. (transfer full) */
char *tt_histogram_format(const TtHistogram *histogram, const char *const names[2]);

/* "0.05", "200", "1.25": a number as short as it can be said. (transfer full) */
char *tt_number_format(double number);
