/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NetworkManager writes a device's lease to /run/NetworkManager/devices/IFINDEX some milliseconds
 * after the routes; which of two defaults is the orphan may only be known then. inotify(7).
 */
#pragma once

#include "hints.h"

typedef struct TtLeaseWatch TtLeaseWatch;

/* `run`: "/run". NetworkManager's folder need not be there yet. (transfer full) */
TtLeaseWatch *tt_lease_watch_new(const char *run, GError **error);
void tt_lease_watch_free(TtLeaseWatch *watch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtLeaseWatch, tt_lease_watch_free)
int tt_lease_watch_fd(const TtLeaseWatch *watch);

/* Takes all that is there: devices whose leases were written, or everything where that is not
 * known. */
void tt_lease_watch_read(TtLeaseWatch *watch, TtHints *hints);
