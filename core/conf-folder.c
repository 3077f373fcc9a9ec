/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf-folder.h"

#include <string.h>

bool
tt_conf_folder_list(const char *folder, GHashTable *paths, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    const char *name;

    if (!dir)
        return false;
    while ((name = g_dir_read_name(dir))) {
        if (name[0] != '.' && g_str_has_suffix(name, ".conf")
            && !g_hash_table_contains(paths, name))
            g_hash_table_insert(paths, g_strdup(name), g_build_filename(folder, name, NULL));
    }
    return true;
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

GList *
tt_conf_folder_names(GHashTable *paths)
{
    return g_list_sort(g_hash_table_get_keys(paths), compare_names);
}
