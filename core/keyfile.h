/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a NetworkManager profile on disk says of a gateway that `apply` moved into its routes. Not
 * read by GKeyFile: see nm-state.c. Pure but for tt_keyfile_read().
 */
#pragma once

#include "facts.h"

typedef struct {
    bool stamped; /* some key of ours is in its [user] section */
    TtMovedGateway gateway[2];
} TtKeyfile;

/* Any bytes will do: what is not understood says nothing. */
void tt_keyfile_parse(const char *text, gsize len, TtKeyfile *out_keyfile);

/* False: not there, not a plain file of root's that only root can write, or too big to be a
 * profile. */
bool tt_keyfile_read(const char *path, TtKeyfile *out_keyfile);
