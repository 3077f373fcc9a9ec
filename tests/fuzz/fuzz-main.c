/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target over every file of its corpus, without libFuzzer: usage: NAME FOLDER */
#include <glib.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static guint
replay(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    guint n = 0;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *text = NULL;
        g_autofree guint8 *exact = NULL;
        gsize len;

        if (!g_file_get_contents(path, &text, &len, NULL))
            return 0;
        /* GLib puts a NUL behind the text, which would hide a read past the end. */
        exact = g_memdup(text, (guint) len);
        LLVMFuzzerTestOneInput(exact, len);
        n++;
    }
    return n;
}

int
main(int argc, char **argv)
{
    guint n = argc == 2 ? replay(argv[1]) : 0;

    if (n == 0) {
        fprintf(stderr, "no corpus, or a file of it that cannot be read\n");
        return 1;
    }
    printf("%u inputs\n", n);
    return 0;
}
