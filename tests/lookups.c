/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookups ADDRESS...: connects UDP sockets to the addresses, in turn and without end, some 10,000
 * times a second in all. A connect is one route lookup and sends nothing. On SIGTERM one line for
 * each address: lookups, and how many of them failed.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_PEERS 8
#define PAUSE_NS 100000
#define BURST 2 /* lookups between two pauses */

typedef struct {
    const char *name;
    struct sockaddr_storage address;
    socklen_t len;
    unsigned long n_lookups;
    unsigned long n_failed;
} Peer;

static volatile sig_atomic_t stopped;

static void
stop(int signal_number)
{
    stopped = 1;
}

static int
resolve(const char *text, Peer *peer)
{
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST};
    struct addrinfo *found;

    if (getaddrinfo(text, "9", &hints, &found) != 0)
        return 0;
    peer->name = text;
    peer->len = found->ai_addrlen;
    memcpy(&peer->address, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return 1;
}

/* A socket of its own each time: a connected one remembers its route. */
static void
look_up(Peer *peer)
{
    int fd = socket(peer->address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    peer->n_lookups++;
    if (fd < 0 || connect(fd, (const struct sockaddr *) &peer->address, peer->len) < 0)
        peer->n_failed++;
    if (fd >= 0)
        close(fd);
}

static void
run(Peer *peers, int n_peers)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};

    while (!stopped) {
        for (int i = 0; i < n_peers * BURST; i++)
            look_up(&peers[i % n_peers]);
        nanosleep(&pause, NULL);
    }
}

int
main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = stop};
    Peer peers[MAX_PEERS] = {0};
    int n_peers = argc - 1;

    if (n_peers < 1 || n_peers > MAX_PEERS) {
        fprintf(stderr, "usage: lookups ADDRESS...\n");
        return 2;
    }
    for (int i = 0; i < n_peers; i++) {
        if (!resolve(argv[i + 1], &peers[i])) {
            fprintf(stderr, "lookups: no address: %s\n", argv[i + 1]);
            return 2;
        }
    }
    sigaction(SIGTERM, &action, NULL);
    run(peers, n_peers);
    for (int i = 0; i < n_peers; i++)
        printf("%s %lu %lu\n", peers[i].name, peers[i].n_lookups, peers[i].n_failed);
    return 0;
}
