/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/error.h"
#include "core/state-file.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int
setup(void **state)
{
    *state = g_dir_make_tmp("tcptune-nm-state-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static int
teardown(void **state)
{
    static const char *const names[] = {"file", "file.new"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(*state, names[i], NULL);

        if (g_unlink(path) < 0)
            g_rmdir(path);
    }
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static char *
path_of(const char *dir, const char *name)
{
    return g_build_filename(dir, name, NULL);
}

static void
write_text(const char *dir, const char *text)
{
    g_autoptr(GError) error = NULL;

    assert_true(tt_state_file_write(dir, "file", text, strlen(text), &error));
    assert_no_error(error);
}

static void
assert_text(const char *dir, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;

    assert_true(tt_state_file_read(dir, "file", &text, &error));
    assert_no_error(error);
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
}

static void
test_round_trip(void **state)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *long_text = g_strnfill(100000, 'x');
    g_autofree char *aside = path_of(*state, "file.new");
    g_autofree char *path = path_of(*state, "file");
    mode_t old_mask = umask(077);
    struct stat st;

    assert_text(*state, NULL);
    write_text(*state, "one\n");
    write_text(*state, long_text);
    assert_text(*state, long_text);
    write_text(*state, "");
    assert_text(*state, "");
    umask(old_mask);
    /* status reads it without root, whoever wrote it. */
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0644);
    assert_int_equal(access(aside, F_OK), -1);
    assert_true(tt_state_file_remove(*state, "file", &error));
    assert_true(tt_state_file_remove(*state, "file", &error));
    assert_text(*state, NULL);
}

/* Whatever lies in place of a file is an error, and nothing to wait for. */
static void
test_no_file(void **state)
{
    g_autofree char *path = path_of(*state, "file");
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(tt_state_file_read(*state, "file", &text, &error));
    assert_error(error, TT_ERROR_STATE, "cannot read");
    g_unlink(path);
    assert_int_equal(g_mkdir(path, 0700), 0);
    assert_false(tt_state_file_read(*state, "file", &text, &error));
    assert_error(error, TT_ERROR_STATE, "cannot read");
    assert_false(tt_state_file_write(*state, "file", "x", 1, &error));
    assert_error(error, TT_ERROR_STATE, "cannot rename");
    g_rmdir(path);
    assert_int_equal(symlink("/dev/null", path), 0);
    assert_false(tt_state_file_read(*state, "file", &text, &error));
    assert_error(error, TT_ERROR_STATE, "cannot read");
    /* A link is replaced, not followed. */
    write_text(*state, "two\n");
    assert_text(*state, "two\n");
    assert_null(text);
}

static void
test_no_directory(void **state)
{
    g_autofree char *dir = path_of(*state, "file");
    g_autofree char *below = path_of(dir, "below");
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;

    assert_true(tt_state_file_read(dir, "x", &text, &error));
    assert_null(text);
    assert_false(tt_state_file_write(dir, "x", "x", 1, &error));
    assert_error(error, TT_ERROR_STATE, "cannot write");
    assert_false(tt_state_dir_make(below, &error));
    assert_error(error, TT_ERROR_STATE, "cannot make");
    assert_true(tt_state_dir_make(dir, &error));
    assert_true(tt_state_dir_make(dir, &error));
    assert_no_error(error);
}

#define with_dir(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_dir(test_round_trip),
        with_dir(test_no_file),
        with_dir(test_no_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
