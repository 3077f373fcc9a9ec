/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a measurement comes to, in words and as a drawing. */
#include "helper/measure-text.h"
#include "helper/svg.h"
#include "tt-test.h"

#include <locale.h>

/* Each round of one side: `count` requests of `ms`, the last one of `slow`. */
static void
add_round(TtMeasure *measure, TtSide side, double ms, double slow)
{
    double sum = 0;

    for (guint i = 0; i < measure->options.count; i++) {
        double sample = i + 1 < measure->options.count ? ms : slow;

        g_array_append_val(measure->side[side].samples, sample);
        sum += sample;
    }
    g_array_append_val(measure->side[side].rounds, sum);
    if (side == TT_SIDE_PLAIN)
        g_array_append_val(measure->sizes, measure->options.count);
}

static int
setup(void **state)
{
    TtMeasure *measure = g_new0(TtMeasure, 1);
    TtMetrics *metrics = &measure->side[TT_SIDE_TUNED].metrics;

    tt_measure_init(measure, &(TtMeasureOptions){.n_rounds = 20, .count = 50, .bytes = 200});
    measure->peer = g_strdup("203.0.113.1:7");
    measure->route = g_strdup("203.0.113.1 via 192.0.2.1 dev eth0");
    metrics->present = metrics->lock = TT_METRIC_BIT(RTAX_RTO_MIN);
    metrics->value[RTAX_RTO_MIN] = 8;
    measure->side[TT_SIDE_PLAIN].n_retransmitted = 15;
    *state = measure;
    return 0;
}

static int
teardown(void **state)
{
    tt_measure_clear(*state);
    g_free(*state);
    return 0;
}

static void
fill(TtMeasure *measure, guint n, double plain_slow, double tuned_slow)
{
    for (guint i = 0; i < n; i++) {
        add_round(measure, TT_SIDE_PLAIN, 0.06, i % 4 ? plain_slow : 0.06);
        add_round(measure, TT_SIDE_TUNED, 0.06, (i + 1) % 4 ? tuned_slow : 0.06);
    }
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %s", part, text);
}

static void
test_difference(void **state)
{
    TtMeasure *measure = *state;
    g_autofree char *text = NULL;
    TtMeasureVerdict verdict;

    fill(measure, 20, 207, 15);
    verdict = tt_measure_judge(measure);
    assert_int_equal(verdict.outcome, TT_MEASURE_DIFFERS);
    text = tt_measure_format(measure);
    assert_has(text,
               "203.0.113.1:7 by 203.0.113.1 via 192.0.2.1 dev eth0\n"
               "20 rounds, in each about 50 requests of 200 bytes plain, then as many tuned\n");
    assert_has(text, "\nmetrics         none                      rto_min lock 8ms\n"
                     "median          0.06 ms                   0.06 ms\n"
                     "p99             207 ms                    15 ms\n"
                     "p99.9           207 ms                    15 ms\n");
    assert_has(text, "\nretransmitted   15                        0\n");
    assert_has(text, "200 - 500     # 15\n");
    assert_has(text, "\nWith the metrics it was 11.1 times as fast (95 % interval: ");
    assert_has(text,
               "That is hardly chance (paired permutation test over 20 rounds: p < 0.001).\n");
}

static void
test_worse(void **state)
{
    TtMeasure *measure = *state;
    g_autofree char *text = NULL;

    fill(measure, 20, 15, 207);
    text = tt_measure_format(measure);
    assert_has(text, "With the metrics it was 11.1 times as slow (95 % interval: ");
}

static void
test_no_difference(void **state)
{
    TtMeasure *measure = *state;
    TtMeasureVerdict verdict;
    g_autofree char *text = NULL;

    for (guint i = 0; i < 20; i++) {
        add_round(measure, TT_SIDE_PLAIN, 0.060 + i % 3 * 0.0005, 0.06);
        add_round(measure, TT_SIDE_TUNED, 0.060 + (i + 1) % 3 * 0.0005, 0.06);
    }
    verdict = tt_measure_judge(measure);
    assert_int_equal(verdict.outcome, TT_MEASURE_EQUAL);
    text = tt_measure_format_verdict(measure, &verdict);
    assert_has(text, "No difference: with the metrics it took 0.");
}

static void
test_could_be_chance(void **state)
{
    TtMeasure *measure = *state;
    TtMeasureVerdict verdict;
    g_autofree char *text = NULL;

    /* Two slow ones, both plain: of four ways to have them, two are as far apart. */
    for (guint i = 0; i < 20; i++) {
        add_round(measure, TT_SIDE_PLAIN, 0.06, i < 2 ? 207 : 0.06);
        add_round(measure, TT_SIDE_TUNED, 0.06, 0.06);
    }
    verdict = tt_measure_judge(measure);
    assert_int_equal(verdict.outcome, TT_MEASURE_UNKNOWN);
    assert_true(verdict.p > 0.45 && verdict.p < 0.55);
    text = tt_measure_format_verdict(measure, &verdict);
    assert_has(text, "but that could be chance (paired permutation test over 20 rounds: p = 0.5");
}

/* Of seven rounds even the best outcome is not rare enough. */
static void
test_too_few_rounds(void **state)
{
    TtMeasure *measure = *state;

    for (guint i = 0; i < 8; i++) {
        assert_int_equal(tt_measure_judge(measure).outcome, TT_MEASURE_UNKNOWN);
        add_round(measure, TT_SIDE_PLAIN, 0.06, 207);
        add_round(measure, TT_SIDE_TUNED, 0.06, 15);
    }
    assert_int_equal(tt_measure_judge(measure).outcome, TT_MEASURE_DIFFERS);
}

static void
test_trim(void **state)
{
    TtMeasure *measure = *state;

    fill(measure, 3, 207, 15);
    add_round(measure, TT_SIDE_PLAIN, 1, 1);
    g_array_append_vals(measure->side[TT_SIDE_TUNED].samples, (double[]){1, 2}, 2);
    assert_int_equal(tt_measure_trim(measure), 3);
    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        assert_int_equal(measure->side[side].rounds->len, 3);
        assert_int_equal(measure->side[side].samples->len, 150);
    }
}

static void
test_bulk(void **state)
{
    TtMeasure *measure = *state;
    g_autofree char *text = NULL;

    measure->options =
        (TtMeasureOptions){.bulk = true, .n_rounds = 20, .count = 1, .bytes = 4000000};
    for (guint i = 0; i < 20; i++) {
        add_round(measure, TT_SIDE_PLAIN, 0, 40);
        add_round(measure, TT_SIDE_TUNED, 0, 20);
    }
    text = tt_measure_format(measure);
    assert_has(text, "in each one transfer of 4 MB plain, then as many tuned");
    assert_has(text, "\nmedian          100 MB/s                  200 MB/s\n");
    assert_has(text, "\ntotal           800 ms                    400 ms\n");
    assert_has(text, "With the metrics it was 2.00 times as fast (95 % interval: 2.00 to 2.00)");
}

static void
test_progress(void **state)
{
    TtMeasure *measure = *state;
    g_autofree char *text = NULL;
    g_autofree char *first = tt_measure_format_progress(measure);

    assert_string_equal(first, "round 1 of 20: plain 0 ms, tuned 0 ms");
    add_round(measure, TT_SIDE_PLAIN, 1, 1);
    add_round(measure, TT_SIDE_TUNED, 0.5, 0.5);
    text = tt_measure_format_progress(measure);
    assert_string_equal(text, "round 2 of 20: plain 1 ms, tuned 0.5 ms");
}

static void
test_numbers(void **state)
{
    g_autofree char *bytes = tt_measure_format_bytes(999);
    g_autofree char *many = tt_measure_format_bytes(94100000);

    assert_string_equal(bytes, "999 bytes");
    assert_string_equal(many, "94.1 MB");
}

/* Well-formed, both lines in it, and no name of a peer is markup. */
static void
test_svg(void **state)
{
    TtMeasure *measure = *state;
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    GMarkupParser parser = {0};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);

    setlocale(LC_ALL, "de_DE.UTF-8");
    g_free(measure->peer);
    measure->peer = g_strdup("<script>&:7");
    fill(measure, 20, 207, 15);
    text = tt_svg_draw(measure);
    assert_true(g_markup_parse_context_parse(context, text, -1, &error));
    assert_true(g_markup_parse_context_end_parse(context, &error));
    assert_no_error(error);
    g_markup_parse_context_free(context);
    assert_has(text, "&lt;script&gt;&amp;:7: share of requests that took longer");
    assert_has(text, "plain: median 0.06 ms, p99 207 ms, worst 207 ms");
    assert_has(text, "stroke=\"#d55e00\" stroke-width=\"2\" d=\"M80.0 70.0 H");
    assert_has(text, "stroke=\"#0072b2\"");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static void
test_svg_of_nothing(void **state)
{
    g_autofree char *text = tt_svg_draw(*state);

    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_true(g_str_has_suffix(text, "</svg>\n"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(test_worse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(test_could_be_chance, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_few_rounds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_trim, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bulk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_progress, setup, teardown),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test_setup_teardown(test_svg, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg_of_nothing, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
