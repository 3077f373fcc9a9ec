/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"

#include "exit.h"
#include "quote.h"

#include <string.h>

struct TtTable {
    const TtField *fields;
    guint n_fields;
    bool terse;
    GArray *shown;   /* guint: index of a field */
    GPtrArray *rows; /* char **, n_fields each */
};

static void
show_field(TtTable *table, guint field)
{
    g_array_append_val(table->shown, field);
}

static void
show_all(TtTable *table, bool also_on_demand)
{
    for (guint i = 0; i < table->n_fields; i++) {
        if (also_on_demand || !table->fields[i].on_demand)
            show_field(table, i);
    }
}

static char *
allowed_fields(const TtTable *table)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < table->n_fields; i++)
        g_ptr_array_add(names, (char *) table->fields[i].name);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(",", (char **) names->pdata);
}

static bool
show_named(TtTable *table, const char *command, const char *name, GError **error)
{
    g_autofree char *allowed = NULL;

    for (guint i = 0; i < table->n_fields; i++) {
        if (!g_ascii_strcasecmp(table->fields[i].name, name)) {
            show_field(table, i);
            return true;
        }
    }
    allowed = allowed_fields(table);
    return tt_usage_error(error, "'%s': invalid field '%s'; allowed fields: [%s]", command, name,
                          allowed);
}

static bool
choose_fields(TtTable *table, const char *command, const char *chosen, GError **error)
{
    g_auto(GStrv) names = NULL;

    if (!chosen || !g_ascii_strcasecmp(chosen, "common")) {
        show_all(table, false);
        return true;
    }
    if (!g_ascii_strcasecmp(chosen, "all")) {
        show_all(table, true);
        return true;
    }
    if (!chosen[0]) {
        g_autofree char *allowed = allowed_fields(table);

        return tt_usage_error(error, "'%s': no fields given; allowed fields: [%s]", command,
                              allowed);
    }
    names = g_strsplit(chosen, ",", -1);
    for (guint i = 0; names[i]; i++) {
        if (!show_named(table, command, g_strstrip(names[i]), error))
            return false;
    }
    return true;
}

TtTable *
tt_table_new(const char *command, const TtField *fields, const TtOptions *options, GError **error)
{
    g_autoptr(TtTable) table = g_new0(TtTable, 1);

    table->fields = fields;
    while (fields[table->n_fields].name)
        table->n_fields++;
    table->terse = options->terse;
    table->shown = g_array_new(FALSE, FALSE, sizeof(guint));
    table->rows = g_ptr_array_new();
    if (!choose_fields(table, command, options->fields, error))
        return NULL;
    return g_steal_pointer(&table);
}

void
tt_table_free(TtTable *table)
{
    if (!table)
        return;
    for (guint i = 0; i < table->rows->len; i++) {
        char **values = g_ptr_array_index(table->rows, i);

        for (guint j = 0; j < table->n_fields; j++)
            g_free(values[j]);
        g_free(values);
    }
    g_ptr_array_unref(table->rows);
    g_array_unref(table->shown);
    g_free(table);
}

void
tt_table_take_row(TtTable *table, char **values)
{
    for (guint i = 0; i < table->n_fields; i++) {
        char *value = values[i];

        values[i] = value ? tt_quote_escape(value) : NULL;
        g_free(value);
    }
    g_ptr_array_add(table->rows, values);
}

guint
tt_table_size(const TtTable *table)
{
    return table->rows->len;
}

/* What stands in one cell; row -1 is the header. */
static const char *
cell(const TtTable *table, int row, guint column)
{
    guint field = g_array_index(table->shown, guint, column);
    const char *value;

    if (row < 0)
        return table->fields[field].name;
    value = ((char **) g_ptr_array_index(table->rows, row))[field];
    if (value && value[0])
        return value;
    return table->terse ? "" : "--";
}

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

static guint
column_width(const TtTable *table, guint column)
{
    guint width = 0;

    for (int row = -1; row < (int) table->rows->len; row++)
        width = MAX(width, display_width(cell(table, row, column)));
    return width;
}

static void
append_padded_row(const TtTable *table, int row, const guint *widths, GString *to)
{
    for (guint column = 0; column < table->shown->len; column++) {
        const char *text = cell(table, row, column);
        guint padding = widths[column] - display_width(text) + 2;

        g_string_append(to, text);
        if (column + 1 < table->shown->len)
            g_string_append_printf(to, "%*s", (int) padding, "");
    }
    g_string_append_c(to, '\n');
}

static void
append_escaped(GString *to, const char *text)
{
    for (; *text; text++) {
        if (strchr(":\\", *text))
            g_string_append_c(to, '\\');
        g_string_append_c(to, *text);
    }
}

static void
append_terse_row(const TtTable *table, int row, GString *to)
{
    for (guint column = 0; column < table->shown->len; column++) {
        if (column)
            g_string_append_c(to, ':');
        append_escaped(to, cell(table, row, column));
    }
    g_string_append_c(to, '\n');
}

char *
tt_table_format(const TtTable *table)
{
    GString *to = g_string_new(NULL);
    g_autofree guint *widths = g_new0(guint, table->shown->len);

    if (table->rows->len == 0)
        return g_string_free(to, FALSE);
    for (guint column = 0; column < table->shown->len; column++)
        widths[column] = column_width(table, column);
    for (int row = table->terse ? 0 : -1; row < (int) table->rows->len; row++) {
        if (table->terse)
            append_terse_row(table, row, to);
        else
            append_padded_row(table, row, widths, to);
    }
    return g_string_free(to, FALSE);
}
