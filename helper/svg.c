/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "svg.h"

#include "histogram.h"
#include "measure-text.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 800.0
#define HEIGHT 500.0
#define LEFT 80.0
#define RIGHT 780.0
#define TOP 70.0
#define BOTTOM 440.0

/* Apart for those who do not see red and green (Okabe and Ito). */
static const char *const colors[_TT_SIDE_N] = {"#d55e00", "#0072b2"};

typedef struct {
    GString *text;
    double decade_low; /* log10 of ms */
    double decade_high;
    double decade_least; /* log10 of the least share */
    double *sorted[_TT_SIDE_N];
    guint n[_TT_SIDE_N];
} Drawing;

static int
compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static void
take_samples(Drawing *drawing, const TtMeasure *measure)
{
    double least = G_MAXDOUBLE, most = 0;
    guint n_max = 1;

    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        const GArray *samples = measure->side[side].samples;
        double *sorted = g_new(double, samples->len + 1);

        for (guint i = 0; i < samples->len; i++)
            sorted[i] = MAX(g_array_index(samples, double, i), 1e-6);
        qsort(sorted, samples->len, sizeof *sorted, compare);
        drawing->sorted[side] = sorted;
        drawing->n[side] = samples->len;
        if (samples->len > 0) {
            least = MIN(least, sorted[0]);
            most = MAX(most, sorted[samples->len - 1]);
        }
        n_max = MAX(n_max, samples->len);
    }
    drawing->decade_low = floor(log10(MIN(least, 1e6)));
    drawing->decade_high = MAX(ceil(log10(MAX(most, 1e-6))), drawing->decade_low + 1);
    drawing->decade_least = -MAX(ceil(log10(n_max)), 1);
}

static double
x_of(const Drawing *drawing, double ms)
{
    return LEFT
           + (log10(ms) - drawing->decade_low) / (drawing->decade_high - drawing->decade_low)
                 * (RIGHT - LEFT);
}

static double
y_of(const Drawing *drawing, double share)
{
    return TOP + log10(share) / drawing->decade_least * (BOTTOM - TOP);
}

/* With a point whatever the locale says. */
static void
append_number(GString *text, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.1f", number));
}

static void
append_line(GString *text, double x1, double y1, double x2, double y2)
{
    const double numbers[] = {x1, y1, x2, y2};
    static const char *const names[] = {"x1", "y1", "x2", "y2"};

    g_string_append(text, "<line stroke=\"#ccc\"");
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_string_append_printf(text, " %s=\"", names[i]);
        append_number(text, numbers[i]);
        g_string_append_c(text, '"');
    }
    g_string_append(text, "/>\n");
}

/* `style` is one of our own; `words` may come from anywhere. */
static void
append_text(GString *text, double x, double y, const char *style, const char *words)
{
    g_autofree char *escaped = g_markup_escape_text(words, -1);

    g_string_append(text, "<text x=\"");
    append_number(text, x);
    g_string_append(text, "\" y=\"");
    append_number(text, y);
    g_string_append_printf(text, "\" %s>%s</text>\n", style, escaped);
}

static void
draw_grid(Drawing *drawing)
{
    GString *text = drawing->text;

    for (double decade = drawing->decade_low; decade <= drawing->decade_high; decade++) {
        double x = x_of(drawing, pow(10, decade));
        g_autofree char *label = tt_measure_format_ms(pow(10, decade));

        append_line(text, x, TOP, x, BOTTOM);
        append_text(text, x, BOTTOM + 20, "text-anchor=\"middle\"", label);
    }
    for (double decade = 0; decade >= drawing->decade_least; decade--) {
        double y = y_of(drawing, pow(10, decade));
        g_autofree char *number = tt_number_format(pow(10, decade + 2));
        g_autofree char *label = g_strconcat(number, " %", NULL);

        append_line(text, LEFT, y, RIGHT, y);
        append_text(text, LEFT - 8, y + 4, "text-anchor=\"end\"", label);
    }
}

/* One step down for each sample; the last one leads to nothing, which has no logarithm. */
static void
draw_side(Drawing *drawing, TtSide side)
{
    GString *text = drawing->text;
    const double *sorted = drawing->sorted[side];
    guint n = drawing->n[side];

    g_string_append_printf(text, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"M",
                           colors[side]);
    append_number(text, LEFT);
    g_string_append_c(text, ' ');
    append_number(text, TOP);
    for (guint i = 0; i < n; i++) {
        if (i + 1 < n && sorted[i] == sorted[i + 1])
            continue;
        g_string_append(text, " H");
        append_number(text, x_of(drawing, sorted[i]));
        g_string_append(text, " V");
        append_number(text, i + 1 < n ? y_of(drawing, (n - i - 1.0) / n) : BOTTOM);
    }
    g_string_append(text, "\"/>\n");
}

static void
draw_legend(Drawing *drawing, const TtMeasure *measure, TtSide side)
{
    TtSummary summary = tt_stats_summarise(drawing->sorted[side], drawing->n[side]);
    g_autofree char *median = tt_measure_format_ms(summary.median);
    g_autofree char *p99 = tt_measure_format_ms(summary.p99);
    g_autofree char *worst = tt_measure_format_ms(summary.worst);
    g_autofree char *style = g_strdup_printf("fill=\"%s\" font-weight=\"bold\"", colors[side]);
    g_autofree char *words =
        g_strdup_printf("%s: median %s, p99 %s, worst %s", tt_side_name(side), median, p99, worst);

    append_text(drawing->text, LEFT, side == TT_SIDE_PLAIN ? 42 : 60, style, words);
}

char *
tt_svg_draw(const TtMeasure *measure)
{
    Drawing drawing = {.text = g_string_new(NULL)};
    const char *what = measure->options.bulk ? "transfers" : "requests";
    g_autofree char *title =
        g_strdup_printf("%s: share of %s that took longer", measure->peer, what);

    take_samples(&drawing, measure);
    g_string_append_printf(drawing.text,
                           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                           "font-family=\"sans-serif\" font-size=\"13\">\n"
                           "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                           WIDTH, HEIGHT);
    append_text(drawing.text, LEFT, 22, "font-size=\"16\"", title);
    draw_grid(&drawing);
    for (TtSide side = 0; side < _TT_SIDE_N; side++) {
        draw_side(&drawing, side);
        draw_legend(&drawing, measure, side);
        g_free(drawing.sorted[side]);
    }
    append_text(drawing.text, (LEFT + RIGHT) / 2, BOTTOM + 45, "text-anchor=\"middle\"",
                measure->options.bulk ? "time of a transfer" : "time of a request");
    g_string_append(drawing.text, "</svg>\n");
    return g_string_free(drawing.text, FALSE);
}
