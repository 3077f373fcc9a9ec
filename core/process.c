/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

void
tt_process_prepare(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* NOLINTNEXTLINE(android-cloexec-open): a standard descriptor is for children as well. */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
            break;
    }
    umask(022);
    signal(SIGPIPE, SIG_IGN);
}
