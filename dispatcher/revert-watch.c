/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "revert-watch.h"

#include "core/apply.h"
#include "core/error.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

struct TtRevertWatch {
    int fd;
};

TtRevertWatch *
tt_revert_watch_new(const char *run_dir, GError **error)
{
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    TtRevertWatch *watch;

    if (fd < 0 || inotify_add_watch(fd, run_dir, IN_MOVED_TO | IN_DELETE) < 0) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "inotify: %s: %s", run_dir, g_strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    watch = g_new(TtRevertWatch, 1);
    watch->fd = fd;
    return watch;
}

void
tt_revert_watch_free(TtRevertWatch *watch)
{
    if (!watch)
        return;
    close(watch->fd);
    g_free(watch);
}

int
tt_revert_watch_fd(const TtRevertWatch *watch)
{
    return watch->fd;
}

bool
tt_revert_watch_read(TtRevertWatch *watch)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool changed = false;
    ssize_t len;

    while ((len = read(watch->fd, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + len;) {
            const struct inotify_event *event = (const struct inotify_event *) (void *) at;

            changed |= (event->mask & IN_Q_OVERFLOW) != 0
                       || (event->len > 0 && strcmp(event->name, TT_REVERTED_NAME) == 0);
            at += sizeof *event + event->len;
        }
    }
    return changed;
}
