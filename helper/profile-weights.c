/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routes that become one route: IPv4 with weight, which NetworkManager 1.42 and later joins where
 * all else is equal, metrics included; and IPv6 of the same prefix and metric, which the kernel
 * joins. If one of them were tuned alone, they would fall apart or differ per hop.
 */
#include "profile-internal.h"

#include <string.h>

/* No wish reads like this. */
#define DIFFERENT "different"
#define LEFT "left"

struct TtProfileWeights {
    GHashTable *groups; /* group -> what all its routes want, or DIFFERENT */
};

TtProfileWeights *
tt_profile_weights_new(void)
{
    TtProfileWeights *weights = g_new0(TtProfileWeights, 1);

    weights->groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return weights;
}

void
tt_profile_weights_free(TtProfileWeights *weights)
{
    if (!weights)
        return;
    g_hash_table_unref(weights->groups);
    g_free(weights);
}

static guint32
weight_of(NMIPRoute *route)
{
    GVariant *weight = nm_ip_route_get_attribute(route, "weight");

    return weight && g_variant_is_of_type(weight, G_VARIANT_TYPE_UINT32)
               ? g_variant_get_uint32(weight)
               : 0;
}

static guint
tos_of(NMIPRoute *route)
{
    GVariant *tos = nm_ip_route_get_attribute(route, NM_IP_ROUTE_ATTRIBUTE_TOS);

    return tos && g_variant_is_of_type(tos, G_VARIANT_TYPE_BYTE) ? g_variant_get_byte(tos) : 0;
}

char *
tt_profile_weights_group(NMConnection *connection, const TtProfileSide *side, NMIPRoute *route)
{
    gint64 metric = tt_profile_side_metric(side, route);

    if (side->family == AF_INET ? weight_of(route) == 0 : !nm_ip_route_get_next_hop(route))
        return NULL;
    /* A metric that the device gives differs from device to device. */
    return g_strdup_printf("%s/%u %u %u %" G_GINT64_FORMAT " %s", nm_ip_route_get_dest(route),
                           nm_ip_route_get_prefix(route), tt_profile_side_table(side, route),
                           tos_of(route), metric,
                           metric >= 0 ? "" : nm_connection_get_uuid(connection));
}

static char *
describe(const TtProfileWish *wish)
{
    GString *text = g_string_new(NULL);

    if (wish->path == TT_PATH_KERNEL && tt_profile_wish_is_native(&wish->wanted))
        g_string_append(text, LEFT);
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wanted = wish->wanted.wish[attr];

        if (!wanted || !tt_profile_attr_is_native(attr))
            continue;
        if (wanted->kind == TT_WISH_SET)
            g_string_append_printf(text, " %d=%u", attr, wanted->value.number);
        else if (wanted->kind == TT_WISH_REMOVE)
            g_string_append_printf(text, " %d=none", attr);
    }
    if (wish->wanted.lock & TT_METRIC_BIT(RTAX_MTU))
        g_string_append(text, " lock");
    return g_string_free(text, FALSE);
}

static void
add_wishes(TtProfileWeights *weights, const GPtrArray *wishes, const char *left)
{
    for (guint i = 0; i < wishes->len; i++) {
        const TtProfileWish *wish = wishes->pdata[i];
        g_autofree char *wanted = wish->group ? describe(wish) : NULL;
        const char *others;

        if (!wish->group)
            continue;
        others = g_hash_table_lookup(weights->groups, wish->group);
        if (others && (left || strcmp(others, wanted) != 0))
            wanted = (g_free(wanted), g_strdup(DIFFERENT));
        g_hash_table_insert(weights->groups, g_strdup(wish->group), g_steal_pointer(&wanted));
    }
}

static bool
is_alike(const TtProfileWeights *weights, const TtProfileWish *wish)
{
    const char *others = weights ? g_hash_table_lookup(weights->groups, wish->group) : NULL;
    g_autofree char *wanted = describe(wish);

    return !others || strcmp(others, wanted) == 0;
}

void
tt_profile_weights_judge(const TtProfileWeights *weights, const GPtrArray *wishes)
{
    g_autoptr(TtProfileWeights) own = tt_profile_weights_new();

    add_wishes(own, wishes, NULL);
    for (guint i = 0; i < wishes->len; i++) {
        TtProfileWish *wish = wishes->pdata[i];

        if (wish->group && wish->path == TT_PATH_NATIVE
            && (!is_alike(own, wish) || !is_alike(weights, wish)))
            tt_profile_wish_leave(wish, "the routes that it is joined with are not tuned alike");
    }
}

static void
add_side(TtProfileWeights *weights, const TtProfileMatcher *matcher, int family)
{
    NMConnection *connection = matcher->connection;
    g_autoptr(TtStamp) stamp = tt_stamp_read(connection, family);
    g_autoptr(GPtrArray) wishes = NULL;
    g_autofree char *undecided = NULL;
    TtProfileSide side;

    tt_profile_side_init(&side, connection, family);
    tt_profile_restore(&side, stamp, NULL);
    wishes = tt_profile_wishes(matcher, &side, &undecided);
    if (wishes && tt_profile_why_left(connection, matcher->input)) {
        for (guint i = 0; i < wishes->len; i++)
            tt_profile_wish_leave(wishes->pdata[i], NULL);
    }
    if (wishes)
        add_wishes(weights, wishes, NULL);
    tt_profile_side_clear(&side);
}

void
tt_profile_weights_add(TtProfileWeights *weights,
                       NMConnection *connection,
                       const TtProfileInput *input)
{
    TtProfileMatcher matcher;

    if (!input->policy)
        return;
    tt_profile_matcher_init(&matcher, connection, input);
    add_side(weights, &matcher, AF_INET);
    add_side(weights, &matcher, AF_INET6);
    tt_profile_matcher_clear(&matcher);
}
