/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lease-watch.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

/* The folder, and those above it: NetworkManager may start after us, or make it anew. */
static const char *const folders[] = {"/run/NetworkManager/devices", "/run/NetworkManager", "/run"};

struct TtLeaseWatch {
    int fd;
    int devices; /* the watch on the first folder; -1: it is not there yet */
};

/* The folder itself, or the next one above it that is there. */
static void
watch_folders(TtLeaseWatch *watch)
{
    watch->devices = -1;
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        guint32 mask = i == 0 ? IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE : IN_CREATE | IN_ONLYDIR;
        int id = inotify_add_watch(watch->fd, folders[i], mask);

        if (id < 0)
            continue;
        if (i == 0)
            watch->devices = id;
        return;
    }
}

TtLeaseWatch *
tt_lease_watch_new(GError **error)
{
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    TtLeaseWatch *watch;

    if (fd < 0) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "inotify: %s", g_strerror(errno));
        return NULL;
    }
    watch = g_new(TtLeaseWatch, 1);
    watch->fd = fd;
    watch_folders(watch);
    return watch;
}

void
tt_lease_watch_free(TtLeaseWatch *watch)
{
    if (!watch)
        return;
    close(watch->fd);
    g_free(watch);
}

int
tt_lease_watch_fd(const TtLeaseWatch *watch)
{
    return watch->fd;
}

static void
take(const TtLeaseWatch *watch, const struct inotify_event *event, TtHints *hints)
{
    guint64 ifindex = 0;

    if (event->wd != watch->devices || event->len == 0)
        return;
    /* Written aside as IFINDEX.XXXXXX, then renamed. */
    if (g_ascii_string_to_unsigned(event->name, 10, 1, G_MAXINT, &ifindex, NULL))
        tt_hints_add(hints, (int) ifindex);
}

void
tt_lease_watch_read(TtLeaseWatch *watch, TtHints *hints)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool gone = watch->devices < 0;
    ssize_t len;

    while ((len = read(watch->fd, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + len;) {
            const struct inotify_event *event = (const struct inotify_event *) (void *) at;

            gone |= (event->mask & IN_IGNORED) != 0;
            take(watch, event, hints);
            at += sizeof *event + event->len;
        }
    }
    if (gone)
        watch_folders(watch);
}
