/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NetworkManager writes a device's lease to /run/NetworkManager/devices/IFINDEX some milliseconds
 * after the routes; which of two defaults is the orphan may only be known then. inotify(7).
 */
#pragma once

#include "hints.h"

typedef struct TtLeaseWatch TtLeaseWatch;

TtLeaseWatch *tt_lease_watch_new(GError **error);
void tt_lease_watch_free(TtLeaseWatch *watch);
int tt_lease_watch_fd(const TtLeaseWatch *watch);
void tt_lease_watch_read(TtLeaseWatch *watch, TtHints *hints);
