/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `status --prometheus FILE`. */
#pragma once

#include "core/plan.h"
#include "host-view.h"

/* Writes the file, aside first and then renamed. `plan` NULL: the policy has an error, and `view`
 * does not count. */
bool
tt_textfile_write(const char *path, const TtPlan *plan, const TtHostView *view, GError **error);
