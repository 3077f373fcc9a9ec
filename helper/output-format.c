/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms of a table, as nmcli has them: tabular or multiline; normal, terse or pretty. */
#include "output-internal.h"

#include <string.h>

#define HEADER (-1)
#define NAME_WIDTH 40 /* of "NAME:" in multiline output */
#define LINE_WIDTH 79 /* of rulers in multiline output */

static const char *
name_of(const TtTable *table, guint column)
{
    return table->fields[g_array_index(table->shown, guint, column)].name;
}

/* What stands in one cell. */
static const char *
cell(const TtTable *table, int row, guint column)
{
    guint field = g_array_index(table->shown, guint, column);
    const char *value;

    if (row == HEADER)
        return name_of(table, column);
    value = ((char **) g_ptr_array_index(table->rows, row))[field];
    if (value && value[0])
        return value;
    return table->options->terse ? "" : "--";
}

/* In columns of a terminal. */
static guint
display_width(const char *text)
{
    guint width = 0;

    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);

        if (!g_unichar_iszerowidth(c))
            width += g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

static void
append_repeated(GString *to, char c, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append_c(to, c);
}

/* Separators in a value are escaped only where values are joined by them. */
static void
append_value(const TtTable *table, int row, const char *text, GString *to)
{
    const TtOptions *options = table->options;
    bool escape = options->terse && !options->multiline && !options->plain_separators;
    static const char *const colors[] = {
        [TT_TONE_GOOD] = "\033[32m",
        [TT_TONE_BAD] = "\033[31m",
        [TT_TONE_FAINT] = "\033[2m",
    };
    TtTone tone = row == HEADER ? TT_TONE_PLAIN : g_array_index(table->tones, TtTone, row);
    bool color = options->use_colors && tone != TT_TONE_PLAIN && text[0];

    if (color)
        g_string_append(to, colors[tone]);
    for (; *text; text++) {
        if (escape && strchr(":\\", *text))
            g_string_append_c(to, '\\');
        g_string_append_c(to, *text);
    }
    if (color)
        g_string_append(to, "\033[0m");
}

static guint *
find_widths(const TtTable *table)
{
    guint *widths = g_new0(guint, MAX(table->shown->len, 1));

    for (guint column = 0; column < table->shown->len; column++) {
        for (int row = HEADER; row < (int) table->rows->len; row++)
            widths[column] = MAX(widths[column], display_width(cell(table, row, column)));
    }
    return widths;
}

static void
append_padded_row(const TtTable *table, int row, const guint *widths, GString *to)
{
    for (guint column = 0; column < table->shown->len; column++) {
        const char *text = cell(table, row, column);

        append_value(table, row, text, to);
        if (column + 1 < table->shown->len)
            append_repeated(to, ' ', widths[column] - display_width(text) + 2);
    }
    g_string_append_c(to, '\n');
}

static void
append_terse_row(const TtTable *table, int row, GString *to)
{
    for (guint column = 0; column < table->shown->len; column++) {
        if (column)
            g_string_append_c(to, ':');
        append_value(table, row, cell(table, row, column), to);
    }
    g_string_append_c(to, '\n');
}

static void
append_ruler(char c, guint width, GString *to)
{
    append_repeated(to, c, width);
    g_string_append_c(to, '\n');
}

/* As wide as the title needs, where nothing else says how wide. */
static void
append_title(const TtTable *table, guint width, GString *to)
{
    guint title_width = display_width(table->title);
    guint whole = width ? width : title_width + 4;

    append_ruler('=', whole, to);
    append_repeated(to, ' ', whole > title_width ? (whole - title_width) / 2 : 0);
    g_string_append_printf(to, "%s\n", table->title);
    append_ruler('=', whole, to);
}

static void
append_tabular(const TtTable *table, GString *to)
{
    g_autofree guint *widths = find_widths(table);
    guint whole = 0;

    if (table->options->pretty)
        append_title(table, 0, to);
    append_padded_row(table, HEADER, widths, to);
    for (guint column = 0; column < table->shown->len; column++)
        whole += widths[column] + 2;
    if (table->options->pretty)
        append_ruler('-', whole, to);
    for (guint row = 0; row < table->rows->len; row++)
        append_padded_row(table, (int) row, widths, to);
}

static void
append_multiline_row(const TtTable *table, int row, GString *to)
{
    for (guint column = 0; column < table->shown->len; column++) {
        const char *name = name_of(table, column);
        guint width = display_width(name) + 1;

        g_string_append_printf(to, "%s:", name);
        if (!table->options->terse)
            append_repeated(to, ' ', width < NAME_WIDTH ? NAME_WIDTH - width : 1);
        append_value(table, row, cell(table, row, column), to);
        g_string_append_c(to, '\n');
    }
    if (table->options->pretty)
        append_ruler('-', LINE_WIDTH, to);
}

static void
append_multiline(const TtTable *table, GString *to)
{
    if (table->options->pretty)
        append_title(table, LINE_WIDTH, to);
    for (guint row = 0; row < table->rows->len; row++)
        append_multiline_row(table, (int) row, to);
}

char *
tt_table_format(const TtTable *table)
{
    GString *to = g_string_new(NULL);

    if (table->rows->len == 0)
        return g_string_free(to, FALSE);
    if (table->options->multiline)
        append_multiline(table, to);
    else if (!table->options->terse)
        append_tabular(table, to);
    else
        for (guint row = 0; row < table->rows->len; row++)
            append_terse_row(table, (int) row, to);
    return g_string_free(to, FALSE);
}
