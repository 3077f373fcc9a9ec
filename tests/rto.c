/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What TCP does with a route: opens a connection to an echo peer, sends a few requests, and prints
 * the retransmission time-out and delayed-ACK time of the live socket.
 *
 *   rto ADDRESS PORT [EXCHANGES [DEVICE]]     prints "RTO ATO", in milliseconds
 */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int
open_connection(const char *address, const char *port, const char *device)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *found;
    struct timeval patience = {5, 0};
    int fd, on = 1;

    if (getaddrinfo(address, port, &hints, &found) != 0) {
        fprintf(stderr, "rto: %s: not an address\n", address);
        return -1;
    }
    fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if ((device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, strlen(device) + 1) < 0)
        || connect(fd, found->ai_addr, found->ai_addrlen) < 0) {
        perror("rto");
        close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

static bool
exchange(int fd)
{
    char data[16] = "0123456789abcde";
    size_t received = 0;

    if (send(fd, data, sizeof(data), MSG_NOSIGNAL) != sizeof(data))
        return false;
    while (received < sizeof(data)) {
        ssize_t n = recv(fd, data, sizeof(data) - received, 0);

        if (n <= 0)
            return false;
        received += (size_t) n;
    }
    return true;
}

int
main(int argc, char **argv)
{
    int n = argc > 3 ? atoi(argv[3]) : 30;
    struct tcp_info info;
    socklen_t len = sizeof(info);
    int fd;

    if (argc < 3) {
        fprintf(stderr, "usage: rto ADDRESS PORT [EXCHANGES [DEVICE]]\n");
        return 2;
    }
    fd = open_connection(argv[1], argv[2], argc > 4 ? argv[4] : NULL);
    if (fd < 0)
        return 1;
    for (int i = 0; i < n; i++) {
        if (!exchange(fd)) {
            fprintf(stderr, "rto: %s: no answer\n", argv[1]);
            return 1;
        }
    }
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0) {
        perror("rto");
        return 1;
    }
    printf("%u %u\n", info.tcpi_rto / 1000, info.tcpi_ato / 1000);
    close(fd);
    return 0;
}
