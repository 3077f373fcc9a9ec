/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of routing tables, where iproute2 has them. */
#include "match-internal.h"

#include "text.h"

#include <string.h>

/* "254 main", "0x100 storage  # comment". */
static bool
line_names(char *line, const char *name, guint32 *out_table)
{
    g_auto(GStrv) words = NULL;
    guint64 number;
    char *end;

    line[strcspn(line, "#")] = '\0';
    g_strdelimit(line, "\t\r", ' ');
    words = g_strsplit(g_strstrip(line), " ", 2);
    if (g_strv_length(words) != 2 || strcmp(g_strstrip(words[1]), name) != 0
        || !g_ascii_isdigit(words[0][0]))
        return false;
    number = g_ascii_strtoull(words[0], &end, 0);
    if (*end || number > G_MAXUINT32)
        return false;
    *out_table = (guint32) number;
    return true;
}

static bool
file_names(const char *path, const char *name, guint32 *out_table)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    /* Reading a FIFO would never end. */
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || !g_file_get_contents(path, &text, NULL, NULL))
        return false;
    lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (line_names(*line, name, out_table))
            return true;
    }
    return false;
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static bool
folder_names(const char *folder, const char *name, guint32 *out_table)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *entry;

    while (dir && (entry = g_dir_read_name(dir))) {
        if (entry[0] != '.' && g_str_has_suffix(entry, ".conf"))
            g_ptr_array_add(paths, g_build_filename(folder, entry, NULL));
    }
    g_ptr_array_sort(paths, compare_names);
    for (guint i = 0; i < paths->len; i++) {
        if (file_names(g_ptr_array_index(paths, i), name, out_table))
            return true;
    }
    return false;
}

bool
tt_table_from_name(const char *root, const char *name, guint32 *out_table)
{
    static const char *const folders[] = {
        "/etc/iproute2",
        "/usr/share/iproute2",
        "/usr/lib/iproute2",
    };

    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *file = g_strconcat(root ? root : "", folders[i], "/rt_tables", NULL);
        g_autofree char *folder = g_strconcat(file, ".d", NULL);

        if (file_names(file, name, out_table) || folder_names(folder, name, out_table))
            return true;
    }
    return false;
}
