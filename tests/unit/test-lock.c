/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/error.h"
#include "core/lock.h"
#include "tt-test.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static int
setup(void **state)
{
    *state = g_dir_make_tmp("tcptune-nm-lock-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static int
teardown(void **state)
{
    static const char *const names[] = {"lock", "dirty", "monitor"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(*state, names[i], NULL);

        g_unlink(path);
    }
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static TtLock *
take(const char *dir, TtLockResult expected)
{
    g_autoptr(GError) error = NULL;
    TtLock *lock = NULL;
    TtLockResult result;

    assert_true(tt_lock_take(dir, 20, &lock, &result, &error));
    assert_no_error(error);
    assert_int_equal(result, expected);
    return lock;
}

static void
test_second_leaves_a_mark(void **state)
{
    g_autoptr(TtLock) lock = take(*state, TT_LOCK_HELD);

    assert_false(tt_lock_was_marked(lock));
    assert_null(take(*state, TT_LOCK_LEFT));
    assert_true(tt_lock_was_marked(lock));
    assert_false(tt_lock_was_marked(lock));
    assert_true(tt_lock_release(lock));
}

/* A mark at the last moment: the holder has to look again, and still holds the lock for it. */
static void
test_release_sees_a_late_mark(void **state)
{
    g_autoptr(TtLock) lock = take(*state, TT_LOCK_HELD);

    take(*state, TT_LOCK_LEFT);
    assert_false(tt_lock_release(lock));
    take(*state, TT_LOCK_LEFT);
    assert_true(tt_lock_was_marked(lock));
    assert_true(tt_lock_release(lock));
    tt_lock_free(take(*state, TT_LOCK_HELD));
}

/* The wait ends when the holder lets go, not when the time is up. */
static void
test_waits_for_the_holder(void **state)
{
    TtLock *lock = take(*state, TT_LOCK_HELD);
    g_autoptr(GError) error = NULL;
    g_autoptr(TtLock) second = NULL;
    TtLockResult result;
    pid_t child = fork();
    int status;

    if (child == 0) {
        tt_lock_free(lock); /* the child's copy of the descriptor would keep the lock */
        tt_lock_take(*state, 10000, &second, &result, &error);
        _exit(second && result == TT_LOCK_HELD ? 0 : 1);
    }
    tt_lock_free(lock);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void
test_no_directory(void **state)
{
    g_autofree char *path = g_build_filename(*state, "no", "such", NULL);
    g_autoptr(GError) error = NULL;
    TtLock *lock = NULL;
    TtLockResult result;

    assert_false(tt_lock_take(path, 20, &lock, &result, &error));
    assert_error(error, TT_ERROR_STATE, "cannot make");
}

static void
test_monitor(void **state)
{
    g_autofree char *path = g_build_filename(*state, "monitor", NULL);
    int fd;

    assert_false(tt_lock_monitor_running(*state));
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    assert_false(tt_lock_monitor_running(*state));
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_true(tt_lock_monitor_running(*state));
    close(fd);
    assert_false(tt_lock_monitor_running(*state));
}

static void
test_monitor_take(void **state)
{
    GError *error = NULL;
    int fd = tt_lock_monitor_take(*state, &error);

    assert_no_error(error);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_true(tt_lock_monitor_running(*state));
    assert_int_equal(tt_lock_monitor_take(*state, &error), -1);
    assert_error(error, TT_ERROR_STATE, "another monitor is running");
    close(fd);
    fd = tt_lock_monitor_take(*state, NULL);
    assert_true(fd >= 0);
    close(fd);
}

/* Who only asks has the lock for a moment: that is no other monitor. */
static void
test_monitor_take_while_asked(void **state)
{
    g_autofree char *path = g_build_filename(*state, "monitor", NULL);
    GError *error = NULL;
    int asking = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644), fd;
    pid_t pid;

    assert_int_equal(flock(asking, LOCK_SH | LOCK_NB), 0);
    pid = fork();
    if (pid == 0) {
        g_usleep(100 * 1000);
        flock(asking, LOCK_UN);
        _exit(0);
    }
    fd = tt_lock_monitor_take(*state, &error);
    assert_no_error(error);
    assert_true(fd >= 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    close(fd);
    close(asking);
}

/* Not through a link, and not without a folder. */
static void
test_monitor_cannot_take(void **state)
{
    g_autofree char *path = g_build_filename(*state, "monitor", NULL);
    g_autofree char *none = g_build_filename(*state, "no", "such", NULL);
    GError *error = NULL;

    assert_int_equal(symlink("/dev/null", path), 0);
    assert_int_equal(tt_lock_monitor_take(*state, &error), -1);
    assert_error(error, TT_ERROR_STATE, "cannot lock");
    assert_int_equal(tt_lock_monitor_take(none, &error), -1);
    assert_error(error, TT_ERROR_STATE, "cannot make");
}

#define with_dir(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_dir(test_second_leaves_a_mark),
        with_dir(test_release_sees_a_late_mark),
        with_dir(test_waits_for_the_holder),
        with_dir(test_no_directory),
        with_dir(test_monitor),
        with_dir(test_monitor_take),
        with_dir(test_monitor_take_while_asked),
        with_dir(test_monitor_cannot_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
