/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 16
#define N_DRAWN 100000
#define N_RESAMPLES 4000
#define SEED 20110 /* the same numbers give the same verdict */

static int
compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double *
sorted_copy(const double *values, guint n)
{
    double *copy = g_new(double, n);

    memcpy(copy, values, n * sizeof *copy);
    qsort(copy, n, sizeof *copy, compare);
    return copy;
}

static double
rank(const double *sorted, guint n, double share)
{
    guint i = (guint) ceil(share * n - 1e-9);

    return sorted[CLAMP(i, 1, n) - 1];
}

static double
sum(const double *values, guint n)
{
    double total = 0;

    for (guint i = 0; i < n; i++)
        total += values[i];
    return total;
}

TtSummary
tt_stats_summarise(const double *values, guint n)
{
    g_autofree double *sorted = NULL;

    if (n == 0)
        return (TtSummary){0};
    sorted = sorted_copy(values, n);
    return (TtSummary){
        .n = n,
        .total = sum(values, n),
        .median = rank(sorted, n, 0.5),
        .p99 = rank(sorted, n, 0.99),
        .p999 = rank(sorted, n, 0.999),
        .worst = sorted[n - 1],
    };
}

/* Of differences whose signs are those of the bits. */
static double
flipped_sum(const double *differences, guint n, guint32 bits)
{
    double total = 0;

    for (guint i = 0; i < n; i++)
        total += bits & 1u << i ? -differences[i] : differences[i];
    return total;
}

static double
exact_p(const double *differences, guint n, double limit)
{
    guint32 n_all = 1u << n;
    guint32 n_extreme = 0;

    for (guint32 bits = 0; bits < n_all; bits++)
        n_extreme += fabs(flipped_sum(differences, n, bits)) >= limit;
    return (double) n_extreme / n_all;
}

static double
drawn_sum(const double *differences, guint n, GRand *random)
{
    double total = 0;

    for (guint i = 0; i < n; i += 32)
        total += flipped_sum(differences + i, MIN(n - i, 32), g_rand_int(random));
    return total;
}

/* The permutation that was measured is one of them, hence never 0. */
static double
drawn_p(const double *differences, guint n, double limit)
{
    GRand *random = g_rand_new_with_seed(SEED);
    guint n_extreme = 1;

    for (guint i = 0; i < N_DRAWN; i++)
        n_extreme += fabs(drawn_sum(differences, n, random)) >= limit;
    g_rand_free(random);
    return (double) n_extreme / (N_DRAWN + 1);
}

double
tt_stats_permutation(const double *a, const double *b, guint n)
{
    g_autofree double *differences = g_new(double, n);
    double limit;

    for (guint i = 0; i < n; i++)
        differences[i] = a[i] - b[i];
    /* Sums in another order differ in the last bits. */
    limit = fabs(sum(differences, n)) * (1 - 1e-12);
    return n <= EXACT_MAX ? exact_p(differences, n, limit) : drawn_p(differences, n, limit);
}

static double
ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double
resampled_factor(const double *a, const double *b, guint n, GRand *random)
{
    double sum_a = 0, sum_b = 0;

    for (guint i = 0; i < n; i++) {
        guint k = (guint) g_rand_int_range(random, 0, (gint32) n);

        sum_a += a[k];
        sum_b += b[k];
    }
    return ratio(sum_a, sum_b);
}

TtFactor
tt_stats_factor(const double *a, const double *b, guint n)
{
    g_autofree double *factors = g_new(double, N_RESAMPLES);
    GRand *random;

    if (n == 0)
        return (TtFactor){0};
    random = g_rand_new_with_seed(SEED);
    for (guint i = 0; i < N_RESAMPLES; i++)
        factors[i] = resampled_factor(a, b, n, random);
    g_rand_free(random);
    qsort(factors, N_RESAMPLES, sizeof *factors, compare);
    return (TtFactor){
        .factor = ratio(sum(a, n), sum(b, n)),
        .low = rank(factors, N_RESAMPLES, 0.025),
        .high = rank(factors, N_RESAMPLES, 0.975),
    };
}
