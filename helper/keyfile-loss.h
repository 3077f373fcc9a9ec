/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a hand-written profile NetworkManager drops when it writes the file anew. */
#pragma once

#include <glib.h>

/* "3 comments", "[ipv4] my-key": comments, and keys that mean nothing to libnm. NULL: nothing is
 * lost. (transfer full) */
GPtrArray *tt_keyfile_losses(const char *text);

/* The same of a file. NULL also where it cannot be read, or is no keyfile. */
GPtrArray *tt_keyfile_losses_of_file(const char *path);
