/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sysctl-files.h"

#include "conf-folder.h"

#include <sys/stat.h>

#define PLAIN_FILE "/etc/sysctl.conf"

/* The first hides the others. */
static const char *const folders[] = {
    "/etc/sysctl.d",     "/run/sysctl.d", "/usr/local/lib/sysctl.d",
    "/usr/lib/sysctl.d", "/lib/sysctl.d",
};

static bool
is_same_file(const char *a, const char *b)
{
    struct stat st_a, st_b;

    return stat(a, &st_a) == 0 && stat(b, &st_b) == 0 && st_a.st_dev == st_b.st_dev
           && st_a.st_ino == st_b.st_ino;
}

static bool
is_masked(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || !S_ISREG(st.st_mode);
}

GPtrArray *
tt_sysctl_files_list(const char *root)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *plain = g_strconcat(root ? root : "", PLAIN_FILE, NULL);
    g_autoptr(GList) names = NULL;
    bool has_plain = false;

    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_strconcat(root ? root : "", folders[i], NULL);

        tt_conf_folder_list(folder, paths);
    }
    names = tt_conf_folder_names(paths);
    for (GList *l = names; l; l = l->next) {
        const char *path = g_hash_table_lookup(paths, l->data);

        if (is_masked(path))
            continue;
        has_plain = has_plain || is_same_file(path, plain);
        g_ptr_array_add(files, g_strdup(path));
    }
    if (!has_plain && !is_masked(plain))
        g_ptr_array_add(files, g_steal_pointer(&plain));
    return files;
}
