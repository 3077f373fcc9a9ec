/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the native path did, or would do, as JSON. */
#pragma once

#include "json.h"
#include "native.h"

/* The member "profiles", an array of objects; `native` NULL: an empty one. */
void tt_native_add_json(JsonBuilder *json, const TtNative *native);
