/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the native path did, or would do, in words. */
#pragma once

#include "native.h"

typedef struct {
    bool dry_run;
    bool revert;    /* "restored", not "written" */
    bool unchanged; /* nothing was changed anywhere: who is only as before is not told */
} TtNativeTelling;

/* Before it is done: what NetworkManager will drop from hand-written files, and what a reapply that
 * was asked for will interrupt. To standard error. */
void tt_native_warn_of_losses(const TtNative *native);
void tt_native_warn_of_interruptions(const TtNative *native);

/* A line for each profile and, below it, one for each route; to standard output. */
void tt_native_tell(const TtNative *native, const TtNativeTelling *telling);

/* Profiles that could not be written, and devices that could not be reapplied. False: there are
 * some, with TT_ERROR_NM. */
bool tt_native_conclude(const TtNative *native, GError **error);
