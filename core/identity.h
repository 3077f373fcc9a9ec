/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which route it is, whatever its metrics: how the journal and the plan know it again, in this run
 * and in later ones. A value; nothing of it is owned.
 */
#pragma once

#include "route.h"

typedef struct {
    TtAddress dst;
    TtAddress src;
    guint64 rest; /* a hash of all else that forwards; 0: whatever its hops are */
    guint32 table;
    guint32 priority;
    guint8 family;
    guint8 dst_len;
    guint8 src_len;
} TtIdentity;

/* An IPv6 multipath route, and a route that may become one, is the same whatever its hops are. */
TtIdentity tt_identity_of(const TtRoute *route);

/* As a GHashTable key. */
guint tt_identity_hash(gconstpointer identity);
gboolean tt_identity_equal(gconstpointer a, gconstpointer b);

/* "inet 0a000000/8 table 254 metric 100 9e3779b97f4a7c15", for the journal's file. */
void tt_identity_append(const TtIdentity *identity, GString *to);
/* Reads that, and moves `*at` behind it. */
bool tt_identity_take(const char **at, TtIdentity *out_identity);

/* Equal in all that forwards (I1): the key, type, scope, protocol, sources, hops, nexthop id,
 * preference. Twins are routes of the same identity with different metrics. */
bool tt_route_same_identity(const TtRoute *a, const TtRoute *b);
