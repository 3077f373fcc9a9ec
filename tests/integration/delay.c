/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delay MS KBIT DEVICE DEVICE: two TUN devices with a long cable between them. What goes into one
 * comes out of the other after MS milliseconds, at most KBIT kbit a second, none lost. For kernels
 * without netem. The devices may be moved to other network namespaces; it runs until it is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define N_PACKETS 4096
#define PACKET_MAX 2048
#define NS_PER_S INT64_C(1000000000)

typedef struct {
    int64_t due;
    size_t len;
    char bytes[PACKET_MAX];
} Packet;

/* One direction: a ring. */
typedef struct {
    int from;
    int to;
    Packet packets[N_PACKETS];
    unsigned first;
    unsigned n;
    int64_t free_at; /* when the last packet has gone into the cable */
} Cable;

static int64_t delay_ns;
static int64_t ns_per_byte;

static int64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int
open_tun(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) == 0)
        return fd;
    perror(name);
    exit(1);
}

static void
take(Cable *cable)
{
    while (cable->n < N_PACKETS) {
        Packet *packet = &cable->packets[(cable->first + cable->n) % N_PACKETS];
        ssize_t len = read(cable->from, packet->bytes, sizeof packet->bytes);
        int64_t now = now_ns();

        if (len <= 0)
            return;
        packet->len = (size_t) len;
        cable->free_at = (cable->free_at > now ? cable->free_at : now) + len * ns_per_byte;
        packet->due = cable->free_at + delay_ns;
        cable->n++;
    }
}

static void
deliver(Cable *cable)
{
    while (cable->n > 0 && cable->packets[cable->first].due <= now_ns()) {
        const Packet *packet = &cable->packets[cable->first];

        /* A device that is down takes nothing: as if it had been unplugged. */
        if (write(cable->to, packet->bytes, packet->len) < 0 && errno == ENOMEM)
            return;
        cable->first = (cable->first + 1) % N_PACKETS;
        cable->n--;
    }
}

static int64_t
next_due(const Cable *cable)
{
    return cable->n > 0 ? cable->packets[cable->first].due : INT64_MAX;
}

static void
await(const Cable *there, const Cable *back)
{
    struct pollfd fds[] = {{.fd = there->from, .events = POLLIN},
                           {.fd = back->from, .events = POLLIN}};
    int64_t due = next_due(there) < next_due(back) ? next_due(there) : next_due(back);
    int64_t wait = due == INT64_MAX ? NS_PER_S : due - now_ns();
    struct timespec timeout = {.tv_sec = wait / NS_PER_S, .tv_nsec = wait % NS_PER_S};

    if (wait > 0)
        ppoll(fds, 2, &timeout, NULL);
}

int
main(int argc, char **argv)
{
    static Cable there, back;

    if (argc != 5 || atoi(argv[2]) <= 0) {
        fprintf(stderr, "usage: delay MS KBIT DEVICE DEVICE\n");
        return 2;
    }
    delay_ns = atoi(argv[1]) * (NS_PER_S / 1000);
    ns_per_byte = NS_PER_S * 8 / 1000 / atoi(argv[2]);
    there.from = back.to = open_tun(argv[3]);
    there.to = back.from = open_tun(argv[4]);
    for (;;) {
        await(&there, &back);
        take(&there);
        take(&back);
        deliver(&there);
        deliver(&back);
    }
}
