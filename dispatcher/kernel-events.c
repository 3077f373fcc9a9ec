/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel-events.h"

#include "core/error.h"
#include "core/rtnl-codec.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/filter.h>
#include <string.h>
#include <unistd.h>

#define RECEIVE_LEN 8192 /* a notification is one message */
#define QUEUE_LEN (1024 * 1024)

struct TtKernelEvents {
    struct mnl_socket *nl;
    GHashTable *names; /* ifindex -> name: a link that was renamed matches other sections */
};

/*
 * The filter. A load takes the bytes for big-endian, netlink writes them as the host does: hence
 * htons() and htonl() on constants.
 */

#define OFFSET_TYPE offsetof(struct nlmsghdr, nlmsg_type)
#define OFFSET_PORT offsetof(struct nlmsghdr, nlmsg_pid)
#define OFFSET_RTM(field) (NLMSG_HDRLEN + offsetof(struct rtmsg, field))

typedef struct {
    struct sock_filter code[32];
    unsigned short len;
} Filter;

static void
add(Filter *filter, unsigned short code, guint32 k, guint8 if_true, guint8 if_false)
{
    filter->code[filter->len++] = (struct sock_filter){code, if_true, if_false, k};
}

/* Drops unless / where the byte or word at the offset has the value. */
static void
drop_unless(Filter *filter, unsigned short size, guint32 offset, guint32 value)
{
    add(filter, (unsigned short) (BPF_LD | size | BPF_ABS), offset, 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    add(filter, BPF_RET | BPF_K, 0, 0, 0);
}

static void
drop_if(Filter *filter, unsigned short size, guint32 offset, guint32 value)
{
    add(filter, (unsigned short) (BPF_LD | size | BPF_ABS), offset, 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    add(filter, BPF_RET | BPF_K, 0, 0, 0);
}

static void
accept_unless_route(Filter *filter)
{
    add(filter, BPF_LD | BPF_H | BPF_ABS, OFFSET_TYPE, 0, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_NEWROUTE), 2, 0);
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_DELROUTE), 1, 0);
    add(filter, BPF_RET | BPF_K, G_MAXUINT32, 0, 0);
}

static Filter
make_filter(const TtPolicyReach *reach, guint32 own_port)
{
    Filter filter = {.len = 0};

    drop_if(&filter, BPF_W, OFFSET_PORT, htonl(own_port));
    accept_unless_route(&filter);
    if (reach->only_defaults)
        drop_unless(&filter, BPF_B, OFFSET_RTM(rtm_dst_len), 0);
    if (reach->only_main)
        drop_unless(&filter, BPF_B, OFFSET_RTM(rtm_table), RT_TABLE_MAIN);
    else
        drop_if(&filter, BPF_B, OFFSET_RTM(rtm_table), RT_TABLE_LOCAL);
    add(&filter, BPF_LD | BPF_W | BPF_ABS, OFFSET_RTM(rtm_flags), 0, 0);
    add(&filter, BPF_JMP | BPF_JSET | BPF_K, htonl(RTM_F_CLONED), 0, 1);
    add(&filter, BPF_RET | BPF_K, 0, 0, 0);
    add(&filter, BPF_RET | BPF_K, G_MAXUINT32, 0, 0);
    return filter;
}

static bool
prepare(struct mnl_socket *nl, const TtPolicyReach *reach, guint32 own_port)
{
    Filter filter = make_filter(reach, own_port);
    struct sock_fprog program = {.len = filter.len, .filter = filter.code};
    guint groups = RTMGRP_LINK;
    int queue_len = QUEUE_LEN;
    int fd = mnl_socket_get_fd(nl);

    if (reach->family[0])
        groups |= RTMGRP_IPV4_ROUTE | (reach->connected ? RTMGRP_IPV4_IFADDR : 0);
    if (reach->family[1])
        groups |= RTMGRP_IPV6_ROUTE | (reach->connected ? RTMGRP_IPV6_IFADDR : 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &queue_len, sizeof queue_len);
    /* The filter first: nothing that it would drop gets in before it. */
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0
           && mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID) == 0;
}

TtKernelEvents *
tt_kernel_events_new(const TtPolicyReach *reach, guint32 own_port, GError **error)
{
    struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
    TtKernelEvents *events;

    if (!nl || !prepare(nl, reach, own_port)) {
        g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "cannot listen to the kernel: %s",
                    g_strerror(errno));
        if (nl)
            mnl_socket_close(nl);
        return NULL;
    }
    events = g_new(TtKernelEvents, 1);
    events->nl = nl;
    events->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    return events;
}

void
tt_kernel_events_free(TtKernelEvents *events)
{
    if (!events)
        return;
    mnl_socket_close(events->nl);
    g_hash_table_unref(events->names);
    g_free(events);
}

int
tt_kernel_events_fd(const TtKernelEvents *events)
{
    return mnl_socket_get_fd(events->nl);
}

static void
take_route(const struct nlmsghdr *message, TtHints *hints)
{
    g_autoptr(TtRoute) route = tt_rtnl_parse_route(message, message->nlmsg_len);

    if (!route)
        return;
    if (route->n_hops == 0)
        tt_hints_add(hints, 0);
    for (guint i = 0; i < route->n_hops; i++)
        tt_hints_add(hints, route->hops[i].ifindex);
}

/* Of links, only a new name counts: routes tell of all else. */
static void
take_link(TtKernelEvents *events, const struct nlmsghdr *message, TtHints *hints)
{
    const char *old;
    TtLink link;

    if (!tt_rtnl_parse_link(message, message->nlmsg_len, &link))
        return;
    old = g_hash_table_lookup(events->names, GINT_TO_POINTER(link.ifindex));
    if (old && g_str_equal(old, link.name))
        return;
    if (old)
        tt_hints_add(hints, link.ifindex);
    g_hash_table_replace(events->names, GINT_TO_POINTER(link.ifindex), g_strdup(link.name));
}

/* The kernel flushes IPv4 routes of a device that goes without a word. */
static void
take_gone_link(TtKernelEvents *events, const struct nlmsghdr *message, TtHints *hints)
{
    const struct ifinfomsg *info = mnl_nlmsg_get_payload(message);

    if (mnl_nlmsg_get_payload_len(message) < sizeof *info)
        return;
    g_hash_table_remove(events->names, GINT_TO_POINTER(info->ifi_index));
    tt_hints_add(hints, info->ifi_index);
}

static void
take_address(const struct nlmsghdr *message, TtHints *hints)
{
    const struct ifaddrmsg *ifa = mnl_nlmsg_get_payload(message);

    if (mnl_nlmsg_get_payload_len(message) >= sizeof *ifa)
        tt_hints_add(hints, (int) ifa->ifa_index);
}

static void
take(TtKernelEvents *events, const struct nlmsghdr *message, TtHints *hints)
{
    hints->n_events++;
    switch (message->nlmsg_type) {
    case RTM_NEWROUTE:
    case RTM_DELROUTE:
        take_route(message, hints);
        break;
    case RTM_NEWADDR:
    case RTM_DELADDR:
        take_address(message, hints);
        break;
    case RTM_NEWLINK:
        take_link(events, message, hints);
        break;
    case RTM_DELLINK:
        take_gone_link(events, message, hints);
        break;
    default:
        break;
    }
}

static void
take_all(TtKernelEvents *events, const char *bytes, int len, TtHints *hints)
{
    const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) bytes;

    for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len))
        take(events, message, hints);
}

void
tt_kernel_events_read(TtKernelEvents *events, TtHints *hints)
{
    char buffer[RECEIVE_LEN] __attribute__((aligned(NLMSG_ALIGNTO)));

    for (;;) {
        ssize_t received = recv(mnl_socket_get_fd(events->nl), buffer, sizeof buffer, MSG_TRUNC);

        if (received >= 0 && received <= (ssize_t) sizeof buffer) {
            take_all(events, buffer, (int) received, hints);
            continue;
        }
        if (received < 0 && errno == EAGAIN)
            return;
        /* Lost, or cut off: a route with hundreds of hops. */
        if (received >= 0 || errno != EINTR)
            tt_hints_add(hints, 0);
        if (received < 0 && errno != EINTR && errno != ENOBUFS)
            return;
    }
}
