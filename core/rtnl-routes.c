/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of routes, and the look-up of one. */
#include "rtnl-codec.h"
#include "rtnl-socket.h"
#include "uapi.h"

#include <errno.h>
#include <string.h>

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

    return tt_address_equal(&route->dst, &zero);
}

static bool
filter_wants(const TtDumpFilter *filter, const TtRoute *route)
{
    if (route->family != filter->family || (route->flags & RTM_F_CLONED)
        || route->table == RT_TABLE_LOCAL)
        return false;
    if ((filter->table && route->table != filter->table)
        || (filter->protocol && route->protocol != filter->protocol))
        return false;
    return !filter->only_defaults || route->dst_len == 0;
}

static bool
collect_route(const struct nlmsghdr *message, gsize len, gpointer data)
{
    RouteDump *dump = data;
    g_autoptr(TtRoute) route = tt_rtnl_parse_route(message, len);
    bool stop;

    if (!route)
        return true;
    stop = dump->may_stop && route->table == dump->filter->table && !address_is_zero(route);
    if (filter_wants(dump->filter, route))
        g_ptr_array_add(dump->routes, g_steal_pointer(&route));
    return !stop;
}

static TtDumpResult
dump_routes(TtRtnl *rtnl, RouteDump *dump, GError **error)
{
    struct {
        struct nlmsghdr header;
        struct rtmsg rtm;
        struct nlattr table_attr;
        guint32 table;
    } request = {
        .header = {.nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_DUMP},
        .rtm = {.rtm_family = dump->filter->family,
                .rtm_protocol = dump->filter->protocol,
                .rtm_type = RTN_UNSPEC},
        .table_attr = {.nla_len = NLA_HDRLEN + sizeof(guint32), .nla_type = RTA_TABLE},
        .table = dump->filter->table,
    };

    request.header.nlmsg_len =
        request.table ? sizeof request : offsetof(__typeof__(request), table_attr);
    g_ptr_array_set_size(dump->routes, (gint) dump->n_before);
    return tt_rtnl_dump(rtnl, &request, collect_route, dump, error);
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

    for (guint tries = 0; tries < TT_DUMP_TRIES; tries++) {
        switch (dump_routes(rtnl, &dump, error)) {
        case TT_DUMP_DONE:
            return true;
        case TT_DUMP_STOPPED:
            if (saw_the_winner(rtnl, &dump))
                return true;
            /* Once: it may have come between dump and look-up. */
            dump.may_stop = tries == 0;
            break;
        case TT_DUMP_INTERRUPTED:
            break;
        case TT_DUMP_FAILED:
            return false;
        }
    }
    return true; /* as good as it gets: every edit is checked again when it is made */
}

static bool
take_route(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtRoute *route = tt_rtnl_parse_route(message, len);

    if (route)
        *(TtRoute **) data = route;
    return true;
}

typedef struct {
    struct nlmsghdr header;
    struct rtmsg rtm;
    char attributes[128];
} LookupRequest;

static void
put(LookupRequest *request, guint16 type, const void *data, gsize len)
{
    struct nlattr attr = {.nla_len = (guint16) (NLA_HDRLEN + len), .nla_type = type};
    char *to = (char *) request + request->header.nlmsg_len;

    memcpy(to, &attr, sizeof attr);
    memcpy(to + NLA_HDRLEN, data, len);
    request->header.nlmsg_len += NLA_ALIGN(NLA_HDRLEN + len);
}

static LookupRequest
start_lookup(int family, const TtAddress *destination, int ifindex)
{
    gsize address_len = tt_address_len(family);
    LookupRequest request = {
        .header = {.nlmsg_type = RTM_GETROUTE, .nlmsg_len = offsetof(LookupRequest, attributes)},
        .rtm = {.rtm_family = (guint8) family,
                .rtm_dst_len = (guint8) (address_len * 8),
                .rtm_flags = RTM_F_FIB_MATCH},
    };

    /* Unasked, IPv4 says table main whatever it was (net/ipv4/route.c: inet_rtm_getroute, 6.18);
     * IPv6 says the truth and refuses the flag. */
    if (family == AF_INET)
        request.rtm.rtm_flags |= RTM_F_LOOKUP_TABLE;
    put(&request, RTA_DST, destination, address_len);
    if (ifindex)
        put(&request, RTA_OIF, &ifindex, sizeof ifindex);
    return request;
}

static TtRoute *
ask(TtRtnl *rtnl, LookupRequest *request, GError **error)
{
    TtRoute *route = NULL;
    int r;

    if (!tt_rtnl_transmit(rtnl, rtnl->edits, request)) {
        tt_rtnl_fail(error, "cannot ask for a route");
        return NULL;
    }
    r = tt_rtnl_read_answer(rtnl, take_route, &route);
    if (r < 0 && r != -ENETUNREACH && r != -EHOSTUNREACH && r != -ENODEV && r != -EACCES
        && r != -EINVAL) {
        errno = -r;
        tt_rtnl_fail(error, "cannot ask for a route");
    }
    return route;
}

TtRoute *
tt_rtnl_lookup(TtRtnl *rtnl, int family, const TtAddress *destination, int ifindex, GError **error)
{
    LookupRequest request = start_lookup(family, destination, ifindex);

    return ask(rtnl, &request, error);
}

TtRoute *
tt_rtnl_lookup_flow(TtRtnl *rtnl, const TtFlow *flow, GError **error)
{
    LookupRequest request = start_lookup(flow->family, &flow->destination, flow->ifindex);

    if (flow->has_source) {
        request.rtm.rtm_src_len = request.rtm.rtm_dst_len;
        put(&request, RTA_SRC, &flow->source, request.rtm.rtm_src_len / 8);
    }
    if (flow->mark)
        put(&request, RTA_MARK, &flow->mark, sizeof flow->mark);
    put(&request, RTA_UID, &flow->uid, sizeof flow->uid);
    if (flow->family == AF_INET)
        request.rtm.rtm_tos = flow->tos;
    return ask(rtnl, &request, error);
}
