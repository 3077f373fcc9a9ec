/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What shall become of the routes and of the gateway of one family. Changes nothing yet. */
#include "profile-internal.h"

#include <arpa/inet.h>
#include <string.h>

typedef struct {
    const TtProfileMatcher *matcher;
    const TtProfileSide *side;
    GPtrArray *wishes;
    char **undecided;
} Wishes;

static void
free_wish(gpointer data)
{
    TtProfileWish *wish = data;

    nm_ip_route_unref(wish->route);
    g_free(wish->why);
    g_free(wish->group);
    g_free(wish);
}

static TtProfileWish *
add_wish(GPtrArray *wishes, NMIPRoute *route, int index, const TtWanted *wanted)
{
    TtProfileWish *wish = g_new0(TtProfileWish, 1);

    nm_ip_route_ref(route);
    wish->route = route;
    wish->index = index;
    wish->instead = -1;
    wish->wanted = *wanted;
    g_ptr_array_add(wishes, wish);
    return wish;
}

static gint64
wanted_value(const TtProfileWish *wish, TtProfileAttr attr, gint64 now)
{
    const TtProfileAttrInfo *info = tt_profile_attr_info(attr);
    const TtWish *wanted = wish->wanted.wish[info->attr];
    guint32 lock = TT_METRIC_BIT(tt_attr_info(info->attr)->rtax);

    if (info->is_lock) {
        bool has_value = wish->value[TT_PROFILE_MTU] != TT_PROFILE_ABSENT;

        return (wish->wanted.lock & lock) && has_value ? 1 : now;
    }
    if (wanted && wanted->kind == TT_WISH_SET)
        return wanted->value.number;
    /* To NetworkManager a quickack that is false is none. */
    if (wanted && wanted->kind == TT_WISH_REMOVE && now > 0)
        return TT_PROFILE_ABSENT;
    return now;
}

/* TT_PROFILE_LOCK_MTU stands behind TT_PROFILE_MTU, and looks at it. */
static void
compute_values(TtProfileWish *wish)
{
    for (TtProfileAttr attr = 0; attr < _TT_PROFILE_ATTR_N; attr++) {
        gint64 now = tt_profile_attr_get(wish->route, attr);

        wish->value[attr] = wanted_value(wish, attr, now);
        if (wish->value[attr] != now)
            wish->touched |= TT_PROFILE_BIT(attr);
    }
}

/* "hoplimit, congctl", NULL for none: what only the kernel path can do. */
static char *
name_foreign(const TtWanted *wanted)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wish = wanted->wish[attr];

        if (!wish || (wish->kind != TT_WISH_SET && wish->kind != TT_WISH_REMOVE)
            || tt_profile_attr_is_native(attr))
            continue;
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", tt_attr_info(attr)->name);
    }
    if ((wanted->lock & TT_METRIC_BIT(RTAX_CC_ALGO)) && names->len == 0)
        g_string_append(names, "lock=congctl");
    return names->len ? g_string_free(g_steal_pointer(&names), FALSE) : NULL;
}

bool
tt_profile_wish_is_native(const TtWanted *wanted)
{
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wish = wanted->wish[attr];

        if (wish && (wish->kind == TT_WISH_SET || wish->kind == TT_WISH_REMOVE)
            && tt_profile_attr_is_native(attr))
            return true;
    }
    return (wanted->lock & TT_METRIC_BIT(RTAX_MTU)) != 0;
}

void
tt_profile_wish_leave(TtProfileWish *wish, const char *why)
{
    char *copy = g_strdup(why);

    g_free(wish->why);
    wish->why = copy;
    wish->path = TT_PATH_KERNEL;
    wish->touched = 0;
}

static void
choose_path(TtProfileWish *wish)
{
    g_autofree char *foreign = name_foreign(&wish->wanted);

    wish->path = TT_PATH_NATIVE;
    if (foreign)
        wish->why = g_strdup_printf("%s: NetworkManager has no such attribute", foreign);
    if (!tt_profile_wish_is_native(&wish->wanted)) {
        wish->path = TT_PATH_KERNEL;
        wish->touched = 0;
    }
}

/*
 * *out_wish is NULL where the policy has no say; but not for a route of a group, the others of
 * which have to know.
 */
static bool
wish_for(Wishes *to, NMIPRoute *route, int index, TtProfileWish **out_wish)
{
    g_autofree char *group = tt_profile_weights_group(to->matcher->connection, to->side, route);
    TtWanted wanted;

    *out_wish = NULL;
    if (!tt_profile_match(to->matcher, to->side, route, RTPROT_STATIC, &wanted, to->undecided))
        return false;
    if (!tt_wanted_any(&wanted) && !group)
        return true;
    *out_wish = add_wish(to->wishes, route, index, &wanted);
    compute_values(*out_wish);
    choose_path(*out_wish);
    (*out_wish)->group = g_steal_pointer(&group);
    return true;
}

static bool
covers(NMIPAddress *address, const TtAddress *gateway)
{
    TtAddress own;
    guint len = nm_ip_address_get_prefix(address);

    nm_ip_address_get_address_binary(address, &own);
    for (guint bit = 0; bit < len; bit++) {
        if ((own.bytes[bit / 8] ^ gateway->bytes[bit / 8]) & (0x80u >> bit % 8))
            return false;
    }
    return len > 0;
}

/* One that is not gets a host route from NetworkManager, which would inherit the attributes
 * (measured, 1.58). */
static bool
is_on_link(const TtProfileSide *side, const char *gateway)
{
    guint n = nm_setting_ip_config_get_num_addresses(side->setting);
    TtAddress binary;

    if (inet_pton(side->family, gateway, &binary) != 1)
        return false;
    if (side->family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&binary.v6))
        return true;
    for (guint i = 0; i < n; i++) {
        if (covers(nm_setting_ip_config_get_address(side->setting, (int) i), &binary))
            return true;
    }
    return false;
}

/* May both be the same route to the kernel, next hop aside? */
static bool
shares_place(const TtProfileSide *side, NMIPRoute *a, NMIPRoute *b)
{
    return nm_ip_route_get_prefix(a) == nm_ip_route_get_prefix(b)
           && strcmp(nm_ip_route_get_dest(a), nm_ip_route_get_dest(b)) == 0
           && tt_profile_side_table(side, a) == tt_profile_side_table(side, b)
           && tt_profile_side_metric(side, a) == tt_profile_side_metric(side, b);
}

/* Nothing but a next hop, a metric, a table and attributes that we know. */
static bool
is_plain(NMIPRoute *route)
{
    g_auto(GStrv) names = nm_ip_route_get_attribute_names(route);
    TtProfileAttr attr;

    for (char **name = names; name && *name; name++) {
        if (strcmp(*name, NM_IP_ROUTE_ATTRIBUTE_TABLE) != 0
            && !tt_profile_attr_from_name(*name, &attr))
            return false;
    }
    return true;
}

/*
 * A route in the list that is the gateway's over again. *out_behind: it stands behind
 * another of its prefix and metric, and the gateway's, which came first, cannot become it.
 */
static int
find_same(const TtProfileSide *side, NMIPRoute *gateway, bool *out_behind)
{
    *out_behind = false;
    for (guint i = 0; i < side->routes->len; i++) {
        NMIPRoute *route = side->routes->pdata[i];

        if (!shares_place(side, route, gateway))
            continue;
        if (is_plain(route)
            && g_strcmp0(nm_ip_route_get_next_hop(route), nm_ip_route_get_next_hop(gateway)) == 0)
            return (int) i;
        *out_behind = true;
    }
    return -1;
}

static const char *
why_gateway_stays(const TtProfileMatcher *matcher, const TtProfileSide *side, bool behind)
{
    if (matcher->input->policy->main.gateway == TT_GATEWAY_KEEP)
        return "gateway=keep";
    if (!tt_profile_side_is_manual(side))
        return "only the gateway of a manual profile becomes a route";
    if (!is_on_link(side, side->gateway))
        return "the gateway is on no subnet of the profile";
    if (behind)
        return "the profile has the gateway's route again, behind another default";
    return NULL;
}

static bool
wish_for_gateway(Wishes *to)
{
    NMIPRoute *route = tt_profile_side_gateway_route(to->side, to->side->gateway);
    TtProfileWish *wish;
    bool behind = false;
    bool decided = wish_for(to, route, -1, &wish);
    int same = find_same(to->side, route, &behind);

    nm_ip_route_unref(route);
    if (decided && wish) {
        const char *why = why_gateway_stays(to->matcher, to->side, behind && same >= 0);

        wish->instead = same;
        if (why && wish->path == TT_PATH_NATIVE)
            tt_profile_wish_leave(wish, why);
        else if (wish->touched == 0)
            tt_profile_wish_leave(wish, wish->why ? wish->why : "there is nothing to set");
    }
    return decided;
}

/* In a stamp both would have one name. */
static void
leave_copies(const TtProfileSide *side, const GPtrArray *wishes)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) twice = g_hash_table_new(NULL, NULL);

    for (guint i = 0; i < side->routes->len; i++) {
        char *key = tt_profile_route_key(side->routes->pdata[i]);
        gpointer first = g_hash_table_lookup(seen, key);

        if (first) {
            g_hash_table_add(twice, first);
            g_hash_table_add(twice, side->routes->pdata[i]);
            g_free(key);
        } else {
            g_hash_table_insert(seen, key, side->routes->pdata[i]);
        }
    }
    for (guint i = 0; i < wishes->len; i++) {
        TtProfileWish *wish = wishes->pdata[i];

        if (wish->path == TT_PATH_NATIVE && g_hash_table_contains(twice, wish->route))
            tt_profile_wish_leave(wish, "the profile has this route twice");
    }
}

GPtrArray *
tt_profile_wishes(const TtProfileMatcher *matcher, const TtProfileSide *side, char **out_undecided)
{
    g_autoptr(GPtrArray) wishes = g_ptr_array_new_with_free_func(free_wish);
    Wishes to = {matcher, side, wishes, out_undecided};
    TtProfileWish *wish;

    if (side->setting && side->gateway && !wish_for_gateway(&to))
        return NULL;
    for (guint i = 0; i < side->routes->len; i++) {
        if (!wish_for(&to, side->routes->pdata[i], (int) i, &wish))
            return NULL;
    }
    leave_copies(side, wishes);
    return g_steal_pointer(&wishes);
}
