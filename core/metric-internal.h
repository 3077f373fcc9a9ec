/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "metric.h"

/* RTAX_FEATURE_* of "ecn"; 0: no feature of that name. */
guint32 tt_feature_bit(const char *name);
