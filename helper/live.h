/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live connections, each with the route that it uses and a verdict on what it has of it. */
#pragma once

#include "core/plan.h"
#include "core/socket-verdict.h"

typedef struct {
    TtSocket socket;
    TtRoute *route;         /* that its next packet takes; NULL: none (owned) */
    char *text;             /* the route as ip-route(8) prints it; "" without (owned) */
    const TtPlanItem *item; /* what the plan knows of it; NULL: nothing (the plan's) */
    TtSocketVerdict verdict;
} TtLive;

void tt_live_free(TtLive *live);

typedef struct {
    guint32 states;     /* 1 << TCP_x; 0: all in which a connection lives */
    int ifindex;        /* bound to this device, or by a route that uses it; 0: all */
    guint8 peer_family; /* 0: all peers */
    guint8 peer_len;
    TtAddress peer;
} TtLiveFilter;

/* "203.0.113.0/24", "2001:db8::1". False: TT_USAGE_ERROR. */
bool tt_live_filter_set_peer(TtLiveFilter *filter, const char *text, GError **error);

/*
 * Connections of the host to itself are left out. Sorted by route and peer. `plan` is what the
 * policy makes of the routes; NULL: nothing is known of it, and nothing called tuned. With
 * `after_edits` routes have what the plan's edits will give them. (transfer full), TtLive
 */
GPtrArray *
tt_live_look(const TtLiveFilter *filter, const TtPlan *plan, bool after_edits, GError **error);
