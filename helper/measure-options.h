/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of `measure`. */
#pragma once

#include "measure.h"

typedef struct {
    bool listen;       /* be the peer: `where` is what to listen on */
    const char *where; /* borrowed, as all here */
    const char *svg;   /* NULL: no drawing */
    char **words;      /* metrics; ends with NULL; a part of the array that was parsed */
    TtMeasureOptions measure;
} TtMeasureArgs;

/* Moves the strings of `args` about. False: TT_USAGE_ERROR. */
bool tt_measure_args_parse(char **args, TtMeasureArgs *out_args, GError **error);
