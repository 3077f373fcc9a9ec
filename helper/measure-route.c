/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-route.h"

#include "core/error.h"
#include "core/identity.h"
#include "core/report.h"
#include "core/rtnl-codec.h"

#include <arpa/inet.h>
#include <errno.h>
#include <unistd.h>

struct TtMeasureRoute {
    TtRtnl *rtnl;
    TtFlow flow;
    TtRoute *base;
    TtRoute *host;
    bool is_in;
};

static bool
refuse(const TtMeasureRoute *route, const char *why, GError **error)
{
    char address[INET6_ADDRSTRLEN];

    inet_ntop(route->flow.family, &route->flow.destination, address, sizeof address);
    g_set_error(error, TT_ERROR, TT_ERROR_STATE, "%s %s.", address, why);
    return false;
}

static bool
refuse_own_route(const TtMeasureRoute *route, GError **error)
{
    g_autofree char *text = tt_route_format(route->base, true);
    g_autofree char *why = g_strdup_printf(
        "has a route of its own already (%s), which a measurement would have to change", text);

    return refuse(route, why, error);
}

/* No route or an error: NULL, with the error set. */
static TtRoute *
look_up(TtMeasureRoute *route, GError **error)
{
    GError *failure = NULL;
    TtRoute *found = tt_rtnl_lookup_flow(route->rtnl, &route->flow, &failure);
    char address[INET6_ADDRSTRLEN];

    if (found)
        return found;
    inet_ntop(route->flow.family, &route->flow.destination, address, sizeof address);
    if (!failure)
        failure = g_error_new(TT_ERROR, TT_ERROR_NOT_FOUND, "There is no route to %s.", address);
    g_propagate_error(error, failure);
    return NULL;
}

static bool
may_be_measured(const TtMeasureRoute *route, GError **error)
{
    const TtRoute *base = route->base;

    if (base->type == RTN_LOCAL)
        return refuse(route, "is an address of this host", error);
    if (base->type != RTN_UNICAST)
        return refuse(route, "is no address of a single host", error);
    if (base->family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&route->flow.destination.v6))
        return refuse(route, "is link-local: its route cannot be told from others", error);
    if (base->dst_len == tt_address_len(base->family) * 8)
        return refuse_own_route(route, error);
    return route->host != NULL || refuse(route, "is reached by a route without a device", error);
}

TtMeasureRoute *
tt_measure_route_new(int family, const TtAddress *peer, GError **error)
{
    g_autoptr(TtMeasureRoute) route = g_new0(TtMeasureRoute, 1);

    route->flow = (TtFlow){
        .family = (guint8) family,
        .destination = *peer,
        .uid = geteuid(),
    };
    route->rtnl = tt_rtnl_new(error);
    route->base = route->rtnl ? look_up(route, error) : NULL;
    if (!route->base)
        return NULL;
    route->host = tt_rtnl_new_host_route(route->base, peer);
    return may_be_measured(route, error) ? g_steal_pointer(&route) : NULL;
}

void
tt_measure_route_free(TtMeasureRoute *route)
{
    if (!route)
        return;
    if (route->is_in)
        tt_measure_route_remove(route, NULL);
    tt_route_free(route->host);
    tt_route_free(route->base);
    tt_rtnl_free(route->rtnl);
    g_free(route);
}

const TtRoute *
tt_measure_route_base(const TtMeasureRoute *route)
{
    return route->base;
}

/* Returns 0 or a negative errno; where that is no answer of interest, the error is set. */
static int
edit(TtRtnl *rtnl, const TtRoute *route, guint16 type, guint16 flags, GError **error)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    g_autofree char *words = NULL;
    g_autofree char *text = NULL;
    int r;

    tt_rtnl_build_route(message, route, type, flags, 0);
    r = tt_rtnl_edit(rtnl, message, &words);
    if (r == 0)
        return 0;
    text = tt_route_format(route, true);
    g_set_error(error, TT_ERROR, r == -EPERM ? TT_ERROR_PERMISSION : TT_ERROR_NETLINK,
                "cannot %s the route %s: %s", type == RTM_NEWROUTE ? "add" : "remove", text,
                words ? words : g_strerror(-r));
    return r;
}

bool
tt_measure_route_remove(TtMeasureRoute *route, GError **error)
{
    g_autoptr(GError) failure = NULL;
    int r = route->is_in ? edit(route->rtnl, route->host, RTM_DELROUTE, 0, &failure) : 0;

    if (r == 0 || r == -ESRCH || r == -ENOENT) { /* gone with its device */
        route->is_in = false;
        return true;
    }
    g_propagate_error(error, g_steal_pointer(&failure));
    return false;
}

static bool
fail_changed(const TtRoute *now, GError **error)
{
    g_autofree char *text = tt_route_format(now, true);

    g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                "something else has changed how the peer is reached: by %s now.", text);
    return false;
}

static bool
base_is_the_same(TtMeasureRoute *route, GError **error)
{
    g_autoptr(TtRoute) now = look_up(route, error);

    if (!now)
        return false;
    return tt_route_same_identity(now, route->base) || fail_changed(now, error);
}

bool
tt_measure_route_check(TtMeasureRoute *route, GError **error)
{
    g_autoptr(TtRoute) now = look_up(route, error);

    if (!now)
        return false;
    return (tt_route_same_key(now, route->host) && now->protocol == TT_PROTOCOL_MEASURE
            && tt_metrics_equal(&now->metrics, &route->host->metrics))
           || fail_changed(now, error);
}

bool
tt_measure_route_set(TtMeasureRoute *route, const TtMetrics *metrics, GError **error)
{
    if (!tt_measure_route_remove(route, error) || !base_is_the_same(route, error))
        return false;
    route->host->metrics = *metrics;
    if (edit(route->rtnl, route->host, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, error) < 0)
        return false;
    route->is_in = true;
    return tt_measure_route_check(route, error);
}

static bool
sweep_one(TtRtnl *rtnl, const TtRoute *route, GError **error)
{
    g_autoptr(GError) failure = NULL;
    int r = edit(rtnl, route, RTM_DELROUTE, 0, &failure);

    if (r == 0 || r == -ESRCH || r == -ENOENT)
        return true;
    g_propagate_error(error, g_steal_pointer(&failure));
    return false;
}

bool
tt_measure_route_sweep(bool dry_run, GPtrArray *removed, GError **error)
{
    static const guint8 families[] = {AF_INET, AF_INET6};
    g_autoptr(TtRtnl) rtnl = tt_rtnl_new(error);
    g_autoptr(GPtrArray) routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
        if (!rtnl
            || !tt_rtnl_dump_routes(
                rtnl, &(TtDumpFilter){.family = families[i], .protocol = TT_PROTOCOL_MEASURE},
                routes, error))
            return false;
    }
    for (guint i = 0; i < routes->len; i++) {
        const TtRoute *route = routes->pdata[i];

        if (!dry_run && !sweep_one(rtnl, route, error))
            return false;
        if (removed)
            g_ptr_array_add(removed, tt_route_copy(route));
    }
    return true;
}
