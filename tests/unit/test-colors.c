/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/colors.h"
#include "tt-test.h"

#include <glib/gstdio.h>

static TtColorScene
terminal(void)
{
    return (TtColorScene){.term = "xterm", .is_terminal = true};
}

static void
test_option(void **state)
{
    TtColorScene scene = {.no_color = "1"};

    assert_true(tt_colors_decide_in(TT_COLORS_YES, &scene));
    scene = terminal();
    assert_false(tt_colors_decide_in(TT_COLORS_NO, &scene));
    assert_true(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
}

static void
test_environment(void **state)
{
    TtColorScene scene = terminal();

    scene.no_color = "";
    assert_true(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene.no_color = "1";
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene = (TtColorScene){.clicolor_force = "1"};
    assert_true(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene.clicolor_force = "0";
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene.clicolor_force = "1";
    scene.no_color = "1";
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
}

static void
test_terminal(void **state)
{
    TtColorScene scene = terminal();

    scene.term = "dumb";
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene.term = NULL;
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
    scene = terminal();
    scene.is_terminal = false;
    assert_false(tt_colors_decide_in(TT_COLORS_AUTO, &scene));
}

/* With these files in terminal-colors.d, is there colour in an xterm? */
static bool
with_files(const char *first, const char *second)
{
    g_autofree char *folder = g_dir_make_tmp("tt-colors-XXXXXX", NULL);
    const char *const folders[] = {"/nonexistent", folder, NULL};
    const char *const names[] = {first, second};
    TtColorScene scene = terminal();
    bool result;

    scene.folders = folders;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *path = names[i] ? g_build_filename(folder, names[i], NULL) : NULL;

        if (path)
            g_file_set_contents(path, "", 0, NULL);
    }
    result = tt_colors_decide_in(TT_COLORS_AUTO, &scene);
    for (guint i = 0; i < 2; i++) {
        g_autofree char *path = names[i] ? g_build_filename(folder, names[i], NULL) : NULL;

        if (path)
            g_unlink(path);
    }
    g_rmdir(folder);
    return result;
}

static void
test_files(void **state)
{
    assert_true(with_files(NULL, NULL));
    assert_false(with_files("disable", NULL));
    assert_false(with_files("tcptune-nm.disable", NULL));
    assert_false(with_files("@xterm.disable", NULL));
    assert_true(with_files("@vt100.disable", "ls.disable"));
    assert_true(with_files("disable", "tcptune-nm.enable"));
    assert_true(with_files("tcptune-nm.disable", "tcptune-nm@xterm.enable"));
    assert_false(with_files("enable", "tcptune-nm.disable"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
