/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into the hook: runs the command in TT_RACE just before an edit of a route reaches the
 * kernel, once, as if somebody else had been a microsecond faster. TT_RACE_AT says which edit.
 */
#include <dlfcn.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef ssize_t (*SendtoFunc)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);

static int
is_edit(const void *buffer, size_t len)
{
    struct nlmsghdr header;

    if (len < sizeof header)
        return 0;
    memcpy(&header, buffer, sizeof header);
    return header.nlmsg_len == len
           && (header.nlmsg_type == RTM_NEWROUTE || header.nlmsg_type == RTM_DELROUTE);
}

static void
run_race(void)
{
    static int n_edits;
    const char *command = getenv("TT_RACE");
    const char *at = getenv("TT_RACE_AT");

    if (!command || ++n_edits != (at ? atoi(at) : 1))
        return;
    unsetenv("LD_PRELOAD");
    if (system(command) != 0)
        abort();
}

ssize_t
sendto(int fd,
       const void *buf,
       size_t n,
       int flags,
       const struct sockaddr *addr,
       socklen_t addr_len)
{
    static SendtoFunc real;

    if (!real)
        real = (SendtoFunc) dlsym(RTLD_NEXT, "sendto");
    if (is_edit(buf, n))
        run_race();
    return real(fd, buf, n, flags, addr, addr_len);
}
