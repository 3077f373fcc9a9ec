/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-text.h"

#include "core/report.h"
#include "histogram.h"
#include "stats.h"

#define NAME_WIDTH 16
#define CELL_WIDTH 26

static const double *
samples_of(const TtMeasure *measure, TtSide side)
{
    return (const double *) (void *) measure->side[side].samples->data;
}

static guint
n_samples_of(const TtMeasure *measure, TtSide side)
{
    return measure->side[side].samples->len;
}

char *
tt_measure_format_ms(double ms)
{
    g_autofree char *number = tt_number_format(ms);

    return g_strdup_printf("%s ms", number);
}

char *
tt_measure_format_bytes(guint64 bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double number = (double) bytes;
    guint unit = 0;
    g_autofree char *text = NULL;

    while (number >= 1000 && unit + 1 < G_N_ELEMENTS(units)) {
        number /= 1000;
        unit++;
    }
    text = tt_number_format(number);
    return g_strdup_printf("%s %s", text, units[unit]);
}

/* Of a transfer that took so long. */
static char *
format_rate(const TtMeasure *measure, double ms)
{
    g_autofree char *bytes = NULL;

    if (ms <= 0)
        return g_strdup("");
    bytes = tt_measure_format_bytes((guint64) ((double) measure->options.bytes * 1000 / ms));
    return g_strconcat(bytes, "/s", NULL);
}

static char *
format_one(const TtMeasure *measure, double ms)
{
    return measure->options.bulk ? format_rate(measure, ms) : tt_measure_format_ms(ms);
}

static void
append_row(GString *text, const char *name, const char *plain, const char *tuned)
{
    g_string_append_printf(text, "%-*s%-*s%s\n", NAME_WIDTH, name, CELL_WIDTH, plain, tuned);
}

static void
append_times(GString *text, const TtMeasure *measure, const char *name, const double *ms)
{
    g_autofree char *plain = format_one(measure, ms[TT_SIDE_PLAIN]);
    g_autofree char *tuned = format_one(measure, ms[TT_SIDE_TUNED]);

    append_row(text, name, plain, tuned);
}

static void
append_counts(GString *text, const char *name, guint64 plain_count, guint64 tuned_count)
{
    g_autofree char *plain = g_strdup_printf("%" G_GUINT64_FORMAT, plain_count);
    g_autofree char *tuned = g_strdup_printf("%" G_GUINT64_FORMAT, tuned_count);

    append_row(text, name, plain, tuned);
}

static void
append_head(GString *text, const TtMeasure *measure)
{
    const TtMeasureSide *sides = measure->side;
    const char *what = measure->options.bulk ? "transfer" : "request";
    g_autofree char *bytes = tt_measure_format_bytes(measure->options.bytes);
    g_autofree char *plain = tt_report_metrics(&sides[TT_SIDE_PLAIN].metrics);
    g_autofree char *tuned = tt_report_metrics(&sides[TT_SIDE_TUNED].metrics);

    g_string_append_printf(text, "%s by %s\n%u rounds, in each ", measure->peer, measure->route,
                           sides[0].rounds->len);
    if (measure->options.count == 1)
        g_string_append_printf(text, "one %s", what);
    else
        g_string_append_printf(text, "about %u %ss", measure->options.count, what);
    g_string_append_printf(text, " of %s plain, then as many tuned\n\n", bytes);
    append_row(text, "", "plain", "tuned");
    append_row(text, "metrics", plain, tuned);
}

static void
append_table(GString *text, const TtMeasure *measure)
{
    const TtMeasureSide *sides = measure->side;
    TtSummary plain = tt_stats_summarise(samples_of(measure, 0), n_samples_of(measure, 0));
    TtSummary tuned = tt_stats_summarise(samples_of(measure, 1), n_samples_of(measure, 1));
    g_autofree char *plain_total = tt_measure_format_ms(plain.total);
    g_autofree char *tuned_total = tt_measure_format_ms(tuned.total);

    append_times(text, measure, "median", (double[]){plain.median, tuned.median});
    append_times(text, measure, "p99", (double[]){plain.p99, tuned.p99});
    append_times(text, measure, "p99.9", (double[]){plain.p999, tuned.p999});
    append_times(text, measure, "worst", (double[]){plain.worst, tuned.worst});
    append_row(text, "total", plain_total, tuned_total);
    append_counts(text, "retransmitted", sides[0].n_retransmitted, sides[1].n_retransmitted);
    append_counts(text, "DSACKs", sides[0].n_dsacks, sides[1].n_dsacks);
    append_counts(text, "loss probes *", sides[0].n_probes, sides[1].n_probes);
    g_string_append(text, "* of all connections of this host; losses on the way back show at the "
                          "peer only\n");
}

static void
append_histogram(GString *text, const TtMeasure *measure)
{
    g_autoptr(TtHistogram) histogram =
        tt_histogram_new(samples_of(measure, 0), n_samples_of(measure, 0), samples_of(measure, 1),
                         n_samples_of(measure, 1));
    g_autofree char *bars = tt_histogram_format(histogram, (const char *[]){"plain", "tuned"});

    g_string_append_printf(text, "\n%s\n", bars);
}

char *
tt_measure_format(const TtMeasure *measure)
{
    GString *text = g_string_new(NULL);
    TtMeasureVerdict verdict = tt_measure_judge(measure);
    g_autofree char *sentence = tt_measure_format_verdict(measure, &verdict);

    append_head(text, measure);
    append_table(text, measure);
    append_histogram(text, measure);
    g_string_append_printf(text, "%s\n", sentence);
    return g_string_free(text, FALSE);
}

static char *
format_p(double p)
{
    return p < 0.001 ? g_strdup("p < 0.001") : g_strdup_printf("p = %.3f", p);
}

static char *
format_times(double factor)
{
    return g_strdup_printf(factor < 10 ? "%.2f" : "%.1f", factor);
}

/* "12.4 times as fast (95 % interval: 8.13 to 19.0)" */
static char *
format_factor(const TtMeasureVerdict *verdict)
{
    bool better = verdict->factor >= 1;
    g_autofree char *factor = format_times(better ? verdict->factor : 1 / verdict->factor);
    g_autofree char *low = format_times(better ? verdict->low : 1 / verdict->high);
    g_autofree char *high = format_times(better ? verdict->high : 1 / verdict->low);

    return g_strdup_printf("%s times as %s (95 %% interval: %s to %s)", factor,
                           better ? "fast" : "slow", low, high);
}

char *
tt_measure_format_verdict(const TtMeasure *measure, const TtMeasureVerdict *verdict)
{
    guint n = measure->side[0].rounds->len;
    g_autofree char *p = format_p(verdict->p);
    g_autofree char *factor = format_factor(verdict);
    g_autofree char *test = g_strdup_printf("paired permutation test over %u rounds: %s", n, p);

    switch (verdict->outcome) {
    case TT_MEASURE_DIFFERS:
        return g_strdup_printf("With the metrics it was %s.\nThat is hardly chance (%s).", factor,
                               test);
    case TT_MEASURE_EQUAL:
        return g_strdup_printf("No difference: with the metrics it took %.1f %% %s time (95 %% "
                               "interval: %.2f to %.2f times the plain time; %s).",
                               ABS(1 - 1 / verdict->factor) * 100,
                               verdict->factor >= 1 ? "less" : "more", 1 / verdict->high,
                               1 / verdict->low, test);
    case TT_MEASURE_UNKNOWN:
        break;
    }
    return g_strdup_printf(
        "With the metrics it was %s,\nbut that could be chance (%s). More rounds would tell.",
        factor, test);
}

static double
mean(const GArray *samples)
{
    double total = 0;

    for (guint i = 0; i < samples->len; i++)
        total += g_array_index(samples, double, i);
    return samples->len ? total / samples->len : 0;
}

char *
tt_measure_format_progress(const TtMeasure *measure)
{
    const TtMeasureSide *sides = measure->side;
    g_autofree char *plain = tt_measure_format_ms(mean(sides[0].samples));
    g_autofree char *tuned = tt_measure_format_ms(mean(sides[1].samples));

    return g_strdup_printf("round %u of %u: plain %s, tuned %s",
                           MIN(sides[1].rounds->len + 1, measure->options.n_rounds),
                           measure->options.n_rounds, plain, tuned);
}
