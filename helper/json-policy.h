/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The merged policy as JSON. */
#pragma once

#include "core/policy.h"
#include "json.h"

/* Members "sections", "files" and "warnings" of what is open. */
void tt_json_add_policy(JsonBuilder *builder, const TtPolicy *policy);

/* Members "file" and "line"; null where nobody wrote it. */
void tt_json_add_origin(JsonBuilder *builder, const TtOrigin *origin);
