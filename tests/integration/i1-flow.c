/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "i1-flow.h"

#include "i1-peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_PACKETS (1 << 20)

/* For how long, all together, this process was not running though it wanted to. */
static double stalled;
static double last_beat;

static void
die(const char *what)
{
    fprintf(stderr, "exchange: %s: %s\n", what, strerror(errno));
    exit(2);
}

static double
seconds(struct timespec t)
{
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

double
i1_flow_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return seconds(t);
}

/* To be called all the time; `planned`: so long we have slept since the last call. */
static void
beat(double planned)
{
    double t = i1_flow_now();
    double over = t - last_beat - planned;

    if (over > 0.001)
        stalled += over;
    last_beat = t;
}

/* How long the network took, and nothing else. */
static double
took(const I1Sent *sent, double arrival, double held)
{
    double time = arrival - sent->at - held - (stalled - sent->stalled);

    return time > 0 ? time : 0;
}

static I1Sent
sent_now(void)
{
    return (I1Sent){i1_flow_now(), stalled};
}

static int
open_bound(int family, int type, const char *device)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0), on = 1, room = 4 * 1024 * 1024;

    if (fd < 0)
        die("socket");
    if (type == SOCK_DGRAM)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
    if (device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, strlen(device) + 1) < 0)
        die(device);
    if (type == SOCK_STREAM)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
    return fd;
}

void
i1_flow_open(I1Flow *flow, const char *to, const char *device)
{
    int family = strchr(to, ':') ? AF_INET6 : AF_INET;

    *flow = (I1Flow){.sent = calloc(MAX_PACKETS, sizeof(I1Sent))};
    last_beat = i1_flow_now();
    snprintf(flow->text, sizeof(flow->text), "%s over %s", to, device ? device : "any device");
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *) &flow->to;
        *in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(I1_PEER_PORT)};
        inet_pton(AF_INET, to, &in->sin_addr);
        flow->to_len = sizeof(*in);
    } else {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) &flow->to;
        *in6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(I1_PEER_PORT)};
        inet_pton(AF_INET6, to, &in6->sin6_addr);
        flow->to_len = sizeof(*in6);
    }
    flow->datagram_fd = open_bound(family, SOCK_DGRAM, device);
    flow->stream_fd = open_bound(family, SOCK_STREAM, device);
    if (connect(flow->stream_fd, (struct sockaddr *) &flow->to, flow->to_len) < 0)
        die(flow->text);
}

void
i1_flow_free(I1Flow *flow)
{
    close(flow->datagram_fd);
    close(flow->stream_fd);
    free(flow->sent);
}

/* The clock is read when the packet is on its way: what came before was not the network. */
void
i1_flow_send(I1Flow *flow)
{
    I1Packet packet = {.number = flow->n_sent};

    if (flow->n_sent == MAX_PACKETS)
        return;
    flow->n_sent++;
    if (sendto(flow->datagram_fd, &packet, sizeof(packet), 0, (struct sockaddr *) &flow->to,
               flow->to_len)
        < 0) {
        flow->n_refused++;
        flow->last_error = errno;
    }
    flow->sent[packet.number] = sent_now();
    if (flow->stream_sent.at == 0 && !flow->stream_broken) {
        flow->stream_broken =
            send(flow->stream_fd, &packet, sizeof(packet), MSG_NOSIGNAL) != sizeof(packet);
        if (!flow->stream_broken)
            flow->stream_sent = sent_now();
    }
}

static ssize_t
receive(int fd, I1Packet *packet, double *arrival)
{
    char control[256];
    struct iovec iov = {packet, sizeof(*packet)};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT);

    *arrival = n > 0 ? seconds(i1_peer_arrival(&message)) : 0;
    if (*arrival == 0)
        *arrival = i1_flow_now();
    return n;
}

static void
receive_packets(I1Flow *flow)
{
    I1Packet packet;
    double arrival;

    while (receive(flow->datagram_fd, &packet, &arrival) == sizeof(packet)) {
        double time;

        if (packet.number >= flow->n_sent || flow->sent[packet.number].at == 0)
            continue;
        time = took(&flow->sent[packet.number], arrival, packet.held_us / 1e6);
        flow->sent[packet.number].at = 0;
        flow->n_answered++;
        if (time > flow->slowest)
            flow->slowest = time;
    }
}

static void
receive_stream(I1Flow *flow)
{
    I1Packet packet;
    double arrival;
    ssize_t n = receive(flow->stream_fd, &packet, &arrival);

    if (n == 0 || (n < 0 && errno != EAGAIN))
        flow->stream_broken = true;
    if (n == sizeof(packet) && flow->stream_sent.at != 0) {
        double time = took(&flow->stream_sent, arrival, packet.held_us / 1e6);

        flow->stream_sent.at = 0;
        flow->n_stream++;
        if (time > flow->stream_slowest)
            flow->stream_slowest = time;
    }
}

/* What was sent again in vain, because an acknowledgement was only late, the peer says (DSACK). */
static int
count_resent(const I1Flow *flow)
{
    struct tcp_info info = {.tcpi_total_retrans = 0};
    socklen_t len = sizeof(info);

    getsockopt(flow->stream_fd, IPPROTO_TCP, TCP_INFO, &info, &len);
    return (int) info.tcpi_total_retrans - (int) info.tcpi_dsack_dups;
}

void
i1_flow_receive_until(I1Flow *flows, size_t n, double until)
{
    struct pollfd fds[2 * I1_MAX_FLOWS];

    for (size_t i = 0; i < n; i++) {
        fds[2 * i] = (struct pollfd){.fd = flows[i].datagram_fd, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = flows[i].stream_broken ? -1 : flows[i].stream_fd,
                                         .events = POLLIN};
    }
    do {
        double left = until - i1_flow_now();
        double nap = left < 0 ? 0 : left > 0.5 ? 0.5 : left;
        struct timespec wait = {0, (long) (nap * 1e9)};

        beat(0);
        ppoll(fds, 2 * n, &wait, NULL);
        beat(nap);
        for (size_t i = 0; i < n; i++) {
            receive_packets(&flows[i]);
            if (fds[2 * i + 1].fd >= 0)
                receive_stream(&flows[i]);
        }
    } while (i1_flow_now() < until);
}

bool
i1_flow_all_answered(const I1Flow *flows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (flows[i].n_answered < flows[i].n_sent || flows[i].stream_sent.at != 0)
            return false;
    }
    return true;
}

static bool
is_overdue(const I1Sent *sent, double late)
{
    return sent->at != 0 && took(sent, i1_flow_now(), 0) > late;
}

bool
i1_flow_is_overdue(const I1Flow *flow, uint32_t number, double late)
{
    return number < flow->n_sent && is_overdue(&flow->sent[number], late)
           && (flow->stream_broken || is_overdue(&flow->stream_sent, late));
}

void
i1_flow_reset(I1Flow *flow)
{
    flow->slowest = flow->stream_slowest = 0;
    flow->n_resent = count_resent(flow);
}

bool
i1_flow_judge(const I1Flow *flow, double late)
{
    uint32_t n_lost = flow->n_sent - flow->n_answered;
    int n_resent = count_resent(flow) - flow->n_resent;
    const char *packets = n_lost || flow->n_refused ? " packets lost"
                          : flow->slowest > late    ? " packets late"
                                                    : "";
    const char *stream = flow->stream_broken           ? " connection broken"
                         : flow->stream_sent.at != 0   ? " connection stalled"
                         : flow->stream_slowest > late ? " connection late"
                         : n_resent > 0                ? " segments lost"
                                                       : "";
    bool good = !*packets && !*stream;

    fprintf(stderr,
            "exchange: %s: %u packets, %u lost, %u not sent%s%s, slowest %.1f ms; "
            "connection: %u exchanges, slowest %.1f ms, %d segments lost%s%s%s\n",
            flow->text, flow->n_sent, n_lost, flow->n_refused, flow->n_refused ? ": " : "",
            flow->n_refused ? strerror(flow->last_error) : "", flow->slowest * 1e3, flow->n_stream,
            flow->stream_slowest * 1e3, n_resent, good ? "" : "  <-", packets, stream);
    return good;
}
