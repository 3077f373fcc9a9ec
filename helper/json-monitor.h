/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the monitor tells of itself, as JSON. */
#pragma once

#include "json.h"

/* The member "monitor" of what is open; null: it does not run. */
void tt_json_add_monitor(JsonBuilder *builder);
