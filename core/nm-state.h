/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What NetworkManager leaves in /run/NetworkManager, and what we noted about it in our own run
 * directory: which profile is active on a device, the routers of its lease, the daemon's version,
 * and where the profiles are that we wrote to.
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
 * Notes where a profile is stored (nm_remote_connection_get_filename(), CONNECTION_FILENAME), if it
 * carries a stamp of ours; else the note that there is goes. What cannot be true is no error:
 * `path` is a hint. `activated`: what the profile says is in force on its devices from now on.
 */
bool tt_nm_state_note_profile(const char *run_dir,
                              const char *uuid,
                              const char *path,
                              bool activated,
                              GError **error);

/* Is there any note of a profile? */
bool tt_nm_state_has_profiles(const char *run_dir);
/* Removes the notes of those that are gone, or are not stamped any more. */
bool tt_nm_state_tidy_profiles(const char *run_dir, GError **error);
/* Reads every profile that there is a note of. */
void tt_nm_state_load_profiles(const char *run_dir, TtFacts *facts);

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
