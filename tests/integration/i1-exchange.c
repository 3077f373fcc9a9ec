/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a single packet lost while a command runs?
 *
 *   i1-exchange --serve                       the peer: echoes UDP and TCP, IPv4 and IPv6
 *   i1-exchange --http TEXT                   a peer that answers every HTTP request with TEXT
 *   i1-exchange [--to ADDRESS]... [--device IF]... [--pace MS] [--late MS] [--linger MS]
 *               -- COMMAND [ARGUMENT]...      one exchange over each device to each address
 *
 * The client looks a route up for every packet (a datagram socket that is not connected, bound to
 * the device), and keeps a TCP connection over each device going as well. Exit status: 0 every
 * answer came in time, 1 not so or the command failed, 2 the exchange does not run at all.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORT 7
#define MAX_FLOWS 16
#define MAX_PACKETS (1 << 20)

typedef struct {
    char text[96];
    int datagram_fd;
    int stream_fd;
    struct sockaddr_storage to;
    socklen_t to_len;
    double *sent; /* 0: answered */
    uint32_t n_sent;
    uint32_t n_answered;
    uint32_t n_refused; /* send() failed */
    int last_error;
    double slowest;
    uint32_t n_stream; /* exchanges over the connection */
    bool stream_waits;
    double stream_sent;
    double stream_slowest;
    bool stream_broken;
} Flow;

typedef struct {
    const char *to[MAX_FLOWS];
    size_t n_to;
    const char *device[MAX_FLOWS];
    size_t n_devices;
    double pace;
    double late;
    double linger;
    char **command;
} Options;

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void
die(const char *what)
{
    fprintf(stderr, "exchange: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- the peer ---- */

static int
listen_on(int type, uint16_t port)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    int fd = socket(AF_INET6, type | SOCK_CLOEXEC, 0), on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *) &any, sizeof(any)) < 0)
        die("bind");
    if (type == SOCK_STREAM && listen(fd, 64) < 0)
        die("listen");
    return fd;
}

/* Answers from the address that was asked: the host has more than one. */
static void
echo_datagram(int fd)
{
    struct sockaddr_in6 from;
    char data[2048], control[256];
    struct iovec iov = {data, sizeof(data)};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof(from),
                             .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(fd, &message, 0);

    if (n < 0)
        return;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO)
            memset(CMSG_DATA(c) + offsetof(struct in6_pktinfo, ipi6_ifindex), 0, sizeof(int));
    }
    iov.iov_len = (size_t) n;
    sendmsg(fd, &message, 0);
}

static int
serve(void)
{
    struct pollfd fds[256] = {{.fd = listen_on(SOCK_DGRAM, PORT), .events = POLLIN},
                              {.fd = listen_on(SOCK_STREAM, PORT), .events = POLLIN}};
    nfds_t n = 2;
    int on = 1;

    setsockopt(fds[0].fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof(on));
    while (poll(fds, n, -1) >= 0) {
        if (fds[0].revents)
            echo_datagram(fds[0].fd);
        if (fds[1].revents && n < 256) {
            fds[n] = (struct pollfd){.fd = accept(fds[1].fd, NULL, NULL), .events = POLLIN};
            setsockopt(fds[n++].fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        }
        for (nfds_t i = 2; i < n; i++) {
            char data[65536];
            ssize_t len = fds[i].revents ? read(fds[i].fd, data, sizeof(data)) : 1;

            if (len <= 0) {
                close(fds[i].fd);
                fds[i--] = fds[--n];
            } else if (fds[i].revents && write(fds[i].fd, data, (size_t) len) < 0) {
                fds[i].revents = 0;
            }
        }
    }
    return 2;
}

static int
serve_http(const char *text)
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

/* ---- the client ---- */

static int
open_bound(int family, int type, const char *device)
{
    int fd = socket(family, type | SOCK_CLOEXEC, 0), on = 1;

    if (fd < 0)
        die("socket");
    if (device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, strlen(device) + 1) < 0)
        die(device);
    if (type == SOCK_STREAM)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

static void
open_flow(Flow *flow, const char *to, const char *device)
{
    int family = strchr(to, ':') ? AF_INET6 : AF_INET;

    *flow = (Flow){.sent = calloc(MAX_PACKETS, sizeof(double))};
    snprintf(flow->text, sizeof(flow->text), "%s over %s", to, device ? device : "any device");
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *) &flow->to;
        *in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(PORT)};
        inet_pton(AF_INET, to, &in->sin_addr);
        flow->to_len = sizeof(*in);
    } else {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) &flow->to;
        *in6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(PORT)};
        inet_pton(AF_INET6, to, &in6->sin6_addr);
        flow->to_len = sizeof(*in6);
    }
    flow->datagram_fd = open_bound(family, SOCK_DGRAM, device);
    flow->stream_fd = open_bound(family, SOCK_STREAM, device);
    if (connect(flow->stream_fd, (struct sockaddr *) &flow->to, flow->to_len) < 0)
        die(flow->text);
}

static void
send_packet(Flow *flow)
{
    uint32_t number = flow->n_sent;

    if (number == MAX_PACKETS)
        return;
    flow->sent[number] = now();
    flow->n_sent++;
    if (sendto(flow->datagram_fd, &number, sizeof(number), 0, (struct sockaddr *) &flow->to,
               flow->to_len)
        < 0) {
        flow->n_refused++;
        flow->last_error = errno;
    }
    if (!flow->stream_waits && !flow->stream_broken) {
        flow->stream_sent = now();
        flow->stream_waits = write(flow->stream_fd, "0123456789abcdef", 16) == 16;
        flow->stream_broken = !flow->stream_waits;
    }
}

static void
receive_packets(Flow *flow)
{
    uint32_t number;

    while (recv(flow->datagram_fd, &number, sizeof(number), MSG_DONTWAIT) == sizeof(number)) {
        double took;

        if (number >= flow->n_sent || flow->sent[number] == 0)
            continue;
        took = now() - flow->sent[number];
        flow->sent[number] = 0;
        flow->n_answered++;
        if (took > flow->slowest)
            flow->slowest = took;
    }
}

static void
receive_stream(Flow *flow)
{
    char data[64];
    ssize_t n = recv(flow->stream_fd, data, sizeof(data), MSG_DONTWAIT);

    if (n == 0 || (n < 0 && errno != EAGAIN))
        flow->stream_broken = true;
    if (n > 0 && flow->stream_waits) {
        double took = now() - flow->stream_sent;

        flow->stream_waits = false;
        flow->n_stream++;
        if (took > flow->stream_slowest)
            flow->stream_slowest = took;
    }
}

static void
receive_until(Flow *flows, size_t n, double until)
{
    struct pollfd fds[2 * MAX_FLOWS];

    for (size_t i = 0; i < n; i++) {
        fds[2 * i] = (struct pollfd){.fd = flows[i].datagram_fd, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = flows[i].stream_fd, .events = POLLIN};
    }
    do {
        double left = until - now();
        struct timespec wait = {0, left > 0 ? (long) (left * 1e9) : 0};

        if (left >= 1)
            wait = (struct timespec){1, 0};
        ppoll(fds, 2 * n, &wait, NULL);
        for (size_t i = 0; i < n; i++) {
            receive_packets(&flows[i]);
            receive_stream(&flows[i]);
            if (flows[i].stream_broken)
                fds[2 * i + 1].fd = -1;
        }
    } while (now() < until);
}

static bool
all_answered(const Flow *flows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (flows[i].n_answered < flows[i].n_sent || flows[i].stream_waits)
            return false;
    }
    return true;
}

/* Does it work at all, before anything is changed? */
static void
warm_up(Flow *flows, size_t n)
{
    for (int i = 0; i < 20; i++) {
        for (size_t j = 0; j < n; j++)
            send_packet(&flows[j]);
        receive_until(flows, n, now() + 0.01);
    }
    for (int i = 0; i < 100 && !all_answered(flows, n); i++)
        receive_until(flows, n, now() + 0.02);
    for (size_t i = 0; i < n; i++) {
        if (flows[i].n_answered < flows[i].n_sent || flows[i].n_stream == 0) {
            fprintf(stderr, "exchange: %s: no answer\n", flows[i].text);
            exit(2);
        }
        flows[i].slowest = flows[i].stream_slowest = 0;
    }
}

static int
run_command(const Options *options, Flow *flows, size_t n)
{
    double next = now(), end = 0;
    int status = 0;
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        execvp(options->command[0], options->command);
        _exit(127);
    }
    while (end == 0 || now() < end) {
        for (size_t i = 0; i < n; i++)
            send_packet(&flows[i]);
        next += options->pace;
        receive_until(flows, n, next);
        if (end == 0 && waitpid(pid, &status, WNOHANG) == pid)
            end = now() + options->linger;
    }
    for (int i = 0; i < 50 && !all_answered(flows, n); i++)
        receive_until(flows, n, now() + 0.02);
    return status;
}

static bool
judge(const Options *options, const Flow *flow)
{
    bool good = flow->n_answered == flow->n_sent && flow->n_refused == 0
                && flow->slowest <= options->late && flow->stream_slowest <= options->late
                && !flow->stream_broken && !flow->stream_waits;

    fprintf(stderr,
            "exchange: %s: %u packets, %u lost, %u not sent%s%s, slowest %.1f ms; "
            "connection: %u exchanges, slowest %.1f ms%s%s\n",
            flow->text, flow->n_sent, flow->n_sent - flow->n_answered, flow->n_refused,
            flow->n_refused ? ": " : "", flow->n_refused ? strerror(flow->last_error) : "",
            flow->slowest * 1e3, flow->n_stream, flow->stream_slowest * 1e3,
            flow->stream_broken  ? ", broken"
            : flow->stream_waits ? ", stalled"
                                 : "",
            good ? "" : "  <- not as it should be");
    return good;
}

static bool
parse_options(int argc, char **argv, Options *options)
{
    static const struct option longs[] = {
        {"to", required_argument, NULL, 't'},     {"device", required_argument, NULL, 'd'},
        {"pace", required_argument, NULL, 'p'},   {"late", required_argument, NULL, 'l'},
        {"linger", required_argument, NULL, 'e'}, {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "+", longs, NULL)) >= 0) {
        if (c == 't' && options->n_to < MAX_FLOWS)
            options->to[options->n_to++] = optarg;
        else if (c == 'd' && options->n_devices < MAX_FLOWS)
            options->device[options->n_devices++] = optarg;
        else if (c == 'p')
            options->pace = atof(optarg) / 1e3;
        else if (c == 'l')
            options->late = atof(optarg) / 1e3;
        else if (c == 'e')
            options->linger = atof(optarg) / 1e3;
        else
            return false;
    }
    if (options->n_to == 0)
        options->to[options->n_to++] = "203.0.113.1";
    if (options->n_devices == 0)
        options->device[options->n_devices++] = NULL;
    options->command = argv + optind;
    return optind < argc && options->n_to * options->n_devices <= MAX_FLOWS;
}

int
main(int argc, char **argv)
{
    /* What is lost is counted; late is only what a busy machine does not explain. */
    Options options = {.pace = 0.002, .late = 1.0, .linger = 0.02};
    Flow flows[MAX_FLOWS];
    size_t n = 0;
    int status;
    bool good;

    if (argc == 2 && strcmp(argv[1], "--serve") == 0)
        return serve();
    if (argc == 3 && strcmp(argv[1], "--http") == 0)
        return serve_http(argv[2]);
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: i1-exchange --serve | [OPTIONS] -- COMMAND [ARGUMENT]...\n");
        return 2;
    }
    for (size_t i = 0; i < options.n_to; i++) {
        for (size_t j = 0; j < options.n_devices; j++)
            open_flow(&flows[n++], options.to[i], options.device[j]);
    }
    warm_up(flows, n);
    status = run_command(&options, flows, n);
    good = status == 0;
    if (status != 0)
        fprintf(stderr, "exchange: %s: exit status %d\n", options.command[0], WEXITSTATUS(status));
    for (size_t i = 0; i < n; i++) {
        good = judge(&options, &flows[i]) && good;
        free(flows[i].sent);
    }
    return good ? 0 : 1;
}
