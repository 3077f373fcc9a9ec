/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lease-watch.h"

#include "core/error.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

/* The folder of the leases, and those above it: NetworkManager may start after us, or make it
 * anew. */
static const char *const folders[] = {"", "NetworkManager", "NetworkManager/devices"};
#define LEASES (G_N_ELEMENTS(folders) - 1)

struct TtLeaseWatch {
    int fd;
    char *run;
    int at;       /* the watch on the folder that is nearest to the leases; -1: none */
    bool arrived; /* it is theirs */
};

static int
watch_folder(const TtLeaseWatch *watch, guint i)
{
    g_autofree char *path = g_build_filename(watch->run, folders[i], NULL);
    guint32 mask = i == LEASES ? IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE : IN_CREATE | IN_MOVED_TO;

    return inotify_add_watch(watch->fd, path, mask | IN_ONLYDIR);
}

/* From above, so that no folder is made unseen between two looks. */
static void
approach(TtLeaseWatch *watch)
{
    watch->at = -1;
    watch->arrived = false;
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        int id = watch_folder(watch, i);

        if (id < 0)
            return;
        if (watch->at >= 0)
            inotify_rm_watch(watch->fd, watch->at);
        watch->at = id;
        watch->arrived = i == LEASES;
    }
}

TtLeaseWatch *
tt_lease_watch_new(const char *run, GError **error)
{
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    TtLeaseWatch *watch;

    if (fd < 0) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "inotify: %s", g_strerror(errno));
        return NULL;
    }
    watch = g_new0(TtLeaseWatch, 1);
    watch->fd = fd;
    watch->run = g_strdup(run);
    approach(watch);
    return watch;
}

void
tt_lease_watch_free(TtLeaseWatch *watch)
{
    if (!watch)
        return;
    close(watch->fd);
    g_free(watch->run);
    g_free(watch);
}

int
tt_lease_watch_fd(const TtLeaseWatch *watch)
{
    return watch->fd;
}

static void
take_lease(const struct inotify_event *event, TtHints *hints)
{
    guint64 ifindex = 0;

    /* Written aside as IFINDEX.XXXXXX, then renamed. */
    if (event->len > 0 && g_ascii_string_to_unsigned(event->name, 10, 1, G_MAXINT, &ifindex, NULL))
        tt_hints_add(hints, (int) ifindex);
}

/* True: the folder that is watched is not the right one any more. */
static bool
take(const TtLeaseWatch *watch, const struct inotify_event *event, TtHints *hints)
{
    if (event->mask & IN_Q_OVERFLOW)
        tt_hints_add(hints, 0);
    if (event->wd != watch->at)
        return false;
    if (watch->arrived)
        take_lease(event, hints);
    return !watch->arrived || (event->mask & IN_IGNORED);
}

void
tt_lease_watch_read(TtLeaseWatch *watch, TtHints *hints)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    bool moved = false;
    ssize_t len;

    while ((len = read(watch->fd, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + len;) {
            const struct inotify_event *event = (const struct inotify_event *) (void *) at;

            moved |= take(watch, event, hints);
            at += sizeof *event + event->len;
        }
    }
    if (!moved)
        return;
    approach(watch);
    /* What was written there before we came. */
    if (watch->arrived)
        tt_hints_add(hints, 0);
}
