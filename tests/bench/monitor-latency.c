/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How soon the monitor tunes a default: adds plain ones, one after the other, and measures by the
 * kernel's notifications from the plain one to the tuned one.
 *
 *   monitor-latency DEVICE GATEWAY N   ->   "MEDIAN P99 MAX MISSED", in microseconds
 */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FIRST_METRIC 100000 /* a metric of its own for each: none is a route that was undone */
#define PATIENCE_MS 2000

typedef struct {
    struct mnl_socket *edits;
    struct mnl_socket *events;
    uint32_t ifindex;
    struct in_addr gateway;
} Bench;

static double
now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec * 1e6 + (double) now.tv_nsec / 1e3;
}

static void
edit(const Bench *bench, uint16_t type, uint32_t metric)
{
    char buffer[512];
    struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
    struct rtmsg *rtm = mnl_nlmsg_put_extra_header(header, sizeof *rtm);

    header->nlmsg_type = type;
    header->nlmsg_flags = NLM_F_REQUEST | (type == RTM_NEWROUTE ? NLM_F_CREATE | NLM_F_APPEND : 0);
    rtm->rtm_family = AF_INET;
    rtm->rtm_table = RT_TABLE_MAIN;
    rtm->rtm_type = RTN_UNICAST;
    rtm->rtm_protocol = RTPROT_STATIC;
    mnl_attr_put_u32(header, RTA_OIF, bench->ifindex);
    mnl_attr_put_u32(header, RTA_GATEWAY, bench->gateway.s_addr);
    mnl_attr_put_u32(header, RTA_PRIORITY, metric);
    if (mnl_socket_sendto(bench->edits, header, header->nlmsg_len) < 0) {
        perror("sendto");
        exit(1);
    }
}

/* Is this the notification of a default of this metric, with (1) or without (0) metrics? -1: no. */
static int
match(const struct nlmsghdr *message, uint32_t metric)
{
    const struct rtmsg *rtm = mnl_nlmsg_get_payload(message);
    const struct nlattr *attr;
    int has_metrics = 0;
    uint32_t found = 0;

    if (message->nlmsg_type != RTM_NEWROUTE || rtm->rtm_dst_len != 0)
        return -1;
    mnl_attr_for_each(attr, message, sizeof *rtm)
    {
        if (mnl_attr_get_type(attr) == RTA_PRIORITY)
            found = mnl_attr_get_u32(attr);
        has_metrics |= mnl_attr_get_type(attr) == RTA_METRICS;
    }
    return found == metric ? has_metrics : -1;
}

/* Waits until the route was seen plain and tuned. Microseconds; < 0: in vain. */
static double
await(const Bench *bench, uint32_t metric)
{
    struct pollfd poll_fd = {.fd = mnl_socket_get_fd(bench->events), .events = POLLIN};
    double plain_us = 0;
    char buffer[65536];

    while (poll(&poll_fd, 1, PATIENCE_MS) > 0) {
        ssize_t received = mnl_socket_recvfrom(bench->events, buffer, sizeof buffer);
        const struct nlmsghdr *message = (const struct nlmsghdr *) buffer;
        int len = (int) received;

        for (; received > 0 && mnl_nlmsg_ok(message, len);
             message = mnl_nlmsg_next(message, &len)) {
            int tuned = match(message, metric);

            if (tuned == 0)
                plain_us = now_us();
            else if (tuned == 1)
                return plain_us > 0 ? now_us() - plain_us : 0;
        }
    }
    return -1;
}

static int
compare(const void *a, const void *b)
{
    double difference = *(const double *) a - *(const double *) b;

    return (difference > 0) - (difference < 0);
}

static struct mnl_socket *
open_socket(unsigned groups)
{
    struct mnl_socket *nl = mnl_socket_open(NETLINK_ROUTE);
    int len = 64 * 1024 * 1024;

    if (!nl || mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID) < 0) {
        perror("netlink");
        exit(1);
    }
    setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVBUFFORCE, &len, sizeof len);
    return nl;
}

int
main(int argc, char **argv)
{
    int n = argc == 4 ? atoi(argv[3]) : 0;
    double *took_us = calloc((size_t) n + 1, sizeof *took_us);
    Bench bench = {0};
    int n_done = 0;

    if (n <= 0 || !took_us || inet_pton(AF_INET, argv[2], &bench.gateway) != 1)
        return 2;
    bench.ifindex = if_nametoindex(argv[1]);
    bench.edits = open_socket(0);
    bench.events = open_socket(RTMGRP_IPV4_ROUTE);
    for (int i = 0; i < n; i++) {
        uint32_t metric = FIRST_METRIC + (uint32_t) i;

        edit(&bench, RTM_NEWROUTE, metric);
        took_us[n_done] = await(&bench, metric);
        n_done += took_us[n_done] >= 0;
        edit(&bench, RTM_DELROUTE, metric);
    }
    qsort(took_us, (size_t) n_done, sizeof *took_us, compare);
    if (n_done > 0)
        printf("%.0f %.0f %.0f %d\n", took_us[n_done / 2], took_us[n_done * 99 / 100],
               took_us[n_done - 1], n - n_done);
    return n_done == n ? 0 : 1;
}
