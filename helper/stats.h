/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of two series of measurements. Pure. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
    guint n;
    double total;
    double median;
    double p99;
    double p999;
    double worst;
} TtSummary;

/* Percentiles by nearest rank: the least value that so large a share of all does not exceed. No
 * values: all 0. */
TtSummary tt_stats_summarise(const double *values, guint n);

/*
 * How probable is a difference between the sums as large as this one, or larger, if in each pair it
 * were pure chance which value is a's and which is b's? A paired permutation test, two-sided:
 * nothing is assumed of how the values are distributed, and a drift over time hits both of a pair.
 * Exact up to 16 pairs, above from 100,000 drawn permutations (the same in every run).
 */
double tt_stats_permutation(const double *a, const double *b, guint n);

typedef struct {
    double factor; /* sum of a by sum of b */
    double low; /* in 95 of 100 such measurements it is between these (bootstrap over the pairs) */
    double high;
} TtFactor;

TtFactor tt_stats_factor(const double *a, const double *b, guint n);
