/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile as a keyfile, tuned without a daemon: for images and kickstart. Pure. */
#pragma once

#include "core/policy.h"

/*
 * The keyfile as it shall be; the very text that came if nothing is to be changed. What its reader
 * should know is appended to `notes` (char *): routes that cannot be tuned in the profile, lines
 * that NetworkManager does not understand and that are lost. It is matched as a profile that is not
 * active. Errors: this libnm would lose rto_min, or it is no valid profile. (transfer full)
 */
char *
tt_profile_keyfile_tune(const TtPolicy *policy, const char *text, GPtrArray *notes, GError **error);
