/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route.h"

#include "rtnl-codec.h"
#include "uapi.h"

#include <arpa/inet.h>
#include <linux/icmpv6.h>
#include <string.h>

TtRoute *
tt_route_copy(const TtRoute *route)
{
    TtRoute *copy = g_new(TtRoute, 1);

    *copy = *route;
    copy->hops = g_memdup(route->hops, route->n_hops * sizeof(TtHop));
    copy->raw = g_memdup(route->raw, route->raw_len);
    return copy;
}

void
tt_route_free(TtRoute *route)
{
    if (!route)
        return;
    g_free(route->hops);
    g_free(route->raw);
    g_free(route);
}

static gsize
address_len(int family)
{
    return family == AF_INET ? 4 : 16;
}

static bool
address_equal(int family, const TtAddress *a, const TtAddress *b)
{
    return memcmp(a->bytes, b->bytes, address_len(family)) == 0;
}

bool
tt_route_is_default(const TtRoute *route)
{
    return route->dst_len == 0 && route->src_len == 0 && route->type == RTN_UNICAST;
}

bool
tt_route_is_kernel_ra(const TtRoute *route)
{
    return route->family == AF_INET6 && route->protocol == RTPROT_RA && route->expires != 0;
}

bool
tt_route_uses_device(const TtRoute *route, int ifindex)
{
    for (guint i = 0; i < route->n_hops; i++) {
        if (route->hops[i].ifindex == ifindex)
            return true;
    }
    return false;
}

bool
tt_route_same_key(const TtRoute *a, const TtRoute *b)
{
    return a->family == b->family && a->table == b->table && a->priority == b->priority
           && a->tos == b->tos && a->dst_len == b->dst_len && a->src_len == b->src_len
           && address_equal(a->family, &a->dst, &b->dst)
           && address_equal(a->family, &a->src, &b->src);
}

guint
tt_route_key_hash(gconstpointer data)
{
    const TtRoute *route = data;
    guint hash = route->family ^ (route->table << 4) ^ (route->priority * 2654435761u) ^ route->tos;

    for (gsize i = 0; i < address_len(route->family); i++)
        hash = hash * 31 + route->dst.bytes[i];
    return hash * 31 + route->dst_len;
}

gboolean
tt_route_key_equal(gconstpointer a, gconstpointer b)
{
    return tt_route_same_key(a, b);
}

/* What would be sent to the kernel, metrics and expiry aside: routes are the same where this is. */
static GByteArray *
identity_bytes(const TtRoute *route)
{
    GByteArray *bytes = g_byte_array_new();
    TtRoute bare = *route;

    memset(&bare.metrics, 0, sizeof bare.metrics);
    bare.expires = 0;
    tt_rtnl_build_route(bytes, &bare, RTM_NEWROUTE, 0, 0);
    return bytes;
}

bool
tt_route_same_identity(const TtRoute *a, const TtRoute *b)
{
    g_autoptr(GByteArray) a_bytes = NULL;
    g_autoptr(GByteArray) b_bytes = NULL;

    if (!tt_route_same_key(a, b) || a->n_hops != b->n_hops || a->nh_id != b->nh_id)
        return false;
    a_bytes = identity_bytes(a);
    b_bytes = identity_bytes(b);
    return a_bytes->len == b_bytes->len && memcmp(a_bytes->data, b_bytes->data, a_bytes->len) == 0;
}

bool
tt_route_is_ecmp_capable(const TtRoute *route)
{
    return route->family == AF_INET6 && route->nh_id == 0 && route->n_hops > 0
           && route->hops[0].gateway_family != 0 && !tt_route_is_kernel_ra(route);
}

char *
tt_route_identity(const TtRoute *route)
{
    g_autofree char *prefix = tt_route_format_prefix(route);
    g_autoptr(GByteArray) bytes = NULL;
    g_autofree char *sum = NULL;
    const char *family = route->family == AF_INET ? "inet" : "inet6";

    /* Siblings come and go under one IPv6 multipath route, which the kernel edits as a whole. */
    if (tt_route_is_ecmp_capable(route))
        return g_strdup_printf("%s %s table %u metric %u via any", family, prefix, route->table,
                               route->priority);
    bytes = identity_bytes(route);
    sum = g_compute_checksum_for_data(G_CHECKSUM_SHA1, bytes->data, bytes->len);
    return g_strdup_printf("%s %s table %u metric %u %.16s", family, prefix, route->table,
                           route->priority, sum);
}

static char *
format_address(int family, const TtAddress *address)
{
    char text[INET6_ADDRSTRLEN];

    return g_strdup(inet_ntop(family, address, text, sizeof text));
}

static char *
format_network(const TtRoute *route, const TtAddress *address, guint8 len)
{
    g_autofree char *text = NULL;

    if (len == 0)
        return g_strdup("default");
    text = format_address(route->family, address);
    if (len == address_len(route->family) * 8)
        return g_steal_pointer(&text);
    return g_strdup_printf("%s/%u", text, len);
}

char *
tt_route_format_prefix(const TtRoute *route)
{
    return format_network(route, &route->dst, route->dst_len);
}

char *
tt_hop_format_gateway(const TtHop *hop)
{
    return hop->gateway_family ? format_address(hop->gateway_family, &hop->gateway) : g_strdup("");
}

static void
append_named(GString *to, const char *word, const char *const *names, guint n_names, guint number)
{
    if (number < n_names && names[number])
        g_string_append_printf(to, " %s %s", word, names[number]);
    else
        g_string_append_printf(to, " %s %u", word, number);
}

static const char *const protocol_names[256] = {
    [RTPROT_REDIRECT] = "redirect", [RTPROT_KERNEL] = "kernel", [RTPROT_BOOT] = "boot",
    [RTPROT_STATIC] = "static",     [RTPROT_RA] = "ra",         [RTPROT_DHCP] = "dhcp",
};

static const char *const scope_names[256] = {
    [RT_SCOPE_SITE] = "site",
    [RT_SCOPE_LINK] = "link",
    [RT_SCOPE_HOST] = "host",
    [RT_SCOPE_NOWHERE] = "nowhere",
};

static const char *const type_names[] = {
    [RTN_LOCAL] = "local",         [RTN_BROADCAST] = "broadcast", [RTN_ANYCAST] = "anycast",
    [RTN_MULTICAST] = "multicast", [RTN_BLACKHOLE] = "blackhole", [RTN_UNREACHABLE] = "unreachable",
    [RTN_PROHIBIT] = "prohibit",   [RTN_THROW] = "throw",         [RTN_NAT] = "nat",
};

static void
append_hop(GString *to, const TtRoute *route, const TtHop *hop)
{
    g_autofree char *gateway = tt_hop_format_gateway(hop);
    char name[IF_NAMESIZE];

    if (hop->gateway_family)
        g_string_append_printf(
            to, " via %s%s",
            route->family == AF_INET && hop->gateway_family == AF_INET6 ? "inet6 " : "", gateway);
    if (hop->ifindex && if_indextoname(hop->ifindex, name))
        g_string_append_printf(to, " dev %s", name);
    else if (hop->ifindex)
        g_string_append_printf(to, " dev if%d", hop->ifindex);
}

static void
append_hops(GString *to, const TtRoute *route)
{
    for (guint i = 0; i < route->n_hops; i++) {
        const TtHop *hop = &route->hops[i];

        g_string_append(to, " nexthop");
        append_hop(to, route, hop);
        g_string_append_printf(to, " weight %u", hop->weight + 1u);
        if (hop->flags & RTNH_F_ONLINK)
            g_string_append(to, " onlink");
    }
}

static void
append_place(GString *to, const TtRoute *route)
{
    if (route->nh_id)
        g_string_append_printf(to, " nhid %u", route->nh_id);
    else if (route->n_hops == 1)
        append_hop(to, route, &route->hops[0]);
    if (route->table != RT_TABLE_MAIN)
        g_string_append_printf(to, " table %u", route->table);
    append_named(to, "proto", protocol_names, G_N_ELEMENTS(protocol_names), route->protocol);
    if (route->family == AF_INET && route->scope != RT_SCOPE_UNIVERSE)
        append_named(to, "scope", scope_names, G_N_ELEMENTS(scope_names), route->scope);
}

char *
tt_route_format(const TtRoute *route, bool with_metrics)
{
    g_autofree char *prefix = tt_route_format_prefix(route);
    g_autofree char *from =
        route->src_len ? format_network(route, &route->src, route->src_len) : NULL;
    g_autofree char *prefsrc =
        route->has_prefsrc ? format_address(route->family, &route->prefsrc) : NULL;
    GString *to = g_string_new(NULL);

    if (route->type < G_N_ELEMENTS(type_names) && type_names[route->type])
        g_string_append_printf(to, "%s ", type_names[route->type]);
    g_string_append(to, prefix);
    if (from)
        g_string_append_printf(to, " from %s", from);
    if (route->tos)
        g_string_append_printf(to, " tos 0x%02x", route->tos);
    append_place(to, route);
    if (prefsrc)
        g_string_append_printf(to, " src %s", prefsrc);
    if (route->priority)
        g_string_append_printf(to, " metric %u", route->priority);
    if (route->n_hops == 1 && (route->hops[0].flags & RTNH_F_ONLINK) && !route->nh_id)
        g_string_append(to, " onlink");
    if (with_metrics)
        tt_metrics_append(&route->metrics, to);
    if (route->family == AF_INET6 && route->pref == ICMPV6_ROUTER_PREF_HIGH)
        g_string_append(to, " pref high");
    if (route->family == AF_INET6 && route->pref == ICMPV6_ROUTER_PREF_LOW)
        g_string_append(to, " pref low");
    if (route->n_hops > 1 && !route->nh_id)
        append_hops(to, route);
    return g_string_free(to, FALSE);
}
