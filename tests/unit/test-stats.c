/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/stats.h"
#include "tt-test.h"

#include <math.h>

static void
assert_near(double is, double shall, double error)
{
    if (fabs(is - shall) > error)
        fail_msg("%g is not near %g", is, shall);
}

static void
test_percentiles(void **state)
{
    g_autofree double *values = g_new(double, 1000);
    TtSummary summary;

    /* 1 to 1000, in an order that is none */
    for (guint i = 0; i < 1000; i++)
        values[i] = (i * 617) % 1000 + 1;
    summary = tt_stats_summarise(values, 1000);
    assert_int_equal(summary.n, 1000);
    assert_near(summary.total, 500500, 0);
    assert_near(summary.median, 500, 0);
    assert_near(summary.p99, 990, 0);
    assert_near(summary.p999, 999, 0);
    assert_near(summary.worst, 1000, 0);
    assert_near(values[1], 618, 0); /* they stay in their order */
}

static void
test_few_values(void **state)
{
    double values[] = {3, 1, 2};
    TtSummary summary = tt_stats_summarise(values, 3);

    assert_near(summary.median, 2, 0);
    assert_near(summary.p99, 3, 0);
    summary = tt_stats_summarise(values, 1);
    assert_near(summary.median, 3, 0);
    assert_near(summary.p999, 3, 0);
    summary = tt_stats_summarise(NULL, 0);
    assert_int_equal(summary.n, 0);
}

/* All of n differences have one sign: two of 2^n permutations are as extreme. */
static void
test_permutation_exact(void **state)
{
    double a[] = {5, 6, 7, 8, 9, 10}, b[] = {1, 2, 3, 4, 5, 6};

    assert_near(tt_stats_permutation(a, b, 6), 2.0 / 64, 1e-9);
    assert_near(tt_stats_permutation(b, a, 6), 2.0 / 64, 1e-9);
    assert_near(tt_stats_permutation(a, a, 6), 1, 1e-9);
    /* +4 +4 -4: of eight sums (12, 4, 4, 4, -4, ...) all are at least 4 away from 0. */
    b[2] = 11;
    assert_near(tt_stats_permutation(a, b, 3), 1, 1e-9);
    /* 1 + 2 - 0.5: only 3.5 and 2.5, up and down. */
    assert_near(tt_stats_permutation((double[]){1, 2, 0}, (double[]){0, 0, 0.5}, 3), 0.5, 1e-9);
}

static void
test_permutation_drawn(void **state)
{
    g_autofree double *a = g_new0(double, 100);
    g_autofree double *b = g_new0(double, 100);

    for (guint i = 0; i < 100; i++)
        a[i] = 1;
    assert_near(tt_stats_permutation(a, b, 100), 1.0 / 100001, 1e-9);
    /* 59 against 41: of a fair coin 0.0886 (binomial, two-sided) */
    for (guint i = 0; i < 41; i++)
        a[i] = -1;
    assert_near(tt_stats_permutation(a, b, 100), 0.0886, 0.005);
    assert_near(tt_stats_permutation(a, b, 100), tt_stats_permutation(a, b, 100), 0);
}

/* Medians are equal; only a few in a hundred are slow, and ten times as slow in one series. */
static void
test_a_tail_is_seen(void **state)
{
    double plain[20], tuned[20];

    for (guint i = 0; i < 20; i++) {
        plain[i] = 4 + (i % 4 ? 200 : 0);
        tuned[i] = 4 + ((i + 1) % 4 ? 12 : 0);
    }
    assert_true(tt_stats_permutation(plain, tuned, 20) < 0.001);
}

static void
test_factor(void **state)
{
    double a[] = {10, 20, 30, 40, 50, 60}, b[] = {5, 10, 15, 20, 25, 30};
    TtFactor factor = tt_stats_factor(a, b, 6);

    assert_near(factor.factor, 2, 1e-9);
    assert_near(factor.low, 2, 1e-9);
    assert_near(factor.high, 2, 1e-9);
    b[0] = 50;
    factor = tt_stats_factor(a, b, 6);
    assert_near(factor.factor, 1.4, 1e-9);
    assert_true(factor.low < 1.2 && factor.low > 0.5);
    assert_true(factor.high > 1.7 && factor.high <= 2);
    factor = tt_stats_factor(a, b, 0);
    assert_near(factor.factor, 0, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles),       cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_permutation_exact), cmocka_unit_test(test_permutation_drawn),
        cmocka_unit_test(test_a_tail_is_seen),    cmocka_unit_test(test_factor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
