/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/nm-state.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <sys/prctl.h>
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
    g_autoptr(GDir) dir = g_dir_open(*state, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(*state, name, NULL);

        g_unlink(path);
    }
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static void
test_regimes(void **state)
{
    static const struct {
        const char *version;
        TtNmRegime regime;
    } cases[] = {
        {"1.30.6", TT_NM_OLD},
        {"1.38.0", TT_NM_OLD},
        {"1.40.0", TT_NM_SILENT},
        {"1.40.16-1.el8", TT_NM_SILENT},
        {"1.42.4", TT_NM_SILENT},
        {"1.42.5", TT_NM_SILENT},
        {"1.42.6", TT_NM_ANNOUNCING},
        {"1.44.0", TT_NM_ANNOUNCING},
        {"1.46", TT_NM_ANNOUNCING},
        {"1.58.1", TT_NM_ANNOUNCING},
        {"2.0.0", TT_NM_ANNOUNCING},
        {"rubbish", TT_NM_UNKNOWN},
        {"", TT_NM_UNKNOWN},
        {"1", TT_NM_UNKNOWN},
        {"1.", TT_NM_UNKNOWN},
        {"1.-40", TT_NM_UNKNOWN},
        {"1.42.", TT_NM_SILENT},
        {"1.42-dev", TT_NM_SILENT},
        /* 2 to the power of 32, and 6 */
        {"1.42.4294967302", TT_NM_ANNOUNCING},
        {"4294967297.30", TT_NM_ANNOUNCING},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        if (tt_nm_regime_from_version(cases[i].version) != cases[i].regime)
            fail_msg("%s", cases[i].version);
    }
}

static bool
note(const char *dir, const char *version)
{
    g_autoptr(GError) error = NULL;
    bool changed;

    assert_true(tt_nm_state_note_version(dir, version, &changed, &error));
    assert_no_error(error);
    return changed;
}

static void
assert_version(const char *dir, const char *expected)
{
    g_autofree char *version = tt_nm_state_version(dir);

    if (expected)
        assert_string_equal(version, expected);
    else
        assert_null(version);
}

/* This process plays the daemon. */
static void
test_version_note(void **state)
{
    assert_version(*state, NULL);
    assert_int_equal(prctl(PR_SET_NAME, "NetworkManager"), 0);
    assert_true(note(*state, "1.46"));
    assert_version(*state, "1.46");
    assert_false(note(*state, "1.46"));
    assert_true(note(*state, "1.52.1"));
    /* A lower bound does not hide what is known better. */
    assert_false(note(*state, "1.46"));
    assert_version(*state, "1.52.1");
    assert_int_equal(tt_nm_state_regime(*state), TT_NM_ANNOUNCING);
    /* The daemon is gone, and its note with it. */
    assert_int_equal(prctl(PR_SET_NAME, "other"), 0);
    assert_version(*state, NULL);
}

static void
test_damaged_version_note(void **state)
{
    g_autofree char *path = g_build_filename(*state, "nm-version", NULL);

    assert_int_equal(prctl(PR_SET_NAME, "NetworkManager"), 0);
    assert_true(g_file_set_contents(path, "1.46\n", -1, NULL));
    assert_version(*state, NULL);
    assert_true(g_file_set_contents(path, "1.46 1 0\n", -1, NULL));
    assert_version(*state, NULL);
    assert_true(note(*state, "1.46"));
}

static void
test_id_note(void **state)
{
    g_autofree char *path = g_build_filename(*state, "device-7", NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    GStatBuf before, after;

    assert_true(tt_nm_state_note_id(*state, 7, "uuid-1", "name of it", &error));
    assert_no_error(error);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, "uuid-1\nname of it\n");
    assert_int_equal(g_stat(path, &before), 0);
    assert_true(tt_nm_state_note_id(*state, 7, "uuid-1", "name of it", &error));
    assert_int_equal(g_stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* not written again */
    assert_true(tt_nm_state_note_id(*state, 7, "uuid-1", "two\nlines", &error));
    assert_int_equal(g_stat(path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

#define with_dir(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regimes),
        with_dir(test_version_note),
        with_dir(test_damaged_version_note),
        with_dir(test_id_note),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
