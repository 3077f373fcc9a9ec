/* SPDX-License-Identifier: GPL-2.0-or-later */
/* That the hook has run since boot: it leaves a note in our run directory, once. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* No write if it is there already. */
bool tt_hook_note(const char *run_dir, GError **error);

bool tt_hook_note_is_there(const char *run_dir);
