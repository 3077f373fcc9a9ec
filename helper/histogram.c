/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "histogram.h"

#include <math.h>
#include <stdbool.h>

#define WIDE 8.0 /* the largest by the smallest value: decades from here on */
#define N_EQUAL 10
#define BAR_MAX 24

typedef struct {
    double least;
    double most;
} Range;

static void
widen(Range *range, const double *values, guint n)
{
    for (guint i = 0; i < n; i++) {
        range->least = MIN(range->least, values[i]);
        range->most = MAX(range->most, values[i]);
    }
}

/* The step of 1, 2, 5 times a power of ten that is not above `number`. */
static double
step_down(double number)
{
    double power = pow(10, floor(log10(number) + 1e-9));
    double digit = number / power * (1 + 1e-9);

    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

static double
next_step(double step)
{
    double power = pow(10, floor(log10(step) + 1e-9));
    double digit = step / power;

    return power * (digit < 1.5 ? 2 : digit < 3.5 ? 5 : 10);
}

static GArray *
make_edges(const Range *range)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(double));
    double least = MAX(range->least, 1e-6);
    double most = MAX(range->most, least);
    bool wide = most / least >= WIDE;
    double step = wide ? 0 : next_step(step_down(MAX(most - least, least / 100) / N_EQUAL));
    double edge = wide ? step_down(least) : floor(least / step) * step;

    g_array_append_val(edges, edge);
    for (guint i = 1; edge <= most; i++) {
        edge = wide ? next_step(edge) : (floor(least / step) + i) * step;
        g_array_append_val(edges, edge);
    }
    return edges;
}

static void
count(TtHistogram *histogram, guint side, const double *values, guint n)
{
    for (guint i = 0; i < n; i++) {
        guint bin = 0;

        while (bin + 1 < histogram->n_bins && values[i] >= histogram->edges[bin + 1])
            bin++;
        histogram->counts[side][bin]++;
    }
}

TtHistogram *
tt_histogram_new(const double *a, guint n_a, const double *b, guint n_b)
{
    TtHistogram *histogram = g_new0(TtHistogram, 1);
    Range range = {G_MAXDOUBLE, 0};
    GArray *edges;

    if (n_a + n_b == 0)
        return histogram;
    widen(&range, a, n_a);
    widen(&range, b, n_b);
    edges = make_edges(&range);
    histogram->n_bins = edges->len - 1;
    histogram->edges = (double *) (void *) g_array_free(edges, FALSE);
    for (guint side = 0; side < 2; side++)
        histogram->counts[side] = g_new0(guint, histogram->n_bins);
    count(histogram, 0, a, n_a);
    count(histogram, 1, b, n_b);
    return histogram;
}

void
tt_histogram_free(TtHistogram *histogram)
{
    if (!histogram)
        return;
    g_free(histogram->edges);
    g_free(histogram->counts[0]);
    g_free(histogram->counts[1]);
    g_free(histogram);
}

char *
tt_number_format(double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(text, sizeof text, fabs(number) >= 100 ? "%.0f" : "%.3g", number);
    return g_strdup(text);
}

static guint
largest(const TtHistogram *histogram)
{
    guint most = 1;

    for (guint side = 0; side < 2; side++) {
        for (guint bin = 0; bin < histogram->n_bins; bin++)
            most = MAX(most, histogram->counts[side][bin]);
    }
    return most;
}

/* Whatever is there shows: one in a thousand is what is looked for. */
static void
append_bar(GString *text, guint n, guint most)
{
    guint len = n ? MAX(n * BAR_MAX / most, 1) : 0;
    g_autofree char *bar = g_strnfill(len, '#');
    g_autofree char *cell = n ? g_strdup_printf("%s %u", bar, n) : g_strdup("");

    g_string_append_printf(text, "%-*s", BAR_MAX + 8, cell);
}

static void
trim_end(GString *text)
{
    while (text->len > 0 && text->str[text->len - 1] == ' ')
        g_string_truncate(text, text->len - 1);
}

static void
append_bin(GString *text, const TtHistogram *histogram, guint bin, guint most)
{
    g_autofree char *from = tt_number_format(histogram->edges[bin]);
    g_autofree char *to = tt_number_format(histogram->edges[bin + 1]);

    g_string_append_printf(text, "%6s - %-6s  ", from, to);
    append_bar(text, histogram->counts[0][bin], most);
    append_bar(text, histogram->counts[1][bin], most);
    trim_end(text);
    g_string_append_c(text, '\n');
}

char *
tt_histogram_format(const TtHistogram *histogram, const char *const names[2])
{
    GString *text = g_string_new(NULL);
    guint most = largest(histogram);

    g_string_append_printf(text, "%15s  %-*s%s\n", "ms", BAR_MAX + 8, names[0], names[1]);
    for (guint bin = 0; bin < histogram->n_bins; bin++)
        append_bin(text, histogram, bin, most);
    return g_string_free(text, FALSE);
}
