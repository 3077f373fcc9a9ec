/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-guard.h"

#include "core/error.h"
#include "measure-route.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct TtMeasureGuard {
    pid_t pid;
    int fd; /* it is closed when we end, however we end */
};

/* What ends us is not to end the guard: a ^C goes to all of a terminal's programs. */
static void
stand_apart(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

    setsid();
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
        signal(signals[i], SIG_IGN);
}

static void G_GNUC_NORETURN
watch(int fd)
{
    char byte;
    gssize n;

    stand_apart();
    do
        n = read(fd, &byte, 1);
    while (n < 0 && errno == EINTR);
    /* A byte: all is well. None: there was no time for it. */
    if (n != 1)
        tt_measure_route_sweep(false, NULL, NULL);
    _exit(0);
}

TtMeasureGuard *
tt_measure_guard_start(GError **error)
{
    TtMeasureGuard *guard;
    int fds[2];
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "cannot start a guard: %s", g_strerror(errno));
        return NULL;
    }
    if (pid == 0) {
        close(fds[1]);
        watch(fds[0]);
    }
    close(fds[0]);
    guard = g_new0(TtMeasureGuard, 1);
    guard->pid = pid;
    guard->fd = fds[1];
    return guard;
}

void
tt_measure_guard_stop(TtMeasureGuard *guard)
{
    if (!guard)
        return;
    while (write(guard->fd, "", 1) < 0 && errno == EINTR)
        ;
    close(guard->fd);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    g_free(guard);
}
