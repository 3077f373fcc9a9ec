/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files in our run directory: read whole, written aside and renamed. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Makes the directory, mode 0755, where it is missing. Error: TT_ERROR_STATE, TT_ERROR_PERMISSION.
 */
bool tt_state_dir_make(const char *run_dir, GError **error);

/* *out_text (transfer full) is NULL for an absent file. Error: TT_ERROR_STATE. */
bool tt_state_file_read(const char *run_dir, const char *name, char **out_text, GError **error);

/* A reader sees the old file or the new one, never a half; so does a later run if this one is
 * killed. The file is readable for all. Error: TT_ERROR_STATE, TT_ERROR_PERMISSION. */
bool tt_state_file_write(const char *run_dir,
                         const char *name,
                         const char *text,
                         gsize len,
                         GError **error);

/* An absent file is no error. */
bool tt_state_file_remove(const char *run_dir, const char *name, GError **error);

/*
 * A file of somebody else's, whole, links followed. False: it is not there, or not a plain file of
 * root's that nobody else can write, or longer than `max` bytes.
 */
bool tt_state_file_read_trusted(const char *path, gsize max, char **out_text, gsize *out_len);
