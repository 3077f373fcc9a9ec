/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void
tt_notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    gsize len = path ? strlen(path) : 0;
    int fd;

    if (len < 2 || len >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, len);
    if (path[0] == '@') /* the abstract name space */
        address.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *) &address,
           (socklen_t) (offsetof(struct sockaddr_un, sun_path) + len));
    close(fd);
}

guint
tt_notify_watchdog_ms(void)
{
    const char *usec = getenv("WATCHDOG_USEC");
    const char *pid = getenv("WATCHDOG_PID");

    if (!usec || (pid && g_ascii_strtoull(pid, NULL, 10) != (guint64) getpid()))
        return 0;
    return (guint) MIN(g_ascii_strtoull(usec, NULL, 10) / 2000, G_MAXUINT);
}
