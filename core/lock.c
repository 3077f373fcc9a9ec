/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock.h"

#include "error.h"
#include "state-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define LOCK_NAME "lock"
#define MARK_NAME "dirty"
#define MONITOR_NAME "monitor"
#define MONITOR_TIMEOUT_MS 1000
#define PROFILES_NAME "profiles-lock"
#define MEASURE_NAME "measure"

struct TtLock {
    int fd;
    char *mark; /* path of the file that says: look again */
};

void
tt_lock_free(TtLock *lock)
{
    if (!lock)
        return;
    if (lock->fd >= 0)
        close(lock->fd);
    g_free(lock->mark);
    g_free(lock);
}

static bool
fail(GError **error, const char *path)
{
    int saved = errno;

    g_set_error(error, TT_ERROR,
                saved == EACCES || saved == EPERM ? TT_ERROR_PERMISSION : TT_ERROR_STATE,
                "cannot lock %s: %s", path, g_strerror(saved));
    return false;
}

static void
wake(int signal_number)
{
}

/* flock(2) that gives up: an alarm breaks the wait. It fires again and again, so that one that
 * comes just before the call does not leave us waiting for ever. */
static int
flock_timeout(int fd, guint timeout_ms)
{
    struct sigaction action = {.sa_handler = wake}, old_action;
    struct itimerval timer = {.it_interval = {.tv_usec = 50000}}, old_timer;
    sigset_t alarm, old_mask;
    int r;

    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm, &old_mask);
    timer.it_value.tv_sec = timeout_ms / 1000;
    timer.it_value.tv_usec = (timeout_ms % 1000) * 1000L;
    sigaction(SIGALRM, &action, &old_action);
    setitimer(ITIMER_REAL, &timer, &old_timer);
    r = flock(fd, LOCK_EX);
    if (r < 0)
        r = -errno;
    setitimer(ITIMER_REAL, &old_timer, NULL);
    sigprocmask(SIG_SETMASK, &old_mask, NULL);
    sigaction(SIGALRM, &old_action, NULL);
    return r;
}

static bool
set_mark(const TtLock *lock, GError **error)
{
    int fd = open(lock->mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

    if (fd < 0)
        return fail(error, lock->mark);
    close(fd);
    return true;
}

bool
tt_lock_was_marked(TtLock *lock)
{
    return unlink(lock->mark) == 0;
}

/* Leaves a mark for the holder. It may have let go just before it could see the mark: then the
 * lock is free, and ours after all. */
static bool
mark_or_take(TtLock *lock, TtLockResult *out_result, GError **error)
{
    if (!set_mark(lock, error))
        return false;
    *out_result = flock(lock->fd, LOCK_EX | LOCK_NB) == 0 ? TT_LOCK_HELD : TT_LOCK_LEFT;
    return true;
}

static TtLock *
lock_open(const char *run_dir, GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, LOCK_NAME, NULL);
    g_autoptr(TtLock) lock = g_new0(TtLock, 1);

    lock->mark = g_build_filename(run_dir, MARK_NAME, NULL);
    lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock->fd < 0) {
        fail(error, path);
        return NULL;
    }
    return g_steal_pointer(&lock);
}

/* By its path: what traces a run can tell this file, which is no state, from the others. */
static void
note_taken(const char *run_dir)
{
    g_autofree char *path = g_build_filename(run_dir, LOCK_NAME, NULL);

    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

gint64
tt_lock_last_taken(const char *run_dir)
{
    g_autofree char *path = g_build_filename(run_dir, LOCK_NAME, NULL);
    struct stat st;

    return lstat(path, &st) == 0 ? (gint64) st.st_mtime : 0;
}

bool
tt_lock_take(const char *run_dir,
             guint timeout_ms,
             TtLock **out_lock,
             TtLockResult *out_result,
             GError **error)
{
    g_autoptr(TtLock) lock = NULL;
    TtLockResult result = TT_LOCK_HELD;
    int r;

    if (!tt_state_dir_make(run_dir, error))
        return false;
    lock = lock_open(run_dir, error);
    if (!lock)
        return false;
    r = flock(lock->fd, LOCK_EX | LOCK_NB) == 0 ? 0 : flock_timeout(lock->fd, timeout_ms);
    if (r == -EINTR) {
        if (!mark_or_take(lock, &result, error))
            return false;
    } else if (r < 0) {
        errno = -r;
        return fail(error, run_dir);
    }
    *out_result = result;
    if (result == TT_LOCK_HELD) {
        note_taken(run_dir);
        *out_lock = g_steal_pointer(&lock);
    }
    return true;
}

bool
tt_lock_release(TtLock *lock)
{
    struct stat st;

    flock(lock->fd, LOCK_UN);
    if (lstat(lock->mark, &st) < 0 || !S_ISREG(st.st_mode))
        return true;
    /* A mark that came too late for us. Whoever gets the lock now looks again: us, or another. */
    return flock(lock->fd, LOCK_EX | LOCK_NB) < 0;
}

static bool
is_held(const char *run_dir, const char *name)
{
    g_autofree char *path = g_build_filename(run_dir, name, NULL);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool held;

    if (fd < 0)
        return false;
    held = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}

/* -1 with an error. */
static int
open_named(const char *run_dir, const char *path, GError **error)
{
    int fd;

    if (!tt_state_dir_make(run_dir, error))
        return -1;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        fail(error, path);
    return fd;
}

/* `who` is for the message: "monitor". */
static int
take_alone(const char *run_dir, const char *name, const char *who, guint timeout_ms, GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, name, NULL);
    int fd = open_named(run_dir, path, error);

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0
        || (timeout_ms && flock_timeout(fd, timeout_ms) == 0))
        return fd;
    close(fd);
    g_set_error(error, TT_ERROR, TT_ERROR_STATE, "another %s is running: %s is locked", who, path);
    return -1;
}

bool
tt_lock_monitor_running(const char *run_dir)
{
    return is_held(run_dir, MONITOR_NAME);
}

/* Who asks whether a monitor runs has the lock for a moment: that is no other monitor. */
int
tt_lock_monitor_take(const char *run_dir, GError **error)
{
    return take_alone(run_dir, MONITOR_NAME, "monitor", MONITOR_TIMEOUT_MS, error);
}

bool
tt_lock_measure_running(const char *run_dir)
{
    return is_held(run_dir, MEASURE_NAME);
}

int
tt_lock_measure_take(const char *run_dir, GError **error)
{
    return take_alone(run_dir, MEASURE_NAME, "measurement", 0, error);
}

int
tt_lock_profiles_take(const char *run_dir, guint timeout_ms, GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, PROFILES_NAME, NULL);
    int fd = open_named(run_dir, path, error);

    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 || flock_timeout(fd, timeout_ms) == 0)
        return fd;
    close(fd);
    g_set_error(error, TT_ERROR, TT_ERROR_TIMEOUT,
                "another run of tcptune-nm has held the lock for %u s; nothing was done.",
                timeout_ms / 1000);
    return -1;
}
