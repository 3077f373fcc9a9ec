/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes out of a profile what we put in. A value that is not what we set any more is somebody
 * else's, and so is a route of ours that was changed or deleted.
 */
#include "profile-internal.h"

#include <string.h>

/* key -> place in the list; the first of copies. */
static GHashTable *
index_by_key(const TtProfileSide *side)
{
    GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = side->routes->len; i-- > 0;)
        g_hash_table_insert(index, tt_profile_route_key(side->routes->pdata[i]),
                            GINT_TO_POINTER(i + 1));
    return index;
}

/* One whose metric or table was changed still has its prefix and next hop. */
static int
find_moved(const TtProfileSide *side, const TtStampRoute *stamp, const bool *taken)
{
    for (guint i = 0; i < side->routes->len; i++) {
        g_autofree char *place = taken[i] ? NULL : tt_profile_route_place(side->routes->pdata[i]);

        if (place && g_str_has_prefix(stamp->key, place)
            && (stamp->key[strlen(place)] == '\0' || stamp->key[strlen(place)] == ' '))
            return (int) i;
    }
    return -1;
}

int *
tt_profile_find_stamped(const TtProfileSide *side, const TtStamp *stamp)
{
    g_autoptr(GHashTable) index = index_by_key(side);
    g_autofree bool *taken = g_new0(bool, side->routes->len + 1);
    int *found = g_new(int, stamp->routes->len + 1);

    for (guint i = 0; i < stamp->routes->len; i++) {
        const TtStampRoute *route = stamp->routes->pdata[i];

        found[i] = GPOINTER_TO_INT(g_hash_table_lookup(index, route->key)) - 1;
        if (found[i] >= 0)
            taken[found[i]] = true;
    }
    for (guint i = 0; i < stamp->routes->len; i++) {
        if (found[i] < 0)
            found[i] = find_moved(side, stamp->routes->pdata[i], taken);
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

/* Removes the route that was made of the gateway. False: it is not ours any more, and stays. */
static bool
remove_added(TtProfileSide *side, const TtStamp *stamp, const int *found)
{
    for (guint i = 0; i < stamp->routes->len; i++) {
        const TtStampRoute *route = stamp->routes->pdata[i];

        if (!route->added || found[i] < 0)
            continue;
        if (!is_still_ours(side->routes->pdata[found[i]], route))
            return false;
        g_ptr_array_remove_index(side->routes, (guint) found[i]);
        return true;
    }
    return true;
}

static void
note_stale(char **out_stale, const char *stale)
{
    g_autofree char *before = *out_stale;

    *out_stale = before ? g_strconcat(before, ", ", stale, NULL) : g_strdup(stale);
}

void
tt_profile_restore(TtProfileSide *side, const TtStamp *stamp, char **out_stale)
{
    g_autofree int *found = NULL;
    g_autofree char *stale = NULL;
    bool gives_back;

    if (!side->setting || (!stamp->gateway && stamp->routes->len == 0))
        return;
    found = tt_profile_find_stamped(side, stamp);
    stale = stamp->gateway ? find_stale(side) : NULL;
    /* A default that was deleted, or led elsewhere, is not to come back with the gateway. */
    gives_back = stamp->gateway && !stale && has_default_via(side, stamp->gateway);
    for (guint i = 0; i < stamp->routes->len; i++) {
        if (found[i] >= 0)
            restore_attributes(side, (guint) found[i], stamp->routes->pdata[i]);
    }
    if (remove_added(side, stamp, found) && gives_back)
        side->gateway = g_strdup(stamp->gateway);
    if (stale && out_stale)
        note_stale(out_stale, stale);
}
