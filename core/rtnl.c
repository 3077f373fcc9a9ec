/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rtnl.h"

#include "error.h"
#include "rtnl-codec.h"
#include "uapi.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>
#include <unistd.h>

#define RECEIVE_LEN (64 * 1024) /* the kernel fills up to 32 KiB in one go */
#define DUMP_TRIES 5

struct TtRtnl {
    struct mnl_socket *edits;
    struct mnl_socket *events; /* NULL until tt_rtnl_watch() */
    guint32 sequence;
    char *buffer;
};

static bool
fail_errno(GError **error, const char *what)
{
    int saved = errno;

    g_set_error(error, TT_ERROR,
                saved == EPERM || saved == EACCES ? TT_ERROR_PERMISSION : TT_ERROR_NETLINK,
                "%s: %s", what, g_strerror(saved));
    return false;
}

static struct mnl_socket *
open_socket(guint groups, GError **error)
{
    struct mnl_socket *nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
    int on = 1;

    if (!nl || mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID) < 0) {
        fail_errno(error, "cannot open a netlink socket");
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
tt_rtnl_new(GError **error)
{
    struct mnl_socket *edits = open_socket(0, error);
    TtRtnl *rtnl;

    if (!edits)
        return NULL;
    rtnl = g_new0(TtRtnl, 1);
    rtnl->edits = edits;
    rtnl->buffer = g_malloc(RECEIVE_LEN);
    return rtnl;
}

void
tt_rtnl_free(TtRtnl *rtnl)
{
    if (!rtnl)
        return;
    mnl_socket_close(rtnl->edits);
    if (rtnl->events)
        mnl_socket_close(rtnl->events);
    g_free(rtnl->buffer);
    g_free(rtnl);
}

static gssize
receive(TtRtnl *rtnl, struct mnl_socket *nl)
{
    gssize len;

    do
        len = mnl_socket_recvfrom(nl, rtnl->buffer, RECEIVE_LEN);
    while (len < 0 && errno == EINTR);
    return len;
}

static bool
transmit(TtRtnl *rtnl, struct mnl_socket *nl, void *message)
{
    struct nlmsghdr *header = message;
    gssize len;

    header->nlmsg_flags |= NLM_F_REQUEST;
    header->nlmsg_seq = ++rtnl->sequence;
    do
        len = mnl_socket_sendto(nl, header, header->nlmsg_len);
    while (len < 0 && errno == EINTR);
    return len >= 0;
}

/* 0 or the negative errno of NLMSG_ERROR, and of NLMSG_DONE, where libmnl 1.0.4 hides it. */
static int
message_errno(const struct nlmsghdr *message)
{
    gint32 code;

    if (message->nlmsg_len < NLMSG_HDRLEN + sizeof code)
        return 0;
    memcpy(&code, message + 1, sizeof code);
    return code;
}

/*
 * Dumps. A dump has a socket of its own: one that is broken off leaves nothing behind.
 */

typedef bool (*MessageFunc)(const struct nlmsghdr *message, gsize len, gpointer data);

typedef enum { DUMP_DONE, DUMP_STOPPED, DUMP_INTERRUPTED, DUMP_FAILED } DumpResult;

static DumpResult
read_dump(TtRtnl *rtnl, struct mnl_socket *nl, MessageFunc func, gpointer data)
{
    bool interrupted = false;

    for (;;) {
        gssize received = receive(rtnl, nl);
        const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
        int len = (int) received;

        if (received < 0)
            return DUMP_FAILED;
        for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
            interrupted |= (message->nlmsg_flags & NLM_F_DUMP_INTR) != 0;
            if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) {
                errno = -message_errno(message);
                if (errno)
                    return DUMP_FAILED;
                return interrupted ? DUMP_INTERRUPTED : DUMP_DONE;
            }
            if (!func(message, message->nlmsg_len, data))
                return DUMP_STOPPED;
        }
    }
}

static DumpResult
dump_once(TtRtnl *rtnl, void *request, MessageFunc func, gpointer data, GError **error)
{
    struct mnl_socket *nl = open_socket(0, error);
    DumpResult result = DUMP_FAILED;

    if (!nl)
        return DUMP_FAILED;
    if (transmit(rtnl, nl, request))
        result = read_dump(rtnl, nl, func, data);
    if (result == DUMP_FAILED)
        fail_errno(error, "cannot read the kernel's tables");
    mnl_socket_close(nl);
    return result;
}

typedef struct {
    const TtDumpFilter *filter;
    GPtrArray *routes;
    guint n_before; /* what was in `routes` already */
    bool may_stop;
} RouteDump;

static bool
address_is_zero(const TtRoute *route)
{
    static const TtAddress zero;

    return memcmp(route->dst.bytes, zero.bytes, route->family == AF_INET ? 4 : 16) == 0;
}

static bool
filter_wants(const TtDumpFilter *filter, const TtRoute *route)
{
    if (route->family != filter->family || (route->flags & RTM_F_CLONED)
        || route->table == RT_TABLE_LOCAL)
        return false;
    if (filter->table && route->table != filter->table)
        return false;
    return !filter->only_defaults || route->dst_len == 0;
}

static bool
collect_route(const struct nlmsghdr *message, gsize len, gpointer data)
{
    RouteDump *dump = data;
    TtRoute route;
    bool stop;

    if (!tt_rtnl_parse_route(message, len, &route))
        return true;
    if (filter_wants(dump->filter, &route))
        g_ptr_array_add(dump->routes, tt_route_copy(&route));
    stop = dump->may_stop && route.table == dump->filter->table && !address_is_zero(&route);
    tt_rtnl_parse_route_clear(&route);
    return !stop;
}

static DumpResult
dump_routes(TtRtnl *rtnl, RouteDump *dump, GError **error)
{
    struct {
        struct nlmsghdr header;
        struct rtmsg rtm;
        struct nlattr table_attr;
        guint32 table;
    } request = {
        .header = {.nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_DUMP},
        .rtm = {.rtm_family = dump->filter->family, .rtm_type = RTN_UNSPEC},
        .table_attr = {.nla_len = NLA_HDRLEN + sizeof(guint32), .nla_type = RTA_TABLE},
        .table = dump->filter->table,
    };

    request.header.nlmsg_len =
        request.table ? sizeof request : offsetof(__typeof__(request), table_attr);
    g_ptr_array_set_size(dump->routes, (gint) dump->n_before);
    return dump_once(rtnl, &request, collect_route, dump, error);
}

/* Is the default that the kernel would use for an address of 240.0.0.0/4 among those that were
 * read? That range has no routes of its own anywhere sane; where it has, this tells nothing. */
static bool
saw_the_winner(TtRtnl *rtnl, const RouteDump *dump)
{
    TtAddress address = {.bytes = {240, 0, 0, 1}};
    g_autoptr(TtRoute) winner = tt_rtnl_lookup(rtnl, AF_INET, &address, 0, NULL);

    if (!winner || winner->dst_len != 0 || winner->table != dump->filter->table)
        return true;
    for (guint i = dump->n_before; i < dump->routes->len; i++) {
        if (tt_route_same_key(winner, dump->routes->pdata[i]))
            return true;
    }
    return false;
}

bool
tt_rtnl_dump_routes(TtRtnl *rtnl, const TtDumpFilter *filter, GPtrArray *routes, GError **error)
{
    RouteDump dump = {
        .filter = filter,
        .routes = routes,
        .n_before = routes->len,
        /* The IPv4 trie hands out prefixes that begin with zeros first. No ABI: hence the check. */
        .may_stop = filter->family == AF_INET && filter->only_defaults && filter->table,
    };

    for (guint tries = 0; tries < DUMP_TRIES; tries++) {
        switch (dump_routes(rtnl, &dump, error)) {
        case DUMP_DONE:
            return true;
        case DUMP_STOPPED:
            if (saw_the_winner(rtnl, &dump))
                return true;
            dump.may_stop = false;
            break;
        case DUMP_INTERRUPTED:
            break;
        case DUMP_FAILED:
            return false;
        }
    }
    return true; /* as good as it gets: every edit is checked again when it is made */
}

/*
 * Requests with one answer.
 */

/* Waits for the answer to the last request: a message for `func`, or an error. */
static int
read_answer(TtRtnl *rtnl, MessageFunc func, gpointer data)
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
            if (message->nlmsg_type == NLMSG_ERROR) {
                if (func)
                    func(message, message->nlmsg_len, data);
                return message_errno(message);
            }
            if (func) {
                func(message, message->nlmsg_len, data);
                return 0;
            }
        }
    }
}

static bool
take_route(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtRoute **out = data;
    TtRoute route;

    if (tt_rtnl_parse_route(message, len, &route)) {
        *out = tt_route_copy(&route);
        tt_rtnl_parse_route_clear(&route);
    }
    return true;
}

static gsize
append_attribute(char *to, guint16 type, const void *data, gsize len)
{
    struct nlattr attr = {.nla_len = (guint16) (NLA_HDRLEN + len), .nla_type = type};

    memcpy(to, &attr, sizeof attr);
    memcpy(to + NLA_HDRLEN, data, len);
    return NLA_ALIGN(NLA_HDRLEN + len);
}

TtRoute *
tt_rtnl_lookup(TtRtnl *rtnl, int family, const TtAddress *destination, int ifindex, GError **error)
{
    gsize address_len = family == AF_INET ? 4 : 16;
    struct {
        struct nlmsghdr header;
        struct rtmsg rtm;
        char attributes[64];
    } request = {
        .header = {.nlmsg_type = RTM_GETROUTE},
        .rtm = {.rtm_family = (guint8) family,
                .rtm_dst_len = (guint8) (address_len * 8),
                .rtm_flags = RTM_F_FIB_MATCH},
    };
    TtRoute *route = NULL;
    gsize len = append_attribute(request.attributes, RTA_DST, destination, address_len);
    int r;

    if (ifindex)
        len += append_attribute(request.attributes + len, RTA_OIF, &ifindex, sizeof ifindex);
    request.header.nlmsg_len = (guint32) (offsetof(__typeof__(request), attributes) + len);
    if (!transmit(rtnl, rtnl->edits, &request)) {
        fail_errno(error, "cannot ask for a route");
        return NULL;
    }
    r = read_answer(rtnl, take_route, &route);
    if (r < 0 && r != -ENETUNREACH && r != -EHOSTUNREACH && r != -ENODEV && r != -EACCES
        && r != -EINVAL) {
        errno = -r;
        fail_errno(error, "cannot ask for a route");
    }
    return route;
}

/*
 * Links and addresses.
 */

static bool
add_link(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtFacts *facts = data;
    TtLink parsed;

    if (tt_rtnl_parse_link(message, len, &parsed)) {
        TtLink *link = g_new(TtLink, 1);

        *link = parsed;
        g_hash_table_replace(facts->links, GINT_TO_POINTER(link->ifindex), link);
    }
    return true;
}

static int
ask_link(TtRtnl *rtnl, int ifindex, TtFacts *facts)
{
    struct {
        struct nlmsghdr header;
        struct ifinfomsg info;
        struct nlattr mask_attr;
        guint32 mask;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = RTM_GETLINK},
        .info = {.ifi_family = AF_UNSPEC, .ifi_index = ifindex},
        .mask_attr = {.nla_len = NLA_HDRLEN + sizeof(guint32), .nla_type = IFLA_EXT_MASK},
        .mask = TT_RTEXT_FILTER_SKIP_STATS,
    };

    if (!transmit(rtnl, rtnl->edits, &request))
        return -errno;
    return read_answer(rtnl, add_link, facts);
}

bool
tt_rtnl_load_links(TtRtnl *rtnl, GHashTable *ifindexes, TtFacts *facts, GError **error)
{
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init(&iter, ifindexes);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        int r = ask_link(rtnl, GPOINTER_TO_INT(key), facts);

        if (r < 0 && r != -ENODEV) {
            errno = -r;
            return fail_errno(error, "cannot read a device");
        }
    }
    return true;
}

static bool
add_address(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtFacts *facts = data;
    TtOwnAddress address;

    if (tt_rtnl_parse_address(message, len, &address))
        g_array_append_val(facts->addresses, address);
    return true;
}

bool
tt_rtnl_load_addresses(TtRtnl *rtnl, TtFacts *facts, GError **error)
{
    for (guint tries = 0; tries < DUMP_TRIES; tries++) {
        struct {
            struct nlmsghdr header;
            struct ifaddrmsg ifa;
        } request = {
            .header = {.nlmsg_len = sizeof request,
                       .nlmsg_type = RTM_GETADDR,
                       .nlmsg_flags = NLM_F_DUMP},
        };
        DumpResult result;

        g_array_set_size(facts->addresses, 0);
        result = dump_once(rtnl, &request, add_address, facts, error);
        if (result != DUMP_INTERRUPTED)
            return result != DUMP_FAILED;
    }
    return true;
}

/*
 * Edits.
 */

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
    if (!transmit(rtnl, rtnl->edits, header))
        return -errno;
    r = read_answer(rtnl, take_text, &text);
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
    rtnl->events = open_socket(RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE, error);
    if (!rtnl->events)
        return false;
    /* Only a root with CAP_NET_ADMIN gets it; without, ENOBUFS is the worst and is noticed. */
    setsockopt(mnl_socket_get_fd(rtnl->events), SOL_SOCKET, SO_RCVBUFFORCE, &len, sizeof len);
    return true;
}

static void
deliver(TtRtnl *rtnl, gssize received, TtRouteEventFunc func, gpointer data)
{
    const struct nlmsghdr *message = (const struct nlmsghdr *) (const void *) rtnl->buffer;
    int len = (int) received;
    TtRoute route;

    for (; mnl_nlmsg_ok(message, len); message = mnl_nlmsg_next(message, &len)) {
        if (!tt_rtnl_parse_route(message, message->nlmsg_len, &route))
            continue;
        if (!(route.flags & RTM_F_CLONED))
            func(&route, message->nlmsg_type == RTM_DELROUTE,
                 message->nlmsg_pid == mnl_socket_get_portid(rtnl->edits), data);
        tt_rtnl_parse_route_clear(&route);
    }
}

bool
tt_rtnl_drain(TtRtnl *rtnl, TtRouteEventFunc func, gpointer data)
{
    bool complete = true;

    for (;;) {
        gssize received =
            recv(mnl_socket_get_fd(rtnl->events), rtnl->buffer, RECEIVE_LEN, MSG_DONTWAIT);

        if (received >= 0) {
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
