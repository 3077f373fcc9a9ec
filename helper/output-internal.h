/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the model of a table and its form only. */
#pragma once

#include "output.h"

struct TtTable {
    const TtField *fields;
    guint n_fields;
    const TtOptions *options;
    const char *title;
    GArray *shown;   /* guint: index of a field */
    GPtrArray *rows; /* char **, n_fields each */
    GArray *tones;   /* TtTone, one per row */
};
