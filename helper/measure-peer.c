/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-peer.h"

#include "core/error.h"
#include "interrupt.h"
#include "measure-address.h"
#include "measure-connection.h"
#include "print.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_LEN (1 << 16)

static bool
send_all(int fd, const char *data, gsize len)
{
    while (len > 0) {
        gssize n = send(fd, data, len, MSG_NOSIGNAL);

        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            data += n;
            len -= (gsize) n;
        }
    }
    return true;
}

/* A thread each: it waits in the kernel and in nothing else, so that it answers at once. */
static gpointer
serve(gpointer data)
{
    int fd = GPOINTER_TO_INT(data), on = 1;
    g_autofree char *buffer = g_malloc(BUFFER_LEN);
    bool first = true, sink = false;
    gssize n;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while ((n = recv(fd, buffer, BUFFER_LEN, 0)) > 0 || (n < 0 && errno == EINTR)) {
        if (first && n >= (gssize) strlen(TT_MEASURE_SINK_MAGIC))
            sink = memcmp(buffer, TT_MEASURE_SINK_MAGIC, strlen(TT_MEASURE_SINK_MAGIC)) == 0;
        first = false;
        if (!sink && n > 0 && !send_all(fd, buffer, (gsize) n))
            break;
    }
    close(fd);
    return NULL;
}

static bool
fail(const char *where, GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_STATE, "cannot listen on %s: %s", where,
                g_strerror(errno));
    return false;
}

static int
open_listener(const struct addrinfo *address)
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1, off = 0;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, 64) == 0)
        return fd;
    close(fd);
    return -1;
}

static void
accept_all(int listener)
{
    int fd;

    while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        GThread *thread = g_thread_try_new("peer", serve, GINT_TO_POINTER(fd), NULL);

        if (thread)
            g_thread_unref(thread);
        else
            close(fd);
    }
}

bool
tt_measure_listen(const char *where, GError **error)
{
    struct addrinfo *address = tt_measure_resolve(where, true, error);
    int listener;

    if (!address)
        return false;
    listener = open_listener(address);
    freeaddrinfo(address);
    if (listener < 0)
        return fail(where, error);
    tt_interrupt_catch();
    tt_print_line(stdout, "listening on ", where);
    fflush(stdout);
    while (tt_interrupt_wait(listener, POLLIN, (gint64) 3600 * G_USEC_PER_SEC)
           != TT_WAIT_INTERRUPTED)
        accept_all(listener);
    close(listener);
    return true;
}
