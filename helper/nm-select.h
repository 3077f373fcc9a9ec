/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a host a command is about: ifname IF, id ID, uuid U, each as often as one likes. */
#pragma once

#include "nm-objects.h"

typedef struct {
    GPtrArray *interfaces; /* char * of the command line, each */
    GPtrArray *ids;
    GPtrArray *uuids;
} TtSelection;

void tt_selection_init(TtSelection *selection);
void tt_selection_clear(TtSelection *selection);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TtSelection, tt_selection_clear)

/* Nothing was named: everything. */
bool tt_selection_is_all(const TtSelection *selection);
/* A profile was named, which only NetworkManager knows. */
bool tt_selection_names_profiles(const TtSelection *selection);

/* Takes "ifname IF" and moves *args to IF. False without an error: it is another word. */
bool tt_selection_take(TtSelection *selection, char ***args, GError **error);

/*
 * The profiles that are meant: named, active on a named device, or made for it. `nm` NULL: none.
 * TT_ERROR_NOT_FOUND, in nmcli's words. (transfer container)
 */
GPtrArray *tt_selection_profiles(const TtSelection *selection, const TtNm *nm, GError **error);

/* The devices (int) whose routes are meant; of profiles, where they are active. Empty and
 * tt_selection_is_all(): every one. TT_ERROR_NOT_FOUND: no such device, nor a profile for it.
 * (transfer full) */
GArray *
tt_selection_devices(const TtSelection *selection, const GPtrArray *profiles, GError **error);
