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

/* Edits that are sent at once count each, and none of them has reached the kernel then. */
static unsigned
count_edits(const char *buffer, size_t len)
{
    struct nlmsghdr header;
    unsigned n = 0;

    for (size_t at = 0; at + sizeof header <= len; at += NLMSG_ALIGN(header.nlmsg_len)) {
        memcpy(&header, buffer + at, sizeof header);
        if (header.nlmsg_len < sizeof header || header.nlmsg_len > len - at)
            return 0;
        n += header.nlmsg_type == RTM_NEWROUTE || header.nlmsg_type == RTM_DELROUTE;
    }
    return n;
}

static void
run_race(unsigned n_new)
{
    static unsigned n_edits;
    const char *command = getenv("TT_RACE");
    const char *at_text = getenv("TT_RACE_AT");
    unsigned at = at_text ? (unsigned) atoi(at_text) : 1;

    n_edits += n_new;
    if (!command || at > n_edits || at + n_new <= n_edits)
        return;
    unsetenv("LD_PRELOAD");
    if (system(command) != 0)
        abort();
}

ssize_t sendto(int fd,
               const void *buffer,
               size_t len,
               int flags,
               const struct sockaddr *address,
               socklen_t address_len);

ssize_t
sendto(int fd,
       const void *buffer,
       size_t len,
       int flags,
       const struct sockaddr *address,
       socklen_t address_len)
{
    static SendtoFunc real;

    if (!real)
        real = (SendtoFunc) dlsym(RTLD_NEXT, "sendto");
    run_race(count_edits(buffer, len));
    return real(fd, buffer, len, flags, address, address_len);
}
