/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply and revert: the kernel's routes first, then NetworkManager's profiles, so that
 * NetworkManager finds in the kernel what it is about to want.
 */
#pragma once

#include "command.h"
#include "core/policy.h"
#include "nm-select.h"

typedef struct {
    const TtPolicy *policy; /* NULL: undo everything */
    const TtSelection *selection;
    bool dry_run;
    bool reapply; /* also where it interrupts something */
} TtTuning;

bool tt_tune(TtContext *context, const TtTuning *tuning, GError **error);
