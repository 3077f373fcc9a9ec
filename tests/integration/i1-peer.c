/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "i1-peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char data[65536];
    size_t len;
    struct sockaddr_in6 from;
    struct in6_pktinfo to;
    struct timespec arrival;
} Message;

static int
listen_on(int type, uint16_t port)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    int fd = socket(AF_INET6, type | SOCK_CLOEXEC, 0), on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *) &any, sizeof(any)) < 0
        || (type == SOCK_STREAM && listen(fd, 64) < 0)) {
        fprintf(stderr, "peer: port %u: %s\n", port, strerror(errno));
        exit(2);
    }
    return fd;
}

struct timespec
i1_peer_arrival(struct msghdr *message)
{
    struct timespec arrival = {0, 0};

    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS)
            memcpy(&arrival, CMSG_DATA(c), sizeof(arrival));
    }
    return arrival;
}

static ssize_t
receive(int fd, Message *in)
{
    char control[256];
    struct iovec iov = {in->data, sizeof(in->data)};
    struct msghdr message = {.msg_name = &in->from,
                             .msg_namelen = sizeof(in->from),
                             .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(fd, &message, 0);

    in->len = n > 0 ? (size_t) n : 0;
    in->to = (struct in6_pktinfo){.ipi6_ifindex = 0};
    in->arrival = i1_peer_arrival(&message);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO)
            memcpy(&in->to.ipi6_addr, CMSG_DATA(c), sizeof(in->to.ipi6_addr));
    }
    return n;
}

/* The last thing before the answer leaves. */
static void
fill_in_held(Message *in)
{
    struct timespec now;
    I1Packet packet;

    if (in->len < sizeof(packet))
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    memcpy(&packet, in->data, sizeof(packet));
    packet.held_us = in->arrival.tv_sec ? (uint32_t) ((now.tv_sec - in->arrival.tv_sec) * 1000000
                                                      + (now.tv_nsec - in->arrival.tv_nsec) / 1000)
                                        : 0;
    memcpy(in->data, &packet, sizeof(packet));
}

/* Answers from the address that was asked: the host has more than one. */
static void
echo_datagram(int fd, Message *in)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
    } control = {.header = {CMSG_LEN(sizeof(in->to)), IPPROTO_IPV6, IPV6_PKTINFO}};
    struct iovec iov = {in->data, 0};
    struct msghdr message = {.msg_name = &in->from,
                             .msg_namelen = sizeof(in->from),
                             .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};

    if (receive(fd, in) < 0)
        return;
    iov.iov_len = in->len;
    memcpy(CMSG_DATA(&control.header), &in->to, sizeof(in->to));
    fill_in_held(in);
    sendmsg(fd, &message, 0);
}

static int
echo_stream(int fd, Message *in)
{
    if (receive(fd, in) <= 0)
        return -1;
    fill_in_held(in);
    return (int) send(fd, in->data, in->len, MSG_NOSIGNAL);
}

static void
set_up(int fd)
{
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
}

int
i1_peer_serve(void)
{
    struct pollfd fds[256] = {{.fd = listen_on(SOCK_DGRAM, I1_PEER_PORT), .events = POLLIN},
                              {.fd = listen_on(SOCK_STREAM, I1_PEER_PORT), .events = POLLIN}};
    static Message message;
    nfds_t n = 2;
    int on = 1, room = 16 * 1024 * 1024;

    set_up(fds[0].fd);
    /* All flows share it: what comes while this program waits for a processor is not lost. */
    setsockopt(fds[0].fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
    setsockopt(fds[0].fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof(on));
    while (poll(fds, n, -1) >= 0) {
        if (fds[0].revents)
            echo_datagram(fds[0].fd, &message);
        for (nfds_t i = 2; i < n; i++) {
            if (fds[i].revents && echo_stream(fds[i].fd, &message) < 0) {
                close(fds[i].fd);
                fds[i--] = fds[--n];
            }
        }
        if (fds[1].revents && n < sizeof(fds) / sizeof(fds[0])) {
            fds[n] = (struct pollfd){.fd = accept(fds[1].fd, NULL, NULL), .events = POLLIN};
            set_up(fds[n++].fd);
        }
    }
    return 2;
}

int
i1_peer_serve_http(const char *text)
{
    int listener = listen_on(SOCK_STREAM, 80), fd;

    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        char request[4096];

        if (read(fd, request, sizeof(request)) > 0)
            dprintf(fd, "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
                    strlen(text), text);
        close(fd);
    }
    return 2;
}
