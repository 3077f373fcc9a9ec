/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that are not as the policy says, for `check`. */
#pragma once

#include "native.h"
#include "output.h"

/*
 * Looks at NetworkManager's profiles. *out_native (transfer full) is NULL where the native path
 * is not taken, and *out_complaint (transfer full) says why if the policy says native=yes.
 */
bool tt_native_check(const TtPolicy *policy,
                     TtNative **out_native,
                     char **out_complaint,
                     GError **error);

/* What is wrong with a profile; NULL: nothing. (transfer full) */
char *tt_native_difference(const TtNativeProfile *planned, TtTristate native);
