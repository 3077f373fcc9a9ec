/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the native path share. */
#pragma once

#include "native.h"

/* Plans anew, for a connection of this profile. (transfer full) */
TtProfilePlan *tt_native_plan(const TtNative *native,
                              const TtPolicy *policy,
                              const TtNmProfile *profile,
                              NMConnection *connection);

/* Takes back what is in a profile now; `failure` says why that failed. */
void tt_native_restore(TtNative *native, TtNativeProfile *planned);

/* One Reapply of what `plan` says (`planned`), or of what it ran with; queued. */
void tt_native_queue_reapply(TtNative *native, TtNativeDevice *device, bool force);
void tt_native_queue_put_back(TtNative *native, TtNativeDevice *device);
