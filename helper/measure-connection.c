/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-connection.h"

#include "core/diag-codec.h"
#include "core/error.h"
#include "interrupt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S 30
#define ACK_POLL_US 50 /* no event tells of the last acknowledgement */

static char scratch[1 << 16];

static bool
fail(const char *what, GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_STATE, "%s: %s", what, g_strerror(errno));
    return false;
}

static bool
fail_silent(GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_TIMEOUT, "the peer has said nothing for %d s.",
                PATIENCE_S);
    return false;
}

static bool
fail_interrupted(GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_STATE, "interrupted.");
    return false;
}

/* Waits until the descriptor is ready; false: the peer says nothing, or we are interrupted. */
static bool
await(int fd, short events, GError **error)
{
    switch (tt_interrupt_wait(fd, events, PATIENCE_S * G_USEC_PER_SEC)) {
    case TT_WAIT_READY:
        return true;
    case TT_WAIT_TIMEOUT:
        return fail_silent(error);
    case TT_WAIT_INTERRUPTED:
        break;
    }
    return fail_interrupted(error);
}

static socklen_t
make_address(int family, const TtAddress *peer, guint16 port, struct sockaddr_storage *to)
{
    struct sockaddr_in *v4 = (void *) to;
    struct sockaddr_in6 *v6 = (void *) to;

    memset(to, 0, sizeof *to);
    to->ss_family = (sa_family_t) family;
    if (family == AF_INET) {
        v4->sin_addr = peer->v4;
        v4->sin_port = htons(port);
        return sizeof *v4;
    }
    v6->sin6_addr = peer->v6;
    v6->sin6_port = htons(port);
    return sizeof *v6;
}

static bool
finish_connect(int fd, GError **error)
{
    socklen_t len = sizeof errno;
    int on = 1, failed = 0;

    if (!await(fd, POLLOUT, error))
        return false;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &len);
    errno = failed;
    if (failed)
        return fail("cannot connect to the peer", error);
    /* Small requests are not to wait for an acknowledgement of the one before. */
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0
           || fail("cannot set up a connection", error);
}

int
tt_measure_connect(int family, const TtAddress *peer, guint16 port, GError **error)
{
    struct sockaddr_storage address;
    socklen_t len = make_address(family, peer, port, &address);
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool ok;

    if (fd < 0 || (connect(fd, (struct sockaddr *) &address, len) < 0 && errno != EINPROGRESS))
        ok = fail("cannot connect to the peer", error);
    else
        ok = finish_connect(fd, error);
    if (ok)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The number of bytes, 0: not now; -1: an error, set. */
static gssize
try_send(int fd, const char *data, gsize len, GError **error)
{
    gssize n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (n >= 0)
        return n;
    if (errno == EAGAIN || errno == EINTR)
        return 0;
    fail("cannot send to the peer", error);
    return -1;
}

static gssize
try_receive(int fd, gsize len, GError **error)
{
    gssize n = recv(fd, scratch, MIN(len, sizeof scratch), MSG_DONTWAIT);

    if (n > 0)
        return n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n < 0)
        fail("cannot receive from the peer", error);
    else
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "the peer has closed the connection.");
    return -1;
}

/* To the nanosecond: between neighbours a request takes ten microseconds. */
static double
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

double
tt_measure_request(int fd, gsize bytes, GError **error)
{
    static const char request[1 << 16];
    double start_ms = now_ms();
    gsize sent = 0, received = 0;

    while (received < bytes) {
        gssize n_sent = 0, n_received;

        if (sent < bytes)
            n_sent = try_send(fd, request, MIN(bytes - sent, sizeof request), error);
        if (n_sent < 0)
            return -1;
        sent += (gsize) n_sent;
        if (!await(fd, (short) (sent < bytes ? POLLIN | POLLOUT : POLLIN), error))
            return -1;
        n_received = try_receive(fd, bytes - received, error);
        if (n_received < 0)
            return -1;
        received += (gsize) n_received;
    }
    return now_ms() - start_ms;
}

/* An echo sends all of it back. A sink may close its half as soon as it likes. */
static bool
drain(int fd, bool *at_end, GError **error)
{
    gssize n;

    do
        n = recv(fd, scratch, sizeof scratch, MSG_DONTWAIT);
    while (n > 0);
    *at_end |= n == 0;
    return n == 0 || errno == EAGAIN || errno == EINTR
           || fail("the peer has broken off the transfer", error);
}

static bool
await_acknowledgement(int fd, GError **error)
{
    gint64 last_us = g_get_monotonic_time();
    int before = -1, left = 0;
    bool at_end;

    while (ioctl(fd, SIOCOUTQ, &left) == 0 && left > 0) {
        if (left != before)
            last_us = g_get_monotonic_time();
        before = left;
        if (!drain(fd, &at_end, error))
            return false;
        if (tt_interrupt_wait(-1, 0, ACK_POLL_US) == TT_WAIT_INTERRUPTED)
            return fail_interrupted(error);
        if (g_get_monotonic_time() - last_us > PATIENCE_S * G_USEC_PER_SEC)
            return fail_silent(error);
    }
    return left == 0 || fail("cannot ask for what is unacknowledged", error);
}

double
tt_measure_transfer(int fd, guint64 bytes, GError **error)
{
    static char data[1 << 16] = TT_MEASURE_SINK_MAGIC;
    static const char zeros[1 << 16];
    double start_ms = now_ms();
    guint64 sent = 0;
    bool at_end = false;

    while (sent < bytes) {
        gssize n = try_send(fd, sent == 0 ? data : zeros, MIN(bytes - sent, sizeof data), error);

        if (n < 0)
            return -1;
        sent += (guint64) n;
        if (n > 0)
            continue;
        if (!drain(fd, &at_end, error)
            || !await(fd, (short) (at_end ? POLLOUT : POLLOUT | POLLIN), error))
            return -1;
    }
    return await_acknowledgement(fd, error) ? now_ms() - start_ms : -1;
}

void
tt_measure_read_info(int fd, TtSocket *socket)
{
    char info[512];
    socklen_t len = sizeof info;

    memset(socket, 0, sizeof *socket);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len) == 0)
        tt_diag_parse_info(info, len, socket);
}
