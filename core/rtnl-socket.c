/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rtnl-socket.h"

#include "error.h"
#include "uapi.h"

#include <errno.h>
#include <string.h>

bool
tt_rtnl_fail(GError **error, const char *what)
{
    int saved = errno;

    g_set_error(error, TT_ERROR,
                saved == EPERM || saved == EACCES ? TT_ERROR_PERMISSION : TT_ERROR_NETLINK,
                "%s: %s", what, g_strerror(saved));
    return false;
}

struct mnl_socket *
tt_rtnl_open_socket(int protocol, guint groups, GError **error)
{
    struct mnl_socket *nl = mnl_socket_open2(protocol, SOCK_CLOEXEC);
    int on = 1;

    if (!nl || mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID) < 0) {
        tt_rtnl_fail(error, "cannot open a netlink socket");
        if (nl)
            mnl_socket_close(nl);
        return NULL;
    }
    /* Neither is there on 4.18; both only make things faster or clearer. */
    mnl_socket_setsockopt(nl, NETLINK_GET_STRICT_CHK, &on, sizeof on);
    mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &on, sizeof on);
    return nl;
}

TtRtnl *
tt_rtnl_new_protocol(int protocol, GError **error)
{
    struct mnl_socket *edits = tt_rtnl_open_socket(protocol, 0, error);
    TtRtnl *rtnl;

    if (!edits)
        return NULL;
    rtnl = g_new0(TtRtnl, 1);
    rtnl->protocol = protocol;
    rtnl->edits = edits;
    rtnl->buffer = g_malloc(TT_RTNL_BUFFER_LEN);
    return rtnl;
}

TtRtnl *
tt_rtnl_new(GError **error)
{
    return tt_rtnl_new_protocol(NETLINK_ROUTE, error);
}

void
tt_rtnl_free(TtRtnl *rtnl)
{
    if (!rtnl)
        return;
    mnl_socket_close(rtnl->edits);
    tt_rtnl_unwatch(rtnl);
    g_free(rtnl->buffer);
    g_free(rtnl);
}

guint32
tt_rtnl_port(const TtRtnl *rtnl)
{
    return mnl_socket_get_portid(rtnl->edits);
}

static gssize
receive(TtRtnl *rtnl, struct mnl_socket *nl)
{
    gssize len;

    do
        len = mnl_socket_recvfrom(nl, rtnl->buffer, TT_RTNL_BUFFER_LEN);
    while (len < 0 && errno == EINTR);
    return len;
}

bool
tt_rtnl_transmit(TtRtnl *rtnl, struct mnl_socket *nl, void *message)
{
    struct nlmsghdr *header = message;

    header->nlmsg_flags |= NLM_F_REQUEST;
    header->nlmsg_seq = ++rtnl->sequence;
    return tt_rtnl_send(nl, header, header->nlmsg_len);
}

bool
tt_rtnl_send(struct mnl_socket *nl, const void *messages, gsize len)
{
    gssize sent;

    do
        sent = mnl_socket_sendto(nl, messages, len);
    while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

int
tt_rtnl_errno_of(const struct nlmsghdr *message)
{
    gint32 code;

    if (message->nlmsg_len < NLMSG_HDRLEN + sizeof code)
        return 0;
    memcpy(&code, message + 1, sizeof code);
    return code;
}

static bool
is_end(const struct nlmsghdr *message)
{
    return message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR;
}

static TtDumpResult
end_of_dump(const TtRtnl *rtnl, const struct nlmsghdr *message, bool interrupted)
{
    errno = -tt_rtnl_errno_of(message);
    /* A table that was never used is empty. */
    if (errno && (errno != ENOENT || rtnl->protocol != NETLINK_ROUTE))
        return TT_DUMP_FAILED;
    return interrupted ? TT_DUMP_INTERRUPTED : TT_DUMP_DONE;
}

static TtDumpResult
read_dump(TtRtnl *rtnl, struct mnl_socket *nl, TtMessageFunc func, gpointer data)
{
    bool interrupted = false;

    for (;;) {
        gssize received = receive(rtnl, nl);
        const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
        int len = (int) received;

        if (received < 0)
            return TT_DUMP_FAILED;
        for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
            interrupted |= (message->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
            if (is_end(message))
                return end_of_dump(rtnl, message, interrupted);
            if (!func(message, message->nlmsg_len, data))
                return TT_DUMP_STOPPED;
        }
    }
}

TtDumpResult
tt_rtnl_dump(TtRtnl *rtnl, void *request, TtMessageFunc func, gpointer data, GError **error)
{
    struct mnl_socket *nl = tt_rtnl_open_socket(rtnl->protocol, 0, error);
    TtDumpResult result = TT_DUMP_FAILED;

    if (!nl)
        return TT_DUMP_FAILED;
    if (tt_rtnl_transmit(rtnl, nl, request))
        result = read_dump(rtnl, nl, func, data);
    if (result == TT_DUMP_FAILED)
        tt_rtnl_fail(error, "cannot read the kernel's tables");
    mnl_socket_close(nl);
    return result;
}

int
tt_rtnl_read_answer(TtRtnl *rtnl, TtMessageFunc func, gpointer data)
{
    for (;;) {
        gssize received = receive(rtnl, rtnl->edits);
        const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
        int len = (int) received;

        if (received < 0)
            return -errno;
        for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
            if (message->nlmsg_seq != rtnl->sequence)
                continue;
            if (func)
                func(message, message->nlmsg_len, data);
            if (message->nlmsg_type == NLMSG_ERROR)
                return tt_rtnl_errno_of(message);
            if (func)
                return 0;
        }
    }
}

bool
tt_rtnl_read_acks(TtRtnl *rtnl, guint32 first, TtMessageFunc func, gpointer data)
{
    for (;;) {
        gssize received = receive(rtnl, rtnl->edits);
        const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
        int len = (int) received;

        if (received < 0)
            return false;
        for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
            if (message->nlmsg_type != NLMSG_ERROR
                || message->nlmsg_seq - first > rtnl->sequence - first)
                continue;
            func(message, message->nlmsg_len, data);
            if (message->nlmsg_seq == rtnl->sequence)
                return true;
        }
    }
}
