/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of *.conf files of which one hides what is of the same name in the next. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Adds name -> path (both owned by the table) of the names that are not there yet. False: the
 * folder cannot be read, or not to its end; errno says why. */
bool tt_conf_folder_list(const char *folder, GHashTable *paths);

/* The names in the order in which the files are read. (transfer container) */
GList *tt_conf_folder_names(GHashTable *paths);
