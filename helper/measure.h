/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `measure` was asked for and what it found: plain data, apart from how it is told. */
#pragma once

#include "core/route.h"

typedef enum { TT_SIDE_PLAIN, TT_SIDE_TUNED, _TT_SIDE_N } TtSide;

/* "plain", "tuned" */
const char *tt_side_name(TtSide side);

typedef struct {
    bool bulk;      /* transfers one way instead of requests that are echoed */
    guint n_rounds; /* each has both sides, plain first */
    guint count;    /* of requests or transfers per round and side, more or less */
    guint64 bytes;  /* of each */
} TtMeasureOptions;

typedef struct {
    TtMetrics metrics;       /* of the route meanwhile */
    GArray *samples;         /* double: milliseconds of each request or transfer, in order */
    GArray *rounds;          /* double: the sum of each round's */
    guint64 n_retransmitted; /* segments, as tcp_info of our connections counts */
    guint64 n_dsacks;
    guint64 n_probes; /* of all connections of the host, meanwhile */
} TtMeasureSide;

typedef struct {
    TtMeasureOptions options;
    char *peer;    /* as the user named it */
    char *route;   /* by which it is reached, without metrics */
    GArray *sizes; /* guint: requests or transfers of each round, for both sides the same */
    TtMeasureSide side[_TT_SIDE_N];
} TtMeasure;

void tt_measure_init(TtMeasure *measure, const TtMeasureOptions *options);
void tt_measure_clear(TtMeasure *measure);

/* Takes back samples of a round that only one side has finished; returns the complete rounds. */
guint tt_measure_trim(TtMeasure *measure);

/* What it comes to. */
typedef enum {
    TT_MEASURE_DIFFERS,
    TT_MEASURE_EQUAL,   /* within five per cent, with some certainty */
    TT_MEASURE_UNKNOWN, /* it could be chance */
} TtMeasureOutcome;

typedef struct {
    TtMeasureOutcome outcome;
    double factor; /* total time of plain by that of tuned */
    double low;    /* the interval of 95 % */
    double high;
    double p; /* of the permutation test over the rounds */
} TtMeasureVerdict;

TtMeasureVerdict tt_measure_judge(const TtMeasure *measure);
