/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stamped routes as the plan of the kernel's routes needs them. */
#include "profile-internal.h"

static void
init_place(const TtProfileSide *side, NMIPRoute *route, TtNativeRoute *native)
{
    gint64 metric = tt_profile_side_metric(side, route);

    *native = (TtNativeRoute){
        .family = (guint8) side->family,
        .dst_len = (guint8) nm_ip_route_get_prefix(route),
        .has_metric = metric >= 0,
        .metric = metric >= 0 ? (guint32) metric : 0,
        .table = tt_profile_side_table(side, route),
    };
    nm_ip_route_get_dest_binary(route, &native->dst);
    native->gateway_family = tt_profile_route_gateway(route, &native->gateway);
}

/* An attribute that somebody changed since is not ours to take back. */
static void
init_metrics(NMIPRoute *route, const TtStampRoute *stamp, TtNativeRoute *native)
{
    for (TtProfileAttr attr = 0; attr < _TT_PROFILE_ATTR_N; attr++) {
        gint64 now = tt_profile_attr_get(route, attr);
        bool is_ours = (stamp->touched & TT_PROFILE_BIT(attr)) && now == stamp->set[attr];
        int rtax = tt_attr_info(tt_profile_attr_info(attr)->attr)->rtax;

        tt_profile_attr_to_metrics(attr, now, &native->set);
        tt_profile_attr_to_metrics(attr, is_ours ? stamp->was[attr] : now, &native->before);
        if (is_ours)
            native->named |= TT_METRIC_BIT(rtax);
    }
}

static void
add_for_links(const TtNativeRoute *native, const GPtrArray *links, GPtrArray *to)
{
    for (guint i = 0; i < links->len; i++) {
        const TtLink *link = links->pdata[i];
        TtNativeRoute *copy = g_new(TtNativeRoute, 1);

        *copy = *native;
        copy->ifindex = link->ifindex;
        g_ptr_array_add(to, copy);
    }
}

static void
add_side(NMConnection *connection, int family, const GPtrArray *links, GPtrArray *to)
{
    g_autoptr(TtStamp) stamp = tt_stamp_read(connection, family);
    g_autofree int *found = NULL;
    TtProfileSide side;

    tt_profile_side_init(&side, connection, family);
    found = tt_profile_find_stamped(&side, stamp);
    for (guint i = 0; i < stamp->routes->len; i++) {
        TtNativeRoute native;

        if (found[i] < 0)
            continue;
        init_place(&side, side.routes->pdata[found[i]], &native);
        init_metrics(side.routes->pdata[found[i]], stamp->routes->pdata[i], &native);
        if (native.named)
            add_for_links(&native, links, to);
    }
    tt_profile_side_clear(&side);
}

void
tt_profile_natives(NMConnection *connection, const GPtrArray *links, GPtrArray *to)
{
    add_side(connection, AF_INET, links, to);
    add_side(connection, AF_INET6, links, to);
}
