/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of [host] as JSON. Each adds to what is open. */
#pragma once

#include "host-view.h"
#include "json.h"

/* An array member "host": every setting, or those that are not as the policy says. */
void tt_json_add_host(JsonBuilder *builder, const TtHostView *view, bool only_differences);

/* An element: a setting that was written; `report` NULL: that would be. */
void
tt_json_add_host_edit(JsonBuilder *builder, const TtHostItem *item, const TtHostReport *report);
