/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes, metrics, edits and what a plan says of them, as JSON. Each adds to what is open. */
#pragma once

#include "core/report.h"
#include "json.h"

/*
 * An object member: each metric that is there by the name of ip-route(8), as a number in the
 * kernel's unit (rto_min: ms), congctl as text; "lock" lists those that are locked.
 */
void tt_json_add_metrics(JsonBuilder *builder, const char *name, const TtMetrics *metrics);

/* An element of an array: one route with what is wanted and what is. Or only its members, for an
 * object that has more of them. */
void tt_json_add_item(JsonBuilder *builder, const TtPlanItem *item);
void tt_json_add_item_members(JsonBuilder *builder, const TtPlanItem *item);

/* An element: a route that the plan does not know of. */
void tt_json_add_route(JsonBuilder *builder, const TtRoute *route);

/* An element: an edit that is planned or was made; `report` NULL: planned. */
void tt_json_add_edit(JsonBuilder *builder, const TtEdit *edit, const TtEditReport *report);
