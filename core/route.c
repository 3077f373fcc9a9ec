/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route.h"

#include "text.h"
#include "uapi.h"

#include <arpa/inet.h>
#include <linux/icmpv6.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

TtRoute *
tt_route_new(guint n_hops, const void *raw, gsize raw_len)
{
    gsize head_len = sizeof(TtRoute) + n_hops * sizeof(TtHop);
    TtRoute *route = g_malloc(head_len + raw_len);

    memset(route, 0, head_len);
    route->hops = (TtHop *) (route + 1);
    route->raw_len = raw_len;
    route->raw = route->hops + n_hops;
    if (raw)
        memcpy(route->raw, raw, raw_len);
    return route;
}

TtRoute *
tt_route_copy(const TtRoute *route)
{
    TtRoute *copy = tt_route_new(route->n_hops, route->raw, route->raw_len);
    TtHop *hops = copy->hops;
    void *raw = copy->raw;

    if (route->n_hops)
        memcpy(hops, route->hops, route->n_hops * sizeof(TtHop));
    *copy = *route;
    copy->hops = hops;
    copy->raw = raw;
    return copy;
}

void
tt_route_free(TtRoute *route)
{
    g_free(route);
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
           && tt_address_equal(&a->dst, &b->dst) && tt_address_equal(&a->src, &b->src);
}

guint
tt_route_key_hash(gconstpointer data)
{
    const TtRoute *route = data;
    guint hash = route->family ^ (route->table << 4) ^ (route->priority * 2654435761u) ^ route->tos;

    for (gsize i = 0; i < tt_address_len(route->family); i++)
        hash = hash * 31 + route->dst.bytes[i];
    return hash * 31 + route->dst_len;
}

gboolean
tt_route_key_equal(gconstpointer a, gconstpointer b)
{
    return tt_route_same_key(a, b);
}

bool
tt_route_is_ecmp_capable(const TtRoute *route)
{
    return route->family == AF_INET6 && route->nh_id == 0 && route->n_hops > 0
           && route->hops[0].gateway_family != 0 && !tt_route_is_kernel_ra(route);
}

static void
append_word_number(GString *to, const char *word, guint64 number)
{
    g_string_append(to, word);
    tt_text_append_number(to, number);
}

static void
append_address(GString *to, int family, const TtAddress *address)
{
    if (family == AF_INET6) {
        char text[INET6_ADDRSTRLEN];

        g_string_append(to, inet_ntop(family, address, text, sizeof text));
        return;
    }
    for (guint i = 0; i < 4; i++)
        append_word_number(to, i ? "." : "", address->bytes[i]);
}

static void
append_network(GString *to, const TtRoute *route, const TtAddress *address, guint8 len)
{
    if (len == 0) {
        g_string_append(to, "default");
        return;
    }
    append_address(to, route->family, address);
    if (len != tt_address_len(route->family) * 8)
        append_word_number(to, "/", len);
}

char *
tt_route_format_prefix(const TtRoute *route)
{
    GString *to = g_string_new(NULL);

    append_network(to, route, &route->dst, route->dst_len);
    return g_string_free(to, FALSE);
}

char *
tt_hop_format_gateway(const TtHop *hop)
{
    GString *to = g_string_new(NULL);

    if (hop->gateway_family)
        append_address(to, hop->gateway_family, &hop->gateway);
    return g_string_free(to, FALSE);
}

static void
append_named(GString *to, const char *word, const char *const *names, guint n_names, guint number)
{
    g_string_append(to, word);
    if (number < n_names && names[number])
        g_string_append(to, names[number]);
    else
        tt_text_append_number(to, number);
}

/* As in iproute2's table; what else is in rt_protos differs from host to host. */
static const char *const protocol_names[256] = {
    [RTPROT_REDIRECT] = "redirect",
    [RTPROT_KERNEL] = "kernel",
    [RTPROT_BOOT] = "boot",
    [RTPROT_STATIC] = "static",
    [RTPROT_RA] = "ra",
    [RTPROT_DHCP] = "dhcp",
    [8] = "gated",
    [11] = "zebra",
    [12] = "bird",
    [18] = "keepalived",
    [42] = "babel",
    [186] = "bgp",
    [187] = "isis",
    [188] = "ospf",
    [189] = "rip",
    [192] = "eigrp",
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

/* if_indextoname(3) on a socket that stays: it is asked for every line that is printed. */
static void
append_device(GString *to, int ifindex)
{
    static int fd = -1;
    struct ifreq request = {.ifr_ifindex = ifindex};

    if (fd < 0)
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    g_string_append(to, " dev ");
    if (ioctl(fd, SIOCGIFNAME, &request) == 0)
        g_string_append(to, request.ifr_name);
    else
        append_word_number(to, "if", (guint64) ifindex);
}

static void
append_hop(GString *to, const TtRoute *route, const TtHop *hop)
{
    if (hop->gateway_family) {
        g_string_append(to, " via ");
        if (route->family == AF_INET && hop->gateway_family == AF_INET6)
            g_string_append(to, "inet6 ");
        append_address(to, hop->gateway_family, &hop->gateway);
    }
    if (hop->ifindex)
        append_device(to, hop->ifindex);
}

static void
append_hops(GString *to, const TtRoute *route)
{
    for (guint i = 0; i < route->n_hops; i++) {
        const TtHop *hop = &route->hops[i];

        g_string_append(to, " nexthop");
        append_hop(to, route, hop);
        append_word_number(to, " weight ", hop->weight + 1u);
        if (hop->flags & RTNH_F_ONLINK)
            g_string_append(to, " onlink");
    }
}

static void
append_place(GString *to, const TtRoute *route)
{
    if (route->nh_id)
        append_word_number(to, " nhid ", route->nh_id);
    else if (route->n_hops == 1)
        append_hop(to, route, &route->hops[0]);
    if (route->table != RT_TABLE_MAIN)
        append_word_number(to, " table ", route->table);
    append_named(to, " proto ", protocol_names, G_N_ELEMENTS(protocol_names), route->protocol);
    if (route->family == AF_INET && route->scope != RT_SCOPE_UNIVERSE)
        append_named(to, " scope ", scope_names, G_N_ELEMENTS(scope_names), route->scope);
}

static void
append_start(GString *to, const TtRoute *route)
{
    if (route->type < G_N_ELEMENTS(type_names) && type_names[route->type]) {
        g_string_append(to, type_names[route->type]);
        g_string_append_c(to, ' ');
    }
    append_network(to, route, &route->dst, route->dst_len);
    if (route->src_len) {
        g_string_append(to, " from ");
        append_network(to, route, &route->src, route->src_len);
    }
    if (route->tos)
        g_string_append_printf(to, " tos 0x%02x", route->tos);
}

char *
tt_route_format(const TtRoute *route, bool with_metrics)
{
    GString *to = g_string_sized_new(128);

    append_start(to, route);
    append_place(to, route);
    if (route->has_prefsrc) {
        g_string_append(to, " src ");
        append_address(to, route->family, &route->prefsrc);
    }
    if (route->priority)
        append_word_number(to, " metric ", route->priority);
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
