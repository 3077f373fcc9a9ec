/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rtnetlink socket: dumps, look-ups and edits. Blocking; one request at a time. Kernels
 * without strict dump checking (before 4.20) work: everything is filtered again here.
 */
#pragma once

#include "facts.h"

typedef struct TtRtnl TtRtnl;

TtRtnl *tt_rtnl_new(GError **error);
void tt_rtnl_free(TtRtnl *rtnl);

/* What the kernel calls the sender of our edits: nlmsg_pid of the notifications of them. */
guint32 tt_rtnl_port(const TtRtnl *rtnl);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtRtnl, tt_rtnl_free)

/* What a caller wants to see. */
typedef struct {
    guint8 family;
    guint32 table;      /* 0: all but local */
    bool only_defaults; /* stop reading as soon as all defaults of the family were seen */
} TtDumpFilter;

/*
 * Appends (transfer full) the unicast and other routes of the filter to `routes`, in the kernel's
 * order: never cloned ones, never table local. Equal keys stand in the order of look-ups.
 */
bool
tt_rtnl_dump_routes(TtRtnl *rtnl, const TtDumpFilter *filter, GPtrArray *routes, GError **error);

/*
 * RTM_GETROUTE with RTM_F_FIB_MATCH: the route that a packet to `destination` takes, leaving by
 * ifindex (0: any). NULL without error: there is none. (transfer full)
 */
TtRoute *
tt_rtnl_lookup(TtRtnl *rtnl, int family, const TtAddress *destination, int ifindex, GError **error);

/* What decides which route a packet takes. What is zero is not said. */
typedef struct {
    guint8 family;
    guint8 tos; /* IPv4: without the two bits of ECN */
    bool has_source;
    TtAddress destination;
    TtAddress source; /* of this host; NULL without error where it is none of its addresses */
    int ifindex;
    guint32 mark;
    guint32 uid; /* rules may ask for it, so it counts; 0 is root */
} TtFlow;

/* The same for one flow: that of a socket, or one that it may open. (transfer full) */
TtRoute *tt_rtnl_lookup_flow(TtRtnl *rtnl, const TtFlow *flow, GError **error);

/* Metrics of each hop of an IPv6 multipath route, as far as look-ups reach them. (transfer full,
 * tt_hop_metrics_free()) */
TtHopMetrics *tt_rtnl_load_hops(TtRtnl *rtnl, const TtRoute *route);
void tt_hop_metrics_free(TtHopMetrics *hops);

/* Fills `facts` with the links of the given indices (GHashTable used as a set). A link
 * that is gone is left out. Driver and old kernels' permanent mac come from core/ethtool. */
bool tt_rtnl_load_links(TtRtnl *rtnl, GHashTable *ifindexes, TtFacts *facts, GError **error);

bool tt_rtnl_load_addresses(TtRtnl *rtnl, TtFacts *facts, GError **error);

/* A queueing discipline of a device. */
typedef struct {
    int ifindex;
    char kind[16];
} TtQdisc;

/* Appends all of them, as TtQdisc. */
bool tt_rtnl_load_qdiscs(TtRtnl *rtnl, GArray *qdiscs, GError **error);

/*
 * Sends one edit and waits for the kernel's answer. Returns 0 or a negative errno (ENOENT and
 * ESRCH: the route is not there any more), with *out_text (optional, transfer full) set to the
 * kernel's own words where it had any.
 */
int tt_rtnl_edit(TtRtnl *rtnl, const GByteArray *message, char **out_text);

/*
 * Starts listening to changes of routes made by others. Every change from then on is delivered
 * to `func` by tt_rtnl_drain(), in the order in which the kernel made them; own_write tells the
 * edits of this very socket; who keeps the route steals it. False from tt_rtnl_drain(): changes
 * were lost (ENOBUFS, or longer than our buffer), look again.
 */
typedef void (*TtRouteEventFunc)(TtRoute **route, bool deleted, bool own_write, gpointer data);
bool tt_rtnl_watch(TtRtnl *rtnl, GError **error);
void tt_rtnl_unwatch(TtRtnl *rtnl);
/* Waits for a change, whoever made it, and throws away what comes. True: for so long there was
 * none. */
bool tt_rtnl_is_quiet(TtRtnl *rtnl, int timeout_ms);
bool tt_rtnl_drain(TtRtnl *rtnl, TtRouteEventFunc func, gpointer data);
