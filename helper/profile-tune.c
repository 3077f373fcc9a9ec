/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the routes of a profile what they shall have, and its gateway a place among them. */
#include "profile-internal.h"

static TtStampRoute *
set_values(NMIPRoute *route, const TtProfileWish *wish, TtStamp *stamp)
{
    g_autofree char *key = tt_profile_route_key(route);
    TtStampRoute *note = tt_stamp_add(stamp, key);

    note->touched = wish->touched;
    for (TtProfileAttr attr = 0; attr < _TT_PROFILE_ATTR_N; attr++) {
        if (!(wish->touched & TT_PROFILE_BIT(attr)))
            continue;
        note->was[attr] = tt_profile_attr_get(route, attr);
        note->set[attr] = wish->value[attr];
        tt_profile_attr_set(route, attr, wish->value[attr]);
    }
    return note;
}

/* (transfer full), NULL: it stays, or is in the list already. */
static NMIPRoute *
take_gateway(TtProfileSide *side, const TtProfileWish *wish, TtStamp *stamp)
{
    NMIPRoute *route;

    if (wish->path != TT_PATH_NATIVE)
        return NULL;
    stamp->gateway = g_steal_pointer(&side->gateway);
    if (wish->instead >= 0)
        return NULL;
    route = tt_profile_side_gateway_route(side, stamp->gateway);
    set_values(route, wish, stamp)->added = true;
    return route;
}

/* The gateway and its copy in the list take one path: NetworkManager has one route of both. */
static void
join_copy_of_gateway(const GPtrArray *wishes)
{
    TtProfileWish *gateway = wishes->len > 0 ? wishes->pdata[0] : NULL;

    if (!gateway || gateway->index >= 0 || gateway->instead < 0)
        return;
    for (guint i = 1; i < wishes->len; i++) {
        TtProfileWish *wish = wishes->pdata[i];

        if (wish->index != gateway->instead || wish->path == gateway->path)
            continue;
        if (wish->path == TT_PATH_KERNEL)
            tt_profile_wish_leave(gateway, wish->why);
        else
            tt_profile_wish_leave(wish, "the profile's gateway is the same route");
    }
}

void
tt_profile_tune(TtProfileSide *side, const GPtrArray *wishes, TtStamp *stamp)
{
    NMIPRoute *gateway = NULL;

    join_copy_of_gateway(wishes);
    for (guint i = 0; i < wishes->len; i++) {
        const TtProfileWish *wish = wishes->pdata[i];

        if (wish->index < 0)
            gateway = take_gateway(side, wish, stamp);
        else if (wish->touched)
            set_values(tt_profile_side_edit(side, (guint) wish->index), wish, stamp);
    }
    /* In front: NetworkManager has the gateway's before those of the list. */
    if (gateway)
        g_ptr_array_insert(side->routes, 0, gateway);
}
