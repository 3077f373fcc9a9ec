/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hook-note.h"

#include "state-file.h"

#include <unistd.h>

#define NAME "hook"

bool
tt_hook_note_is_there(const char *run_dir)
{
    g_autofree char *path = g_build_filename(run_dir, NAME, NULL);

    return access(path, F_OK) == 0;
}

bool
tt_hook_note(const char *run_dir, GError **error)
{
    return tt_hook_note_is_there(run_dir)
           || (tt_state_dir_make(run_dir, error)
               && tt_state_file_write(run_dir, NAME, "", 0, error));
}
