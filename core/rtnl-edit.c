/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits of routes, and a watch on everybody's. */
#include "rtnl-codec.h"
#include "rtnl-socket.h"
#include "uapi.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* The kernel's own words in an extended acknowledgement (NLMSGERR_ATTR_MSG). (transfer full) */
static char *
get_text(const struct nlmsghdr *message, gsize len)
{
    const struct nlmsgerr *answer = (const struct nlmsgerr *) (message + 1);
    gsize offset = sizeof *answer;
    const struct nlattr *attr;

    if (!(message->nlmsg_flags & NLM_F_ACK_TLVS) || len < NLMSG_HDRLEN + sizeof *answer)
        return NULL;
    if (!(message->nlmsg_flags & NLM_F_CAPPED))
        offset += answer->msg.nlmsg_len - NLMSG_HDRLEN;
    mnl_attr_for_each(attr, message, (unsigned) offset)
    {
        if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
            return g_strndup(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
    }
    return NULL;
}

typedef struct {
    guint32 first; /* number of the first request */
    TtAnswer *answers;
} Answers;

static bool
take_answer(const struct nlmsghdr *message, gsize len, gpointer data)
{
    const Answers *answers = data;

    answers->answers[message->nlmsg_seq - answers->first] = (TtAnswer){
        .error = tt_rtnl_errno_of(message),
        .text = get_text(message, len),
    };
    return true;
}

/* The last is to be acknowledged: the kernel takes them in turn, and speaks up where it refuses
 * one. Returns how many there are. */
static guint
number_messages(TtRtnl *rtnl, GByteArray *messages)
{
    struct nlmsghdr *header = NULL;
    guint n = 0;

    for (guint at = 0; at < messages->len; at += NLMSG_ALIGN(header->nlmsg_len), n++) {
        header = (struct nlmsghdr *) (void *) (messages->data + at);
        header->nlmsg_flags |= NLM_F_REQUEST;
        header->nlmsg_seq = ++rtnl->sequence;
    }
    if (header)
        header->nlmsg_flags |= NLM_F_ACK;
    return n;
}

void
tt_rtnl_edit_all(TtRtnl *rtnl, GByteArray *messages, TtAnswer *answers)
{
    Answers taking = {.first = rtnl->sequence + 1, .answers = answers};
    guint n = number_messages(rtnl, messages);
    int saved;

    memset(answers, 0, n * sizeof *answers);
    if (tt_rtnl_send(rtnl->edits, messages->data, messages->len)
        && tt_rtnl_read_acks(rtnl, taking.first, take_answer, &taking))
        return;
    saved = errno;
    for (guint i = 0; i < n; i++) {
        if (answers[i].error == 0)
            answers[i].error = -saved; /* not known to be done */
    }
}

int
tt_rtnl_edit(TtRtnl *rtnl, GByteArray *message, char **out_text)
{
    TtAnswer answer;

    tt_rtnl_edit_all(rtnl, message, &answer);
    if (out_text)
        *out_text = answer.text;
    else
        g_free(answer.text);
    return answer.error;
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
