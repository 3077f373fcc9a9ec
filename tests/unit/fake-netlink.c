/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-netlink.h"

#include "route-text.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#define EXAMPLE_REQUEST_LEN 28

typedef struct {
    GByteArray *message; /* NULL: an error */
    int error_number;
    bool stale;
} Answer;

static GQueue answers = G_QUEUE_INIT;
static GQueue events = G_QUEUE_INIT;
static GPtrArray *sent;
static guint32 first_request, last_request, next_request; /* of what was sent last */
static int send_error;

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *message, size_t len);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *to, size_t len);
ssize_t __wrap_recv(int fd, void *to, size_t len, int flags);
ssize_t __wrap___recv_chk(int fd, void *to, size_t len, size_t to_len, int flags);

static void
free_message(gpointer message)
{
    g_byte_array_unref(message);
}

static void
free_answer(gpointer data)
{
    Answer *answer = data;

    if (answer->message)
        g_byte_array_unref(answer->message);
    g_free(answer);
}

static void
clear(GQueue *queue)
{
    while (!g_queue_is_empty(queue))
        free_answer(g_queue_pop_head(queue));
}

void
fake_netlink_reset(void)
{
    clear(&answers);
    clear(&events);
    g_clear_pointer(&sent, g_ptr_array_unref);
    sent = g_ptr_array_new_with_free_func(free_message);
    send_error = 0;
}

static void
push(GQueue *queue, GByteArray *message, int error_number, bool stale)
{
    Answer *answer = g_new(Answer, 1);

    *answer = (Answer){message, error_number, stale};
    g_queue_push_tail(queue, answer);
}

void
fake_netlink_answer(GByteArray *message)
{
    push(&answers, message, 0, false);
}

void
fake_netlink_answer_stale(GByteArray *message)
{
    push(&answers, message, 0, true);
}

void
fake_netlink_fail(int error_number)
{
    push(&answers, NULL, error_number, false);
}

void
fake_netlink_fail_send(int error_number)
{
    send_error = error_number;
}

void
fake_netlink_event(GByteArray *message)
{
    push(&events, message, 0, true);
}

void
fake_netlink_fail_event(int error_number)
{
    push(&events, NULL, error_number, false);
}

void
fake_netlink_route_event(const char *text, guint16 type, guint16 flags, guint32 port)
{
    GByteArray *message = route_message_from_text(text);
    struct nlmsghdr *header = (struct nlmsghdr *) (void *) message->data;

    header->nlmsg_type = type;
    header->nlmsg_flags = flags;
    header->nlmsg_pid = port;
    fake_netlink_event(message);
}

const GPtrArray *
fake_netlink_sent(void)
{
    return sent;
}

GByteArray *
fake_netlink_message(guint16 type, guint16 flags, const void *body, gsize len)
{
    GByteArray *message = g_byte_array_new();
    struct nlmsghdr header = {
        .nlmsg_len = (guint32) (sizeof header + len),
        .nlmsg_type = type,
        .nlmsg_flags = flags,
    };

    g_byte_array_append(message, (const guint8 *) &header, sizeof header);
    if (len > 0)
        g_byte_array_append(message, body, (guint) len);
    return message;
}

static void
append_text(GByteArray *body, const char *text)
{
    static const guint8 zeros[NLA_ALIGNTO];
    gsize len = strlen(text) + 1;
    struct nlattr attr = {
        .nla_len = (guint16) (NLA_HDRLEN + len),
        .nla_type = NLMSGERR_ATTR_MSG,
    };

    g_byte_array_append(body, (const guint8 *) &attr, sizeof attr);
    g_byte_array_append(body, (const guint8 *) text, (guint) len);
    g_byte_array_append(body, zeros, (guint) (NLA_ALIGN(len) - len));
}

GByteArray *
fake_netlink_verdict(int code, const char *text, bool with_request)
{
    g_autoptr(GByteArray) body = g_byte_array_new();
    struct nlmsgerr verdict = {.error = code, .msg = {.nlmsg_len = EXAMPLE_REQUEST_LEN}};
    guint8 rest[EXAMPLE_REQUEST_LEN - sizeof(struct nlmsghdr)] = {0};
    guint16 flags = 0;

    g_byte_array_append(body, (const guint8 *) &verdict, sizeof verdict);
    if (with_request)
        g_byte_array_append(body, rest, sizeof rest);
    else
        flags |= NLM_F_CAPPED;
    if (text) {
        append_text(body, text);
        flags |= NLM_F_ACK_TLVS;
    }
    return fake_netlink_message(NLMSG_ERROR, flags, body->data, body->len);
}

GByteArray *
fake_netlink_done(int code)
{
    return fake_netlink_message(NLMSG_DONE, NLM_F_MULTI, &code, sizeof code);
}

static void
note_requests(const void *messages, size_t len)
{
    const struct nlmsghdr *request = messages;
    int left = (int) len;

    first_request = next_request = request->nlmsg_seq;
    for (; mnl_nlmsg_ok(request, left); request = mnl_nlmsg_next(request, &left))
        last_request = request->nlmsg_seq;
}

/* One answer for each of several requests; many for one that is alone, or the last. */
static guint32
answered_request(void)
{
    return next_request < last_request ? next_request++ : last_request;
}

ssize_t
__wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *message, size_t len)
{
    GByteArray *copy;

    if (send_error) {
        errno = send_error;
        send_error = 0;
        return -1;
    }
    copy = g_byte_array_append(g_byte_array_new(), message, (guint) len);
    g_ptr_array_add(sent, copy);
    note_requests(message, len);
    return (ssize_t) len;
}

static ssize_t
give(Answer *answer, void *to, size_t len)
{
    struct nlmsghdr *header;
    int error_number = answer->error_number;
    ssize_t n = -1;

    if (answer->message) {
        header = (struct nlmsghdr *) (void *) answer->message->data;
        header->nlmsg_seq = answer->stale ? first_request - 1 : answered_request();
        n = (ssize_t) answer->message->len;
        memcpy(to, answer->message->data, MIN(answer->message->len, len));
    }
    free_answer(answer);
    errno = error_number;
    return n;
}

ssize_t
__wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *to, size_t len)
{
    if (g_queue_is_empty(&answers)) {
        next_request = last_request;
        fake_netlink_answer(fake_netlink_verdict(0, NULL, false));
    }
    return give(g_queue_pop_head(&answers), to, len);
}

ssize_t
__wrap_recv(int fd, void *to, size_t len, int flags)
{
    ssize_t n;

    if (g_queue_is_empty(&events))
        fake_netlink_fail_event(EAGAIN);
    n = give(g_queue_pop_head(&events), to, len);
    return n > (ssize_t) len && !(flags & MSG_TRUNC) ? (ssize_t) len : n;
}

ssize_t
__wrap___recv_chk(int fd, void *to, size_t len, size_t to_len, int flags)
{
    return __wrap_recv(fd, to, len, flags);
}
