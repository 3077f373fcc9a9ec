/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The measurement itself: plain, tuned, plain, tuned, each over connections of its own. */
#pragma once

#include "measure-route.h"
#include "measure.h"

typedef struct {
    int family;
    TtAddress peer;
    guint16 port;
    TtMeasureRoute *route;
    void (*progress)(const TtMeasure *measure); /* after each request or transfer */
} TtMeasureRun;

/* Fills `measure`, whose sides have their metrics. False: it was broken off, and what came until
 * then is in it. The route may still be in. */
bool tt_measure_run(const TtMeasureRun *run, TtMeasure *measure, GError **error);
