/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP traffic for tests and benches. Shares nothing with what is judged by it.
 *
 *   traffic serve PORT [DELAY_MS]            echoes each request after so long
 *   traffic sink PORT                        reads and throws away
 *   traffic request ADDRESS PORT N BYTES     N requests in turn over one connection
 *   traffic bulk ADDRESS PORT N BYTES        N connections in turn, each carries so much one way
 *   traffic hold ADDRESS PORT N              N requests, then the same again for each line of input
 *
 * request and bulk print, in milliseconds: total, median, p99, p99.9, the worst, and how many took
 * more than 100. hold prints "RTO ATO PORT" after each round, the port being its own, and "closed"
 * when somebody closes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_BYTES 200

static char data[1 << 16];

static int
die(const char *what)
{
    fprintf(stderr, "traffic: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void
sleep_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&time, NULL);
}

/*
 * The peer.
 */

static int
open_listener(const char *port)
{
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6,
        .sin6_port = htons((uint16_t) atoi(port)),
    };
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, off = 0;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(fd, (struct sockaddr *) &address, sizeof address) < 0 || listen(fd, 64) < 0)
        die("listen");
    return fd;
}

static void
answer(int fd, bool echo, int delay_ms)
{
    ssize_t n;
    int on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while ((n = recv(fd, data, sizeof data, 0)) > 0) {
        if (delay_ms)
            sleep_us(delay_ms * 1000L);
        if (echo && send(fd, data, (size_t) n, MSG_NOSIGNAL) != n)
            return;
    }
}

static int
serve(const char *port, bool echo, int delay_ms)
{
    int listener = open_listener(port);

    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        if (fd < 0)
            continue;
        if (fork() == 0) {
            close(listener);
            answer(fd, echo, delay_ms);
            _exit(0);
        }
        close(fd);
    }
}

/*
 * The client.
 */

static int
open_connection(const char *address, const char *port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *found;
    struct timeval patience = {30, 0};
    int fd, on = 1;

    if (getaddrinfo(address, port, &hints, &found) != 0)
        die(address);
    fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, found->ai_addr, found->ai_addrlen) < 0)
        die(address);
    freeaddrinfo(found);
    return fd;
}

static bool
exchange(int fd, size_t bytes)
{
    size_t received = 0;

    if (send(fd, data, bytes, MSG_NOSIGNAL) != (ssize_t) bytes)
        return false;
    while (received < bytes) {
        ssize_t n = recv(fd, data, bytes - received, 0);

        if (n <= 0)
            return false;
        received += (size_t) n;
    }
    return true;
}

/* Until the peer's kernel has acknowledged all of it. */
static bool
transfer(int fd, size_t bytes)
{
    int unacknowledged = 1;

    while (bytes > 0) {
        ssize_t n = send(fd, data, bytes < sizeof data ? bytes : sizeof data, MSG_NOSIGNAL);

        if (n < 0)
            return false;
        bytes -= (size_t) n;
    }
    while (ioctl(fd, SIOCOUTQ, &unacknowledged) == 0 && unacknowledged > 0)
        sleep_us(20);
    return unacknowledged == 0;
}

static int
compare(const void *a, const void *b)
{
    double difference = *(const double *) a - *(const double *) b;

    return (difference > 0) - (difference < 0);
}

static double
rank(const double *sorted, int n, double share)
{
    int i = (int) (share * n);

    return sorted[i < n ? i : n - 1];
}

static void
print_times(double *ms, int n)
{
    double total = 0;
    int slow = 0;

    for (int i = 0; i < n; i++) {
        total += ms[i];
        slow += ms[i] > 100;
    }
    qsort(ms, (size_t) n, sizeof *ms, compare);
    printf("%.1f %.3f %.3f %.3f %.3f %d\n", total, rank(ms, n, 0.5), rank(ms, n, 0.99),
           rank(ms, n, 0.999), ms[n - 1], slow);
}

static int
request(char **args)
{
    int fd = open_connection(args[0], args[1]), n = atoi(args[2]);
    double *ms = calloc((size_t) n, sizeof *ms);

    for (int i = 0; i < n; i++) {
        double start = now_ms();

        if (!exchange(fd, (size_t) atol(args[3])))
            die("no answer");
        ms[i] = now_ms() - start;
    }
    print_times(ms, n);
    return 0;
}

static int
bulk(char **args)
{
    int n = atoi(args[2]);
    double *ms = calloc((size_t) n, sizeof *ms);

    for (int i = 0; i < n; i++) {
        int fd = open_connection(args[0], args[1]);
        double start = now_ms();

        if (!transfer(fd, (size_t) atol(args[3])))
            die("transfer");
        ms[i] = now_ms() - start;
        close(fd);
    }
    print_times(ms, n);
    return 0;
}

static bool
run_round(int fd, int n)
{
    struct tcp_info info;
    struct sockaddr_in6 own; /* of IPv4 the port is in the same place */
    socklen_t len = sizeof info, own_len = sizeof own;

    for (int i = 0; i < n; i++) {
        if (!exchange(fd, REQUEST_BYTES))
            return false;
    }
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0
        || getsockname(fd, (struct sockaddr *) &own, &own_len) < 0)
        return false;
    printf("%u %u %u\n", info.tcpi_rto / 1000, info.tcpi_ato / 1000, ntohs(own.sin6_port));
    return true;
}

static int
hold(char **args)
{
    int fd = open_connection(args[0], args[1]);
    struct pollfd polled[] = {{.fd = fd}, {.fd = STDIN_FILENO, .events = POLLIN}};
    char line[16];
    bool alive;

    setvbuf(stdout, NULL, _IOLBF, 0);
    alive = run_round(fd, atoi(args[2]));
    while (alive) {
        poll(polled, 2, -1);
        if (polled[0].revents)
            alive = false;
        else if (read(STDIN_FILENO, line, sizeof line) <= 0)
            return 0;
        else
            alive = run_round(fd, atoi(args[2]));
    }
    puts("closed");
    return 0;
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "serve") && argc > 2)
        return serve(argv[2], true, argc > 3 ? atoi(argv[3]) : 0);
    if (!strcmp(what, "sink") && argc > 2)
        return serve(argv[2], false, 0);
    if (!strcmp(what, "request") && argc == 6)
        return request(argv + 2);
    if (!strcmp(what, "bulk") && argc == 6)
        return bulk(argv + 2);
    if (!strcmp(what, "hold") && argc == 5)
        return hold(argv + 2);
    fprintf(stderr, "usage: traffic serve|sink PORT ... | request|bulk|hold ADDRESS PORT N ...\n");
    return 2;
}
