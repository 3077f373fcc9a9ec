/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lock.h"
#include "core/monitor-status.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <unistd.h>

typedef struct {
    char *dir;
    int lock_fd;
} Fixture;

/* A folder in which a monitor holds its lock. */
static int
set_up(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->dir = g_dir_make_tmp("tcptune-nm-monitor-XXXXXX", NULL);
    f->lock_fd = f->dir ? tt_lock_monitor_take(f->dir, NULL) : -1;
    *state = f;
    return f->lock_fd >= 0 ? 0 : -1;
}

static int
tear_down(void **state)
{
    static const char *const names[] = {"monitor", "monitor-status", "monitor-status.new"};
    Fixture *f = *state;

    if (f->lock_fd >= 0)
        close(f->lock_fd);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(f->dir, names[i], NULL);

        g_unlink(path);
    }
    g_rmdir(f->dir);
    g_free(f->dir);
    g_free(f);
    return 0;
}

static void
write_status(const Fixture *f, const TtMonitorStatus *status)
{
    g_autoptr(GError) error = NULL;

    tt_monitor_status_write(f->dir, status, &error);
    assert_no_error(error);
}

static void
test_all_comes_back(void **state)
{
    TtMonitorStatus written = {.since = G_GINT64_CONSTANT(1) << 40,
                               .n_events = G_MAXUINT64,
                               .n_changes = 4,
                               .last_change = 5,
                               .last_fight = 6,
                               .fight = (char *) "default via fe80::1 dev eth0",
                               .policy_error = (char *) "\"a=b\"; line 1\nline 2\t\\ [x]"};
    TtMonitorStatus read;

    write_status(*state, &written);
    assert_true(tt_monitor_status_read(((Fixture *) *state)->dir, &read));
    assert_true(read.since == written.since);
    assert_true(read.n_events == written.n_events);
    assert_int_equal(read.n_changes, 4);
    assert_int_equal(read.last_change, 5);
    assert_int_equal(read.last_fight, 6);
    assert_string_equal(read.fight, written.fight);
    assert_string_equal(read.policy_error, written.policy_error);
    tt_monitor_status_clear(&read);
    assert_null(read.fight);
    assert_null(read.policy_error);
}

static void
test_nothing_yet(void **state)
{
    Fixture *f = *state;
    TtMonitorStatus read;

    assert_false(tt_monitor_status_read(f->dir, &read));
    write_status(f, &(TtMonitorStatus){.since = 7});
    assert_true(tt_monitor_status_read(f->dir, &read));
    assert_int_equal(read.since, 7);
    assert_int_equal(read.n_events, 0);
    assert_int_equal(read.last_fight, 0);
    assert_null(read.fight);
    assert_null(read.policy_error);
    tt_monitor_status_clear(&read);
}

/* What a killed monitor leaves behind is no news of one that runs. */
static void
test_killed(void **state)
{
    Fixture *f = *state;
    TtMonitorStatus read;

    write_status(f, &(TtMonitorStatus){.since = 7});
    close(f->lock_fd);
    f->lock_fd = -1;
    assert_false(tt_monitor_status_read(f->dir, &read));
    assert_int_equal(read.since, 0);
}

static void
test_damaged(void **state)
{
    Fixture *f = *state;
    g_autofree char *path = g_build_filename(f->dir, "monitor-status", NULL);
    TtMonitorStatus read;

    g_file_set_contents(path, "no key file", -1, NULL);
    assert_false(tt_monitor_status_read(f->dir, &read));
    g_file_set_contents(path, "[monitor]\nsince=soon\n", -1, NULL);
    assert_true(tt_monitor_status_read(f->dir, &read));
    assert_int_equal(read.since, 0);
    tt_monitor_status_clear(&read);
}

static void
test_no_folder(void **state)
{
    g_autofree char *dir = g_build_filename(((Fixture *) *state)->dir, "none", NULL);
    GError *error = NULL;
    TtMonitorStatus read;

    assert_false(tt_monitor_status_write(dir, &(TtMonitorStatus){.since = 7}, &error));
    assert_non_null(error);
    g_error_free(error);
    assert_false(tt_monitor_status_read(dir, &read));
}

#define with_lock(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_lock(test_all_comes_back), with_lock(test_nothing_yet), with_lock(test_killed),
        with_lock(test_damaged),        with_lock(test_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
