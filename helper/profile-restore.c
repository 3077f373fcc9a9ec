/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes out of a profile what we put in. A value that is not what we set any more is somebody
 * else's, and so is a route of ours that was changed or deleted.
 */
#include "profile-internal.h"

#include <string.h>

/* By the key; else, for a route whose metric or table was changed, by prefix and next hop. A
 * route is found once. -1: it was deleted. */
static int
find_route(const TtProfileSide *side, const TtStampRoute *stamp, bool exact, const bool *taken)
{
    for (guint i = 0; i < side->routes->len; i++) {
        NMIPRoute *route = side->routes->pdata[i];
        g_autofree char *text = NULL;

        if (taken[i])
            continue;
        text = exact ? tt_profile_route_key(route) : tt_profile_route_place(route);
        if (exact ? strcmp(stamp->key, text) == 0
                  : g_str_has_prefix(stamp->key, text) && strchr(" ", stamp->key[strlen(text)]))
            return (int) i;
    }
    return -1;
}

int *
tt_profile_find_stamped(const TtProfileSide *side, const TtStamp *stamp)
{
    g_autofree bool *taken = g_new0(bool, side->routes->len + 1);
    int *found = g_new(int, stamp->routes->len + 1);

    for (guint i = 0; i < stamp->routes->len; i++) {
        found[i] = find_route(side, stamp->routes->pdata[i], true, taken);
        if (found[i] >= 0)
            taken[found[i]] = true;
    }
    for (guint i = 0; i < stamp->routes->len; i++) {
        if (found[i] >= 0)
            continue;
        found[i] = find_route(side, stamp->routes->pdata[i], false, taken);
        if (found[i] >= 0)
            taken[found[i]] = true;
    }
    return found;
}

static void
restore_attributes(TtProfileSide *side, guint i, const TtStampRoute *stamp)
{
    NMIPRoute *route = NULL;

    for (TtProfileAttr attr = 0; attr < _TT_PROFILE_ATTR_N; attr++) {
        if (!(stamp->touched & TT_PROFILE_BIT(attr))
            || tt_profile_attr_get(side->routes->pdata[i], attr) != stamp->set[attr])
            continue;
        if (!route)
            route = tt_profile_side_edit(side, i);
        tt_profile_attr_set(route, attr, stamp->was[attr]);
    }
}

/* Only what we made of the gateway, or has somebody made it a route of their own? */
static bool
is_still_ours(NMIPRoute *route, const TtStampRoute *stamp)
{
    g_autofree char *text = tt_profile_route_text(route);

    return strcmp(text, stamp->key) == 0;
}

static char *
find_stale(const TtProfileSide *side)
{
    const char *family = tt_profile_family_name(side->family);

    if (side->gateway)
        return g_strdup_printf("%s.gateway was set to %s", family, side->gateway);
    if (nm_setting_ip_config_get_never_default(side->setting))
        return g_strdup_printf("%s.never-default was set", family);
    if (!tt_profile_side_is_manual(side))
        return g_strdup_printf("%s.method was set to %s", family,
                               nm_setting_ip_config_get_method(side->setting));
    return NULL;
}

static bool
has_default_via(const TtProfileSide *side, const char *gateway)
{
    for (guint i = 0; i < side->routes->len; i++) {
        NMIPRoute *route = side->routes->pdata[i];

        if (nm_ip_route_get_prefix(route) == 0
            && g_strcmp0(nm_ip_route_get_next_hop(route), gateway) == 0)
            return true;
    }
    return false;
}

void
tt_profile_restore(TtProfileSide *side, const TtStamp *stamp, char **out_stale)
{
    g_autofree int *found = NULL;
    g_autofree char *stale = NULL;
    bool give_back;

    if (!side->setting)
        return;
    found = tt_profile_find_stamped(side, stamp);
    stale = stamp->gateway ? find_stale(side) : NULL;
    /* A default that was deleted, or led elsewhere, is not to come back with the gateway. */
    give_back = stamp->gateway && !stale && has_default_via(side, stamp->gateway);
    for (guint i = 0; i < stamp->routes->len; i++) {
        if (found[i] >= 0)
            restore_attributes(side, (guint) found[i], stamp->routes->pdata[i]);
    }
    for (guint i = 0; i < stamp->routes->len; i++) {
        const TtStampRoute *route = stamp->routes->pdata[i];

        if (!route->added || found[i] < 0)
            continue;
        if (is_still_ours(side->routes->pdata[found[i]], route))
            g_ptr_array_remove_index(side->routes, (guint) found[i]);
        else
            give_back = false;
        break;
    }
    if (give_back) {
        g_free(side->gateway);
        side->gateway = g_strdup(stamp->gateway);
    }
    if (stale && out_stale && !*out_stale)
        *out_stale = g_steal_pointer(&stale);
}
