/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Routes for tests of texts: IPv4 by the loopback device, whose name is the same everywhere. */
#pragma once

#include "core/route.h"

#include <arpa/inet.h>
#include <string.h>

#define TEST_IFINDEX 1 /* lo */

static inline TtHop
test_hop(const char *gateway)
{
    TtHop hop = {.ifindex = TEST_IFINDEX};

    if (gateway) {
        hop.gateway_family = strchr(gateway, ':') ? AF_INET6 : AF_INET;
        inet_pton(hop.gateway_family, gateway, &hop.gateway);
    }
    return hop;
}

/* A default route, proto dhcp, metric 100; the hops stay the caller's. */
static inline TtRoute
test_default(int family, TtHop *hops, guint n_hops)
{
    return (TtRoute){
        .family = (guint8) family,
        .protocol = RTPROT_DHCP,
        .type = RTN_UNICAST,
        .table = RT_TABLE_MAIN,
        .priority = 100,
        .n_hops = n_hops,
        .hops = hops,
    };
}

static inline void
test_metric(TtMetrics *metrics, int rtax, guint32 value, bool lock)
{
    metrics->present |= TT_METRIC_BIT(rtax);
    metrics->value[rtax] = value;
    if (lock)
        metrics->lock |= TT_METRIC_BIT(rtax);
}
