/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf-folder.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

static void
add(GHashTable *paths, const char *folder, const char *name)
{
    if (name[0] != '.' && g_str_has_suffix(name, ".conf") && !g_hash_table_contains(paths, name))
        g_hash_table_insert(paths, g_strdup(name), g_build_filename(folder, name, NULL));
}

/* Not GDir, which takes an error for the end. */
bool
tt_conf_folder_list(const char *folder, GHashTable *paths)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    int saved;

    if (!dir)
        return false;
    for (;;) {
        errno = 0;
        entry = readdir(dir);
        if (!entry)
            break;
        add(paths, folder, entry->d_name);
    }
    saved = errno;
    closedir(dir);
    errno = saved;
    return saved == 0;
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
