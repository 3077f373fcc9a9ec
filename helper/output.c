/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The model of a table: which fields are shown, and the rows. */
#include "exit.h"
#include "output-internal.h"
#include "quote.h"

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
    table->options = options;
    table->title = command;
    table->shown = g_array_new(FALSE, FALSE, sizeof(guint));
    table->rows = g_ptr_array_new();
    table->tones = g_array_new(FALSE, FALSE, sizeof(TtTone));
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
    g_array_unref(table->tones);
    g_free(table);
}

void
tt_table_set_title(TtTable *table, const char *title)
{
    if (title)
        table->title = title;
}

void
tt_table_take_toned_row(TtTable *table, char **values, TtTone tone)
{
    for (guint i = 0; i < table->n_fields; i++) {
        char *value = values[i];

        values[i] = value ? tt_quote_escape(value) : NULL;
        g_free(value);
    }
    g_ptr_array_add(table->rows, values);
    g_array_append_val(table->tones, tone);
}

void
tt_table_take_row(TtTable *table, char **values)
{
    tt_table_take_toned_row(table, values, TT_TONE_PLAIN);
}

guint
tt_table_size(const TtTable *table)
{
    return table->rows->len;
}
