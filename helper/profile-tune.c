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

/* In front, as NetworkManager has the gateway's before those of the list. */
static void
move_gateway(TtProfileSide *side, const TtProfileWish *wish, TtStamp *stamp)
{
    stamp->gateway = g_steal_pointer(&side->gateway);
    if (wish->instead < 0) {
        NMIPRoute *route = tt_profile_side_gateway_route(side, stamp->gateway);

        set_values(route, wish, stamp)->added = true;
        g_ptr_array_insert(side->routes, 0, route);
    }
}

/* Where the gateway stays it is what NetworkManager looks at first. */
static void
leave_copy_of_gateway(const GPtrArray *wishes)
{
    const TtProfileWish *gateway = wishes->len > 0 ? wishes->pdata[0] : NULL;

    if (!gateway || gateway->index >= 0 || gateway->path == TT_PATH_NATIVE)
        return;
    for (guint i = 1; i < wishes->len; i++) {
        TtProfileWish *wish = wishes->pdata[i];

        if (wish->index == gateway->instead)
            tt_profile_wish_leave(wish, "the profile's gateway is the same route");
    }
}

void
tt_profile_tune(TtProfileSide *side, const GPtrArray *wishes, TtStamp *stamp)
{
    leave_copy_of_gateway(wishes);
    for (guint i = 0; i < wishes->len; i++) {
        const TtProfileWish *wish = wishes->pdata[i];

        if (wish->index >= 0 && wish->touched)
            set_values(tt_profile_side_edit(side, (guint) wish->index), wish, stamp);
    }
    for (guint i = 0; i < wishes->len; i++) {
        const TtProfileWish *wish = wishes->pdata[i];

        if (wish->index < 0 && wish->path == TT_PATH_NATIVE)
            move_gateway(side, wish, stamp);
    }
}
