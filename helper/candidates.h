/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this host has that a command can be told by name. */
#pragma once

#include "command.h"

/* NULL-terminated; empty where there is nothing, or nobody to ask. (transfer full) */
char **tt_candidates(TtWordKind kind);
