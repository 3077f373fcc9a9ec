/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure.h"

#include "stats.h"

#include <string.h>

#define ALPHA 0.01   /* of a hundred measurements without a difference, one finds one */
#define ROUNDS_MIN 8 /* of fewer, no outcome is rarer than ALPHA */
#define EQUAL_LOW 0.95
#define EQUAL_HIGH (1 / EQUAL_LOW)

const char *
tt_side_name(TtSide side)
{
    return side == TT_SIDE_PLAIN ? "plain" : "tuned";
}

void
tt_measure_init(TtMeasure *measure, const TtMeasureOptions *options)
{
    memset(measure, 0, sizeof *measure);
    measure->options = *options;
    measure->sizes = g_array_new(FALSE, FALSE, sizeof(guint));
    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        measure->side[side].samples = g_array_new(FALSE, FALSE, sizeof(double));
        measure->side[side].rounds = g_array_new(FALSE, FALSE, sizeof(double));
    }
}

void
tt_measure_clear(TtMeasure *measure)
{
    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        g_clear_pointer(&measure->side[side].samples, g_array_unref);
        g_clear_pointer(&measure->side[side].rounds, g_array_unref);
    }
    g_clear_pointer(&measure->sizes, g_array_unref);
    g_clear_pointer(&measure->peer, g_free);
    g_clear_pointer(&measure->route, g_free);
}

guint
tt_measure_trim(TtMeasure *measure)
{
    TtMeasureSide *sides = measure->side;
    guint n = MIN(sides[0].rounds->len, sides[1].rounds->len);
    guint n_samples = 0;

    g_array_set_size(measure->sizes, n);
    for (guint i = 0; i < n; i++)
        n_samples += g_array_index(measure->sizes, guint, i);
    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        g_array_set_size(sides[side].rounds, n);
        g_array_set_size(sides[side].samples, n_samples);
    }
    return n;
}

TtMeasureVerdict
tt_measure_judge(const TtMeasure *measure)
{
    const double *plain = (const double *) (void *) measure->side[TT_SIDE_PLAIN].rounds->data;
    const double *tuned = (const double *) (void *) measure->side[TT_SIDE_TUNED].rounds->data;
    guint n = measure->side[TT_SIDE_PLAIN].rounds->len;
    TtFactor factor = tt_stats_factor(plain, tuned, n);
    TtMeasureVerdict verdict = {
        .outcome = TT_MEASURE_UNKNOWN,
        .factor = factor.factor,
        .low = factor.low,
        .high = factor.high,
        .p = tt_stats_permutation(plain, tuned, n),
    };

    if (n < ROUNDS_MIN)
        return verdict;
    if (factor.low >= EQUAL_LOW && factor.high <= EQUAL_HIGH)
        verdict.outcome = TT_MEASURE_EQUAL;
    else if (verdict.p < ALPHA)
        verdict.outcome = TT_MEASURE_DIFFERS;
    return verdict;
}
