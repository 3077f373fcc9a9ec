/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/histogram.h"
#include "tt-test.h"

static guint
total(const TtHistogram *histogram, guint side)
{
    guint n = 0;

    for (guint bin = 0; bin < histogram->n_bins; bin++)
        n += histogram->counts[side][bin];
    return n;
}

static void
assert_edges(const TtHistogram *histogram, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i <= histogram->n_bins; i++) {
        g_autofree char *number = tt_number_format(histogram->edges[i]);

        g_string_append_printf(text, "%s%s", i ? " " : "", number);
    }
    assert_string_equal(text->str, expected);
}

static void
test_wide(void **state)
{
    double plain[] = {0.06, 0.07, 207, 0.1}, tuned[] = {0.06, 15};
    g_autoptr(TtHistogram) histogram = tt_histogram_new(plain, 4, tuned, 2);

    assert_edges(histogram, "0.05 0.1 0.2 0.5 1 2 5 10 20 50 100 200 500");
    assert_int_equal(histogram->counts[0][0], 2);
    assert_int_equal(histogram->counts[0][1], 1); /* 0.1 is in the bin above it */
    assert_int_equal(histogram->counts[0][11], 1);
    assert_int_equal(histogram->counts[1][0], 1);
    assert_int_equal(histogram->counts[1][7], 1);
}

static void
test_narrow(void **state)
{
    double plain[] = {101, 119, 104.9}, tuned[] = {100, 105};
    g_autoptr(TtHistogram) histogram = tt_histogram_new(plain, 3, tuned, 2);

    assert_edges(histogram, "100 102 104 106 108 110 112 114 116 118 120");
    assert_int_equal(total(histogram, 0), 3);
    assert_int_equal(total(histogram, 1), 2);
    assert_int_equal(histogram->counts[0][9], 1);
}

static void
test_one_value(void **state)
{
    double value = 3;
    g_autoptr(TtHistogram) histogram = tt_histogram_new(&value, 1, NULL, 0);

    assert_int_equal(total(histogram, 0), 1);
    assert_int_equal(total(histogram, 1), 0);
    assert_true(histogram->edges[0] <= 3 && histogram->edges[histogram->n_bins] > 3);
}

static void
test_nothing(void **state)
{
    g_autoptr(TtHistogram) histogram = tt_histogram_new(NULL, 0, NULL, 0);

    assert_int_equal(histogram->n_bins, 0);
}

/* Whatever the values are, each is counted once, and there are not too many bins to read. */
static void
test_random(void **state)
{
    GRand *random = g_rand_new_with_seed(1);

    for (guint round = 0; round < 2000; round++) {
        double values[64];
        double scale = g_rand_double_range(random, 1e-5, 1e5);
        double spread = g_rand_double_range(random, 0, g_rand_boolean(random) ? 0.1 : 1e4);
        g_autoptr(TtHistogram) histogram = NULL;

        for (guint i = 0; i < G_N_ELEMENTS(values); i++)
            values[i] = scale * (1 + spread * g_rand_double(random));
        histogram = tt_histogram_new(values, 32, values + 32, 32);
        assert_int_equal(total(histogram, 0), 32);
        assert_int_equal(total(histogram, 1), 32);
        assert_true(histogram->n_bins >= 1 && histogram->n_bins <= 24);
        for (guint i = 0; i < histogram->n_bins; i++)
            assert_true(histogram->edges[i] < histogram->edges[i + 1]);
        assert_true(histogram->counts[0][0] + histogram->counts[1][0] > 0);
        assert_true(histogram->counts[0][histogram->n_bins - 1]
                        + histogram->counts[1][histogram->n_bins - 1]
                    > 0);
    }
    g_rand_free(random);
}

static void
test_text(void **state)
{
    double plain[] = {1.5, 1.5, 1.5, 1.5, 15}, tuned[] = {1.5, 2.5};
    g_autoptr(TtHistogram) histogram = tt_histogram_new(plain, 5, tuned, 2);
    g_autofree char *text = tt_histogram_format(histogram, (const char *[]){"plain", "tuned"});

    assert_string_equal(text, "             ms  plain                           tuned\n"
                              "     1 - 2       ######################## 4      ###### 1\n"
                              "     2 - 5                                       ###### 1\n"
                              "     5 - 10\n"
                              "    10 - 20      ###### 1\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide),      cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_one_value), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
