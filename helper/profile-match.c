/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A route of a profile as the kernel will have it, for the matching of core. */
#include "profile-internal.h"

#include <arpa/inet.h>
#include <string.h>

static TtLink *
copy_link(const TtLink *from)
{
    TtLink *link = g_new0(TtLink, 1);

    *link = *from;
    link->dhcp_routers = NULL;
    return link;
}

static void
add_link(TtProfileMatcher *matcher, TtLink *link)
{
    link->connection_uuid = g_strdup(nm_connection_get_uuid(matcher->connection));
    link->connection_id = g_strdup(nm_connection_get_id(matcher->connection));
    g_array_append_val(matcher->devices, link->ifindex);
    g_hash_table_insert(matcher->facts->links, GINT_TO_POINTER(link->ifindex), link);
}

static void
clear_host_bits(TtAddress *address, guint len)
{
    for (guint bit = len; bit < sizeof(*address) * 8; bit++)
        address->bytes[bit / 8] &= (guint8) ~(0x80u >> bit % 8);
}

/* What makes a route of the profile a connected one. */
static void
add_addresses(TtProfileMatcher *matcher, NMSettingIPConfig *setting)
{
    guint n = setting ? nm_setting_ip_config_get_num_addresses(setting) : 0;

    for (guint i = 0; i < n; i++) {
        NMIPAddress *address = nm_setting_ip_config_get_address(setting, (int) i);
        TtOwnAddress own = {
            .family = (guint8) nm_ip_address_get_family(address),
            .prefix_len = (guint8) nm_ip_address_get_prefix(address),
        };

        nm_ip_address_get_address_binary(address, &own.address);
        own.prefix = own.address;
        clear_host_bits(&own.prefix, own.prefix_len);
        for (guint k = 0; k < matcher->devices->len; k++) {
            own.ifindex = g_array_index(matcher->devices, int, k);
            g_array_append_val(matcher->facts->addresses, own);
        }
    }
}

void
tt_profile_matcher_init(TtProfileMatcher *matcher,
                        NMConnection *connection,
                        const TtProfileInput *input)
{
    *matcher = (TtProfileMatcher){
        .input = input,
        .connection = connection,
        .facts = tt_facts_new(),
        .devices = g_array_new(FALSE, FALSE, sizeof(int)),
    };
    for (guint i = 0; input->links && i < input->links->len; i++)
        add_link(matcher, copy_link(input->links->pdata[i]));
    if (matcher->devices->len == 0)
        add_link(matcher, tt_profile_link_guess(connection));
    add_addresses(matcher, nm_connection_get_setting_ip4_config(connection));
    add_addresses(matcher, nm_connection_get_setting_ip6_config(connection));
}

void
tt_profile_matcher_clear(TtProfileMatcher *matcher)
{
    g_clear_pointer(&matcher->facts, tt_facts_free);
    g_clear_pointer(&matcher->devices, g_array_unref);
}

/* libnm knows unicast, local, and from 1.36 on blackhole and the like. */
static guint8
type_of(NMIPRoute *route)
{
    GVariant *type = nm_ip_route_get_attribute(route, "type");

    if (!type || !g_variant_is_of_type(type, G_VARIANT_TYPE_STRING)
        || strcmp(g_variant_get_string(type, NULL), "unicast") == 0)
        return RTN_UNICAST;
    return RTN_UNSPEC;
}

static void
set_source(NMIPRoute *route, TtRoute *to)
{
    GVariant *from = nm_ip_route_get_attribute(route, NM_IP_ROUTE_ATTRIBUTE_FROM);

    /* Which one it is no policy asks, only whether there is one. */
    if (from)
        to->src_len = 128;
}

static void
init_route(const TtProfileSide *side, NMIPRoute *route, TtRoute *to, TtHop *hop)
{
    *hop = (TtHop){0};
    hop->gateway_family = tt_profile_route_gateway(route, &hop->gateway);
    *to = (TtRoute){
        .family = (guint8) side->family,
        .dst_len = (guint8) nm_ip_route_get_prefix(route),
        .type = type_of(route),
        .table = tt_profile_side_table(side, route),
        .n_hops = 1,
        .hops = hop,
    };
    nm_ip_route_get_dest_binary(route, &to->dst);
    clear_host_bits(&to->dst, to->dst_len);
    set_source(route, to);
}

static bool
wish_equal(TtAttr attr, const TtWish *a, const TtWish *b)
{
    TtWishKind kind_a = a ? a->kind : TT_WISH_UNSET;
    TtWishKind kind_b = b ? b->kind : TT_WISH_UNSET;

    /* Nobody has a say, in so many words or in none. */
    if (kind_a == TT_WISH_NONE)
        kind_a = TT_WISH_UNSET;
    if (kind_b == TT_WISH_NONE)
        kind_b = TT_WISH_UNSET;
    return kind_a == kind_b
           && (kind_a != TT_WISH_SET || tt_attr_value_equal(attr, &a->value, &b->value));
}

static bool
wanted_equal(const TtWanted *a, const TtWanted *b)
{
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (!wish_equal(attr, a->wish[attr], b->wish[attr]))
            return false;
    }
    return a->lock == b->lock;
}

static char *
tell_undecided(const TtProfileMatcher *matcher, const TtWanted *wanted, const TtRoute *route)
{
    g_autofree char *why = NULL;

    tt_match_section(wanted->partial, route, matcher->facts, &why);
    return g_strdup_printf("[%s] %s", wanted->partial->name, why);
}

bool
tt_profile_match(const TtProfileMatcher *matcher,
                 const TtProfileSide *side,
                 NMIPRoute *route,
                 guint8 protocol,
                 TtWanted *out_wanted,
                 char **out_undecided)
{
    TtRoute probe;
    TtHop hop;

    init_route(side, route, &probe, &hop);
    probe.protocol = protocol;
    for (guint i = 0; i < matcher->devices->len; i++) {
        TtWanted wanted;

        hop.ifindex = g_array_index(matcher->devices, int, i);
        tt_match_route(matcher->input->policy, &probe, matcher->facts, &wanted);
        if (wanted.match == TT_MATCH_UNDECIDED) {
            *out_undecided = tell_undecided(matcher, &wanted, &probe);
            return false;
        }
        if (i > 0 && !wanted_equal(out_wanted, &wanted)) {
            *out_undecided = g_strdup("it is active on several devices, of which the policy wants "
                                      "different things");
            return false;
        }
        *out_wanted = wanted;
    }
    return true;
}
