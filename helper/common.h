/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several commands do alike. */
#pragma once

#include "command.h"
#include "core/policy.h"

/* False with an error if there are arguments left. */
bool tt_args_end(char **args, GError **error);

/* TT_ERROR_NOT_FOUND: "Device 'eth9' not found." */
bool tt_device_find(const char *name, int *out_ifindex, GError **error);

/* Loads this host's policy; that there is none goes to standard error. (transfer full) */
TtPolicy *tt_policy_load_host(GError **error);

/* What its writer should know, as "Warning: FILE:LINE: ..." on standard error. */
void tt_policy_warn(const TtPolicy *policy);
