/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What NetworkManager leaves in /run/NetworkManager, and what we noted about it in our own run
 * directory: which profile is active on a device, the routers of its lease, the daemon's version.
 */
#pragma once

#include "facts.h"

/* Fills the regime, and connection_uuid, connection_id and dhcp_routers of every link. */
void tt_nm_state_load(const char *run_dir, TtFacts *facts);

/* Keeps the CONNECTION_ID of a device's event for later runs; no write if it is there already. */
bool tt_nm_state_note_id(const char *run_dir,
                         int ifindex,
                         const char *uuid,
                         const char *id,
                         GError **error);

/*
 * Notes the running daemon's version ("1.42.4", or "1.46" where only a lower bound is known).
 * The note holds for the lifetime of the process called NetworkManager; a lower bound does not
 * replace a higher version. *out_changed: it was new.
 */
bool tt_nm_state_note_version(const char *run_dir,
                              const char *version,
                              bool *out_changed,
                              GError **error);

/* The noted version of a daemon that still runs; NULL: not known. (transfer full) */
char *tt_nm_state_version(const char *run_dir);

/* TT_NM_ABSENT without /run/NetworkManager; by the version where it is known. */
TtNmRegime tt_nm_state_regime(const char *run_dir);

TtNmRegime tt_nm_regime_from_version(const char *version);
const char *tt_nm_regime_name(TtNmRegime regime);
