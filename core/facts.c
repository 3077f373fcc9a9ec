/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "facts.h"

#include <string.h>

static const char *const type_names[] = {
    [TT_LINK_OTHER] = "other",
    [TT_LINK_ETHERNET] = "ethernet",
    [TT_LINK_WIFI] = "wifi",
    [TT_LINK_INFINIBAND] = "infiniband",
    [TT_LINK_BOND] = "bond",
    [TT_LINK_TEAM] = "team",
    [TT_LINK_BRIDGE] = "bridge",
    [TT_LINK_VLAN] = "vlan",
    [TT_LINK_VRF] = "vrf",
    [TT_LINK_TUN] = "tun",
    [TT_LINK_WIREGUARD] = "wireguard",
    [TT_LINK_IP_TUNNEL] = "ip-tunnel",
    [TT_LINK_PPP] = "ppp",
    [TT_LINK_LOOPBACK] = "loopback",
};
G_STATIC_ASSERT(G_N_ELEMENTS(type_names) == _TT_LINK_N);

const char *
tt_link_type_name(TtLinkType type)
{
    return type_names[type];
}

bool
tt_link_type_from_name(const char *name, TtLinkType *out_type)
{
    /* TT_LINK_OTHER is what has no name of its own: nothing that a policy could ask for. */
    for (TtLinkType type = TT_LINK_OTHER + 1; type < _TT_LINK_N; type++) {
        if (strcmp(name, type_names[type]) == 0) {
            *out_type = type;
            return true;
        }
    }
    return false;
}

void
tt_link_free(TtLink *link)
{
    if (!link)
        return;
    g_free(link->connection_uuid);
    g_free(link->connection_id);
    if (link->dhcp_routers)
        g_ptr_array_unref(link->dhcp_routers);
    g_free(link);
}

static void
free_link(gpointer link)
{
    tt_link_free(link);
}

void
tt_noted_profile_free(TtNotedProfile *profile)
{
    if (!profile)
        return;
    g_free(profile->path);
    g_free(profile);
}

static void
free_profile(gpointer profile)
{
    tt_noted_profile_free(profile);
}

TtFacts *
tt_facts_new(void)
{
    TtFacts *facts = g_new0(TtFacts, 1);

    facts->links = g_hash_table_new_full(NULL, NULL, NULL, free_link);
    facts->profiles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_profile);
    facts->addresses = g_array_new(FALSE, FALSE, sizeof(TtOwnAddress));
    return facts;
}

void
tt_facts_free(TtFacts *facts)
{
    if (!facts)
        return;
    g_hash_table_unref(facts->links);
    g_hash_table_unref(facts->profiles);
    g_array_unref(facts->addresses);
    g_free(facts);
}

const TtLink *
tt_facts_link(const TtFacts *facts, int ifindex)
{
    return g_hash_table_lookup(facts->links, GINT_TO_POINTER(ifindex));
}

void
tt_facts_add_profile(TtFacts *facts, const char *uuid, TtNotedProfile *profile)
{
    g_hash_table_replace(facts->profiles, g_strdup(uuid), profile);
}

const TtMovedGateway *
tt_facts_moved_gateway(const TtFacts *facts, int ifindex, int family)
{
    const TtLink *link = tt_facts_link(facts, ifindex);
    const TtNotedProfile *profile =
        link && link->connection_uuid ? g_hash_table_lookup(facts->profiles, link->connection_uuid)
                                      : NULL;
    const TtMovedGateway *moved = profile ? &profile->gateway[family == AF_INET6] : NULL;

    return moved && moved->moved ? moved : NULL;
}

static bool
is_prefix_of(const TtOwnAddress *own, const TtRoute *route)
{
    return own->family == route->family && own->prefix_len == route->dst_len
           && own->ifindex == route->hops[0].ifindex && tt_address_equal(&own->prefix, &route->dst);
}

bool
tt_facts_is_connected(const TtFacts *facts, const TtRoute *route)
{
    /* The protocol does not tell: NetworkManager adds the prefixes of its addresses itself,
     * those that were advertised as proto ra. */
    if (route->type != RTN_UNICAST || route->src_len || route->n_hops != 1
        || route->hops[0].gateway_family)
        return false;
    for (guint i = 0; i < facts->addresses->len; i++) {
        if (is_prefix_of(&g_array_index(facts->addresses, TtOwnAddress, i), route))
            return true;
    }
    return false;
}
