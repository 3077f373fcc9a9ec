/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of text: a command names its fields and adds rows; how they look is decided here by
 * the global options. Pure: makes text and prints nothing.
 */
#pragma once

#include "options.h"

typedef struct {
    const char *name; /* "ROUTE" */
    bool on_demand;   /* shown only with -f */
} TtField;

/* What a row says, for those who see colours. */
typedef enum { TT_TONE_PLAIN, TT_TONE_GOOD, TT_TONE_BAD, TT_TONE_FAINT } TtTone;

typedef struct TtTable TtTable;

/* `fields` ends with a NULL name. False fields in options->fields: TT_USAGE_ERROR, which names
 * the allowed ones. `fields` and `options` have to live as long as the table. (transfer full) */
TtTable *
tt_table_new(const char *command, const TtField *fields, const TtOptions *options, GError **error);

/* The heading of pretty output; NULL or not set: the command. Borrowed. */
void tt_table_set_title(TtTable *table, const char *title);
void tt_table_free(TtTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtTable, tt_table_free)

/* One value per field, in their order; NULL or "" where there is none. The strings and the array
 * are the table's from here on. What is not printable in them is escaped. */
void tt_table_take_row(TtTable *table, char **values);
void tt_table_take_toned_row(TtTable *table, char **values, TtTone tone);

guint tt_table_size(const TtTable *table);

/* With the line ends; "" without rows. (transfer full) */
char *tt_table_format(const TtTable *table);
