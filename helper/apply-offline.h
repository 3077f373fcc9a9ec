/* SPDX-License-Identifier: GPL-2.0-or-later */
/* apply --offline: a keyfile on standard input, the tuned one on standard output. */
#pragma once

#include "core/policy.h"

bool tt_apply_offline(const TtPolicy *policy, GError **error);
