/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/apply.h"
#include "core/error.h"
#include "core/state-file.h"
#include "dispatcher/revert-watch.h"
#include "tt-test.h"

#include <glib/gstdio.h>

static void
put_file(const char *dir, const char *name)
{
    g_autoptr(GError) error = NULL;

    tt_state_file_write(dir, name, "", 0, &error);
    assert_no_error(error);
}

static void
take_file(const char *dir, const char *name)
{
    g_autoptr(GError) error = NULL;

    tt_state_file_remove(dir, name, &error);
    assert_no_error(error);
}

static void
test_mark_comes_and_goes(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("tcptune-nm-revert-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;
    TtRevertWatch *watch = tt_revert_watch_new(dir, &error);

    assert_no_error(error);
    assert_false(tt_revert_watch_read(watch));
    put_file(dir, "journal");
    take_file(dir, "journal");
    assert_false(tt_revert_watch_read(watch));
    put_file(dir, TT_REVERTED_NAME);
    assert_true(tt_revert_watch_read(watch));
    assert_false(tt_revert_watch_read(watch));
    take_file(dir, TT_REVERTED_NAME);
    assert_true(tt_revert_watch_read(watch));
    /* Both at once, and something else behind them. */
    put_file(dir, TT_REVERTED_NAME);
    take_file(dir, TT_REVERTED_NAME);
    put_file(dir, "journal");
    assert_true(tt_revert_watch_read(watch));
    assert_false(tt_revert_watch_read(watch));
    take_file(dir, "journal");
    tt_revert_watch_free(watch);
    g_rmdir(dir);
}

static void
test_no_folder(void **state)
{
    g_autoptr(GError) error = NULL;

    assert_null(tt_revert_watch_new("/nonexistent/tcptune-nm", &error));
    assert_true(g_error_matches(error, TT_ERROR, TT_ERROR_STATE));
    tt_revert_watch_free(NULL);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mark_comes_and_goes),
        cmocka_unit_test(test_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
