/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits of routes, and a watch on everybody's. */
#include "rtnl-codec.h"
#include "rtnl-socket.h"
#include "uapi.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* The kernel's own words in an extended acknowledgement (NLMSGERR_ATTR_MSG). */
static bool
take_text(const struct nlmsghdr *message, gsize len, gpointer data)
{
    char **out_text = data;
    const struct nlmsgerr *answer = (const struct nlmsgerr *) (message + 1);
    gsize offset = sizeof *answer;
    const struct nlattr *attr;

    if (!(message->nlmsg_flags & NLM_F_ACK_TLVS) || len < NLMSG_HDRLEN + sizeof *answer)
        return true;
    if (!(message->nlmsg_flags & NLM_F_CAPPED))
        offset += answer->msg.nlmsg_len - NLMSG_HDRLEN;
    mnl_attr_for_each(attr, message, (unsigned) offset)
    {
        if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
            *out_text = g_strndup(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
    }
    return true;
}

int
tt_rtnl_edit(TtRtnl *rtnl, const GByteArray *message, char **out_text)
{
    g_autofree char *text = NULL;
    struct nlmsghdr *header = (struct nlmsghdr *) (void *) message->data;
    int r;

    header->nlmsg_flags |= NLM_F_ACK;
    if (!tt_rtnl_transmit(rtnl, rtnl->edits, header))
        return -errno;
    r = tt_rtnl_read_answer(rtnl, take_text, &text);
    if (out_text)
        *out_text = g_steal_pointer(&text);
    return r;
}

bool
tt_rtnl_watch(TtRtnl *rtnl, GError **error)
{
    int len = 8 * 1024 * 1024;

    if (rtnl->events)
        return true;
    rtnl->events = tt_rtnl_open_socket(NETLINK_ROUTE, RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE, error);
    if (!rtnl->events)
        return false;
    /* Only a root with CAP_NET_ADMIN gets it; without, ENOBUFS is the worst and is noticed. */
    setsockopt(mnl_socket_get_fd(rtnl->events), SOL_SOCKET, SO_RCVBUFFORCE, &len, sizeof len);
    return true;
}

void
tt_rtnl_unwatch(TtRtnl *rtnl)
{
    if (rtnl->events)
        mnl_socket_close(rtnl->events);
    rtnl->events = NULL;
}

static void
deliver(TtRtnl *rtnl, gssize received, TtRouteEventFunc func, gpointer data)
{
    const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
    int len = (int) received;

    for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
        g_autoptr(TtRoute) route = tt_rtnl_parse_route(message, message->nlmsg_len);

        if (route && !(route->flags & RTM_F_CLONED))
            func(&route, message->nlmsg_type == RTM_DELROUTE,
                 message->nlmsg_pid == mnl_socket_get_portid(rtnl->edits), data);
    }
}

bool
tt_rtnl_drain(TtRtnl *rtnl, TtRouteEventFunc func, gpointer data)
{
    bool complete = true;

    for (;;) {
        gssize received = recv(mnl_socket_get_fd(rtnl->events), rtnl->buffer, TT_RTNL_BUFFER_LEN,
                               MSG_DONTWAIT | MSG_TRUNC);

        if (received > TT_RTNL_BUFFER_LEN) {
            complete = false; /* a route with thousands of hops */
        } else if (received >= 0) {
            deliver(rtnl, received, func, data);
        } else if (errno == EAGAIN) {
            return complete;
        } else if (errno != EINTR) {
            complete = false; /* ENOBUFS: something was lost, the rest is still there */
            if (errno != ENOBUFS)
                return false;
        }
    }
}

static void
ignore(TtRoute **route, bool deleted, bool own_write, gpointer unused)
{
}

bool
tt_rtnl_is_quiet(TtRtnl *rtnl, int timeout_ms)
{
    struct pollfd poll_fd = {.fd = mnl_socket_get_fd(rtnl->events), .events = POLLIN};

    if (poll(&poll_fd, 1, timeout_ms) == 0)
        return true;
    tt_rtnl_drain(rtnl, ignore, NULL);
    return false;
}
