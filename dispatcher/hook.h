/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event of NetworkManager, from the hint to the kernel's routes. */
#pragma once

#include "event.h"

/* Does what the event calls for, and logs it. Returns the exit status: 1 for an error that an
 * administrator must see, else 0. */
int tt_hook_run(const TtEvent *event);
