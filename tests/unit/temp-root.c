/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "temp-root.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void
remove_tree(const char *path)
{
    g_autoptr(GDir) dir = NULL;
    const char *name;

    if (!g_file_test(path, G_FILE_TEST_IS_SYMLINK))
        dir = g_dir_open(path, 0, NULL);
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *child = g_build_filename(path, name, NULL);

        remove_tree(child);
    }
    remove(path);
}

int
tt_temp_root_new(void **state)
{
    umask(022);
    *state = g_dir_make_tmp("tcptune-nm-XXXXXX", NULL);
    return *state ? 0 : -1;
}

int
tt_temp_root_free(void **state)
{
    remove_tree(*state);
    g_free(*state);
    return 0;
}

char *
tt_temp_place(const char *root, const char *file)
{
    char *path = g_strconcat(root, file, NULL);
    g_autofree char *folder = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
    return path;
}

void
tt_temp_put(const char *root, const char *file, const char *text)
{
    g_autofree char *path = tt_temp_place(root, file);

    assert_true(g_file_set_contents(path, text, -1, NULL));
    assert_int_equal(chmod(path, 0644), 0);
}

void
tt_temp_link(const char *root, const char *file, const char *target)
{
    g_autofree char *path = tt_temp_place(root, file);

    assert_int_equal(symlink(target, path), 0);
}

void
tt_temp_remove(const char *root, const char *file)
{
    g_autofree char *path = g_strconcat(root, file, NULL);

    remove_tree(path);
}
