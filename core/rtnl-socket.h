/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The transport under core/rtnl and core/diag: sockets, dumps, answers. Between these files only.
 */
#pragma once

#include "rtnl.h"

#include <libmnl/libmnl.h>

#define TT_RTNL_BUFFER_LEN 65536 /* the kernel fills up to 32 KiB in one go */
#define TT_DUMP_TRIES 5

struct TtRtnl {
    int protocol; /* NETLINK_ROUTE; core/diag: NETLINK_SOCK_DIAG */
    struct mnl_socket *edits;
    struct mnl_socket *events; /* NULL until tt_rtnl_watch() */
    guint32 sequence;
    char *buffer;
};

/* Sets `error` from errno; always false. */
bool tt_rtnl_fail(GError **error, const char *what);

TtRtnl *tt_rtnl_new_protocol(int protocol, GError **error);

struct mnl_socket *tt_rtnl_open_socket(int protocol, guint groups, GError **error);

/* Sends a request, numbered. False: errno. */
bool tt_rtnl_transmit(TtRtnl *rtnl, struct mnl_socket *nl, void *message);

/* The same for requests that are numbered already, one behind the other. */
bool tt_rtnl_send(struct mnl_socket *nl, const void *messages, gsize len);

/* 0 or the negative errno of NLMSG_ERROR, and of NLMSG_DONE, where libmnl 1.0.4 hides it. */
int tt_rtnl_errno_of(const struct nlmsghdr *message);

/* Returns false to stop a dump. */
typedef bool (*TtMessageFunc)(const struct nlmsghdr *message, gsize len, gpointer data);

typedef enum { TT_DUMP_DONE, TT_DUMP_STOPPED, TT_DUMP_INTERRUPTED, TT_DUMP_FAILED } TtDumpResult;

/* Sends a dump request on a socket of its own: one that is broken off leaves nothing behind. */
TtDumpResult
tt_rtnl_dump(TtRtnl *rtnl, void *request, TtMessageFunc func, gpointer data, GError **error);

/* Waits for the answer to the last request on the socket for edits: a message for `func`, which
 * also sees NLMSG_ERROR (acknowledgements), or a negative errno. */
int tt_rtnl_read_answer(TtRtnl *rtnl, TtMessageFunc func, gpointer data);

/* Waits until the last request on the socket for edits is acknowledged: `func` sees the NLMSG_ERROR
 * of those from number `first` on. False: errno. */
bool tt_rtnl_read_acks(TtRtnl *rtnl, guint32 first, TtMessageFunc func, gpointer data);
