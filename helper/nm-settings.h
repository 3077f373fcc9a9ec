/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles as the bus carries them: a{sa{sv}}. Pure. */
#pragma once

#include <NetworkManager.h>

/*
 * `settings`, as the daemon sent them, with what differs between the two connections, which were
 * made from them. All else is sent back as it came, also what this libnm does not know.
 * (transfer full)
 */
GVariant *tt_nm_settings_merge(GVariant *settings, NMConnection *before, NMConnection *after);
