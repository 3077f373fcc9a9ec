/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rtnl-codec.h"

#include "uapi.h"

#include <libmnl/libmnl.h>
#include <linux/if_arp.h>
#include <string.h>

/* The start of the attributes behind a fixed header, NULL where the message is too short. */
static const struct nlattr *
first_attribute(const struct nlmsghdr *message, gsize len, gsize header_len, int *out_len)
{
    gsize offset = NLMSG_ALIGN(header_len);

    if (len < NLMSG_HDRLEN || message->nlmsg_len > len
        || message->nlmsg_len < NLMSG_HDRLEN + header_len)
        return NULL;
    if (message->nlmsg_len < NLMSG_HDRLEN + offset) {
        *out_len = 0;
        return (const struct nlattr *) (message + 1);
    }
    *out_len = (int) (message->nlmsg_len - NLMSG_HDRLEN - offset);
    return (const struct nlattr *) ((const char *) (message + 1) + offset);
}

#define for_each_attribute(attr, first, len)                                                       \
    for ((attr) = (first);                                                                         \
         mnl_attr_ok((attr), (int) ((const char *) (first) + (len) - (const char *) (attr)));      \
         (attr) = mnl_attr_next(attr))

static bool
get_u32(const struct nlattr *attr, guint32 *out)
{
    if (mnl_attr_get_payload_len(attr) != sizeof *out)
        return false;
    memcpy(out, mnl_attr_get_payload(attr), sizeof *out);
    return true;
}

static bool
get_address(const struct nlattr *attr, int family, TtAddress *out)
{
    gsize len = family == AF_INET ? 4 : 16;

    if (mnl_attr_get_payload_len(attr) != len)
        return false;
    memcpy(out->bytes, mnl_attr_get_payload(attr), len);
    return true;
}

/* A metric that we do not model: sent back as it came. */
static bool
metric_is_opaque(const struct nlattr *attr)
{
    guint16 type = mnl_attr_get_type(attr);

    return type >= TT_METRICS_N
           || (type != RTAX_CC_ALGO && mnl_attr_get_payload_len(attr) != sizeof(guint32));
}

static bool
parse_congctl(const struct nlattr *attr, TtMetrics *metrics)
{
    gsize len = strnlen(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));

    if (len >= sizeof metrics->congctl)
        return false;
    memcpy(metrics->congctl, mnl_attr_get_payload(attr), len);
    metrics->present |= TT_METRIC_BIT(RTAX_CC_ALGO);
    return true;
}

static bool
parse_metrics(const struct nlattr *nest, TtMetrics *metrics)
{
    const struct nlattr *first = mnl_attr_get_payload(nest);
    const struct nlattr *attr;
    guint32 number = 0;

    for_each_attribute(attr, first, mnl_attr_get_payload_len(nest))
    {
        guint16 type = mnl_attr_get_type(attr);

        if (metric_is_opaque(attr))
            continue;
        if (type == RTAX_CC_ALGO) {
            if (!parse_congctl(attr, metrics))
                return false;
            continue;
        }
        get_u32(attr, &number);
        if (type == RTAX_LOCK) {
            metrics->lock = number;
        } else if (number != 0) { /* the kernel holds no difference between 0 and absent */
            metrics->value[type] = number;
            metrics->present |= TT_METRIC_BIT(type);
        }
    }
    return true;
}

/* RTA_GATEWAY, RTA_VIA and RTA_OIF, at the top or inside RTA_MULTIPATH. */
static bool
parse_hop_attribute(const struct nlattr *attr, int family, TtHop *hop)
{
    const struct rtvia *via;
    guint32 number;

    switch (mnl_attr_get_type(attr)) {
    case RTA_GATEWAY:
        hop->gateway_family = family;
        return get_address(attr, family, &hop->gateway);
    case RTA_VIA:
        if (mnl_attr_get_payload_len(attr) != sizeof(guint16) + 16)
            return false;
        via = mnl_attr_get_payload(attr);
        if (via->rtvia_family != AF_INET6)
            return false;
        hop->gateway_family = AF_INET6;
        memcpy(hop->gateway.bytes, via->rtvia_addr, 16);
        return true;
    case RTA_OIF:
        if (!get_u32(attr, &number) || number > G_MAXINT)
            return false;
        hop->ifindex = (int) number;
        return true;
    default:
        return true;
    }
}

static bool
parse_hop(const struct rtnexthop *nexthop, int family, TtHop *hop)
{
    const struct nlattr *first = (const struct nlattr *) RTNH_DATA(nexthop);
    const struct nlattr *attr;

    memset(hop, 0, sizeof *hop);
    hop->ifindex = nexthop->rtnh_ifindex;
    hop->flags = nexthop->rtnh_flags;
    hop->weight = nexthop->rtnh_hops;
    for_each_attribute(attr, first, nexthop->rtnh_len - sizeof *nexthop)
    {
        if (!parse_hop_attribute(attr, family, hop))
            return false;
    }
    return true;
}

/* The next hop of a list and what is left behind it; NULL at the end or where it is malformed. */
static const struct rtnexthop *
next_hop(const char **at, gsize *left)
{
    const struct rtnexthop *nexthop = (const struct rtnexthop *) *at;
    gsize step;

    if (*left < sizeof *nexthop || nexthop->rtnh_len < sizeof *nexthop || nexthop->rtnh_len > *left)
        return NULL;
    step = MIN((gsize) RTNH_ALIGN(nexthop->rtnh_len), *left);
    *at += step;
    *left -= step;
    return nexthop;
}

static bool
parse_multipath(const struct nlattr *nest, TtRoute *route)
{
    const char *at = mnl_attr_get_payload(nest);
    gsize left = mnl_attr_get_payload_len(nest);
    guint n_max = (guint) (left / sizeof(struct rtnexthop));
    const struct rtnexthop *nexthop;

    g_free(route->hops);
    route->hops = g_new0(TtHop, n_max + 1);
    route->n_hops = 0;
    while ((nexthop = next_hop(&at, &left))) {
        if (!parse_hop(nexthop, route->family, &route->hops[route->n_hops++]))
            return false;
    }
    return left == 0 && route->n_hops > 0;
}

static bool
parse_single_hop(const struct nlattr *attr, TtRoute *route)
{
    if (!route->hops) {
        route->hops = g_new0(TtHop, 1);
        route->n_hops = 1;
    }
    return parse_hop_attribute(attr, route->family, &route->hops[0]);
}

static bool
parse_expiry(const struct nlattr *attr, TtRoute *route)
{
    const struct rta_cacheinfo *info = mnl_attr_get_payload(attr);

    if (mnl_attr_get_payload_len(attr) < sizeof *info)
        return false;
    if (info->rta_expires > 0) /* 1/100 s; RTA_EXPIRES takes seconds */
        route->expires = ((guint32) info->rta_expires + 99) / 100;
    return true;
}

static bool
parse_route_attribute(const struct nlattr *attr, TtRoute *route, bool *has_multipath)
{
    switch (mnl_attr_get_type(attr)) {
    case RTA_DST:
        return get_address(attr, route->family, &route->dst);
    case RTA_SRC:
        return get_address(attr, route->family, &route->src);
    case RTA_PREFSRC:
        route->has_prefsrc = true;
        return get_address(attr, route->family, &route->prefsrc);
    case RTA_TABLE:
        return get_u32(attr, &route->table);
    case RTA_PRIORITY:
        return get_u32(attr, &route->priority);
    case TT_RTA_NH_ID:
        return get_u32(attr, &route->nh_id);
    case RTA_PREF:
        if (mnl_attr_get_payload_len(attr) != 1)
            return false;
        route->pref = mnl_attr_get_u8(attr);
        return true;
    case RTA_METRICS:
        return parse_metrics(attr, &route->metrics);
    case RTA_CACHEINFO:
        return parse_expiry(attr, route);
    case RTA_MULTIPATH:
        *has_multipath = true;
        return parse_multipath(attr, route);
    case RTA_GATEWAY:
    case RTA_VIA:
    case RTA_OIF:
        /* A kernel may say one of its hops at the top as well: the list counts. */
        return *has_multipath || parse_single_hop(attr, route);
    default:
        return true;
    }
}

static void
parse_header(const struct nlmsghdr *message, const struct rtmsg *header, TtRoute *route)
{
    memset(route, 0, sizeof *route);
    route->family = header->rtm_family;
    route->dst_len = header->rtm_dst_len;
    route->src_len = header->rtm_src_len;
    route->tos = header->rtm_tos;
    route->table = header->rtm_table;
    route->protocol = header->rtm_protocol;
    route->scope = header->rtm_scope;
    route->type = header->rtm_type;
    route->flags = header->rtm_flags;
    route->raw_len = message->nlmsg_len;
    route->raw = (void *) message;
}

bool
tt_rtnl_parse_route(const struct nlmsghdr *message, gsize len, TtRoute *out_route)
{
    const struct rtmsg *header = (const struct rtmsg *) (message + 1);
    const struct nlattr *first, *attr;
    bool has_multipath = false;
    int attributes_len;

    first = first_attribute(message, len, sizeof *header, &attributes_len);
    if (!first || (message->nlmsg_type != RTM_NEWROUTE && message->nlmsg_type != RTM_DELROUTE)
        || (header->rtm_family != AF_INET && header->rtm_family != AF_INET6)
        || header->rtm_dst_len > (header->rtm_family == AF_INET ? 32 : 128)
        || header->rtm_src_len > (header->rtm_family == AF_INET ? 32 : 128))
        return false;
    parse_header(message, header, out_route);
    for_each_attribute(attr, first, attributes_len)
    {
        if (!parse_route_attribute(attr, out_route, &has_multipath)) {
            tt_rtnl_parse_route_clear(out_route);
            return false;
        }
    }
    /* A single hop has its flags in the header. */
    if (!has_multipath && out_route->n_hops == 1)
        out_route->hops[0].flags = (guint8) out_route->flags;
    return true;
}

void
tt_rtnl_parse_route_clear(TtRoute *route)
{
    g_clear_pointer(&route->hops, g_free);
    route->n_hops = 0;
}

static const struct {
    const char *kind;
    TtLinkType type;
} link_kinds[] = {
    {"veth", TT_LINK_ETHERNET},    {"bond", TT_LINK_BOND},           {"team", TT_LINK_TEAM},
    {"bridge", TT_LINK_BRIDGE},    {"vlan", TT_LINK_VLAN},           {"vrf", TT_LINK_VRF},
    {"tun", TT_LINK_TUN},          {"wireguard", TT_LINK_WIREGUARD}, {"ipip", TT_LINK_IP_TUNNEL},
    {"sit", TT_LINK_IP_TUNNEL},    {"gre", TT_LINK_IP_TUNNEL},       {"gretap", TT_LINK_IP_TUNNEL},
    {"vti", TT_LINK_IP_TUNNEL},    {"vti6", TT_LINK_IP_TUNNEL},      {"ip6tnl", TT_LINK_IP_TUNNEL},
    {"ip6gre", TT_LINK_IP_TUNNEL}, {"ip6gretap", TT_LINK_IP_TUNNEL}, {"ipoib", TT_LINK_INFINIBAND},
    {"ppp", TT_LINK_PPP},
};

static TtLinkType
type_from_kind(const char *kind)
{
    for (guint i = 0; i < G_N_ELEMENTS(link_kinds); i++) {
        if (g_str_equal(link_kinds[i].kind, kind))
            return link_kinds[i].type;
    }
    return TT_LINK_OTHER;
}

static TtLinkType
type_from_arphrd(unsigned short arphrd)
{
    switch (arphrd) {
    case ARPHRD_ETHER:
        return TT_LINK_ETHERNET;
    case ARPHRD_INFINIBAND:
        return TT_LINK_INFINIBAND;
    case ARPHRD_LOOPBACK:
        return TT_LINK_LOOPBACK;
    case ARPHRD_PPP:
        return TT_LINK_PPP;
    case ARPHRD_TUNNEL:
    case ARPHRD_TUNNEL6:
    case ARPHRD_SIT:
    case ARPHRD_IPGRE:
    case ARPHRD_IP6GRE:
        return TT_LINK_IP_TUNNEL;
    default:
        return TT_LINK_OTHER;
    }
}

static void
parse_link_info(const struct nlattr *nest, char *kind, gsize kind_len)
{
    const struct nlattr *first = mnl_attr_get_payload(nest);
    const struct nlattr *attr;

    for_each_attribute(attr, first, mnl_attr_get_payload_len(nest))
    {
        if (mnl_attr_get_type(attr) == IFLA_INFO_KIND)
            g_strlcpy(kind, mnl_attr_get_payload(attr),
                      MIN(kind_len, (gsize) mnl_attr_get_payload_len(attr) + 1));
    }
}

static void
parse_mac(const struct nlattr *attr, TtLink *link)
{
    gsize len = mnl_attr_get_payload_len(attr);

    if (len > sizeof link->mac)
        return;
    memcpy(link->mac, mnl_attr_get_payload(attr), len);
    link->mac_len = (guint) len;
}

bool
tt_rtnl_parse_link(const struct nlmsghdr *message, gsize len, TtLink *out_link)
{
    const struct ifinfomsg *header = (const struct ifinfomsg *) (message + 1);
    const struct nlattr *first, *attr, *permanent = NULL;
    char kind[32] = "";
    int attributes_len;

    first = first_attribute(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != RTM_NEWLINK || header->ifi_index <= 0)
        return false;
    memset(out_link, 0, sizeof *out_link);
    out_link->ifindex = header->ifi_index;
    for_each_attribute(attr, first, attributes_len)
    {
        guint16 type = mnl_attr_get_type(attr);
        gsize payload_len = mnl_attr_get_payload_len(attr);

        if (type == IFLA_IFNAME)
            g_strlcpy(out_link->name, mnl_attr_get_payload(attr),
                      MIN(sizeof out_link->name, payload_len + 1));
        else if (type == IFLA_ADDRESS)
            parse_mac(attr, out_link);
        else if (type == TT_IFLA_PERM_ADDRESS)
            permanent = attr;
        else if (type == IFLA_LINKINFO)
            parse_link_info(attr, kind, sizeof kind);
    }
    if (permanent)
        parse_mac(permanent, out_link);
    out_link->type = kind[0] ? type_from_kind(kind) : type_from_arphrd(header->ifi_type);
    return true;
}

static void
clear_host_bits(TtAddress *address, guint prefix_len, gsize len)
{
    for (guint bit = prefix_len; bit < len * 8; bit++)
        address->bytes[bit / 8] &= (guint8) ~(0x80u >> (bit % 8));
}

bool
tt_rtnl_parse_address(const struct nlmsghdr *message, gsize len, TtOwnAddress *out_address)
{
    const struct ifaddrmsg *header = (const struct ifaddrmsg *) (message + 1);
    const struct nlattr *first, *attr;
    bool has_local = false, has_address = false;
    int attributes_len;

    first = first_attribute(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != RTM_NEWADDR
        || (header->ifa_family != AF_INET && header->ifa_family != AF_INET6)
        || header->ifa_prefixlen > (header->ifa_family == AF_INET ? 32 : 128))
        return false;
    memset(out_address, 0, sizeof *out_address);
    out_address->family = header->ifa_family;
    out_address->prefix_len = header->ifa_prefixlen;
    out_address->ifindex = (int) header->ifa_index;
    for_each_attribute(attr, first, attributes_len)
    {
        /* IFA_ADDRESS is the peer's on a point-to-point link, and the prefix is the peer's. */
        if (mnl_attr_get_type(attr) == IFA_ADDRESS)
            has_address = get_address(attr, header->ifa_family, &out_address->prefix);
        else if (mnl_attr_get_type(attr) == IFA_LOCAL)
            has_local = get_address(attr, header->ifa_family, &out_address->address);
    }
    if (!has_address)
        return false;
    if (!has_local)
        out_address->address = out_address->prefix;
    clear_host_bits(&out_address->prefix, header->ifa_prefixlen,
                    header->ifa_family == AF_INET ? 4 : 16);
    return true;
}

/* Building. */

static void
put(GByteArray *message, guint16 type, const void *data, gsize len)
{
    static const guint8 zeros[NLA_ALIGNTO];
    struct nlattr attr = {.nla_len = (guint16) (NLA_HDRLEN + len), .nla_type = type};

    g_byte_array_append(message, (const guint8 *) &attr, NLA_HDRLEN);
    g_byte_array_append(message, data, (guint) len);
    g_byte_array_append(message, zeros, (guint) (NLA_ALIGN(len) - len));
}

static void
put_u32(GByteArray *message, guint16 type, guint32 number)
{
    put(message, type, &number, sizeof number);
}

static void
put_verbatim(GByteArray *message, const struct nlattr *attr)
{
    put(message, attr->nla_type, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
}

/* The kernel refuses DEAD and LINKDOWN, and believes OFFLOAD and TRAP (facts-kernel 2). */
static void
put_multipath(GByteArray *message, const struct nlattr *nest)
{
    g_autofree char *copy = g_memdup(mnl_attr_get_payload(nest), mnl_attr_get_payload_len(nest));
    const char *at = copy;
    gsize left = mnl_attr_get_payload_len(nest);
    const struct rtnexthop *nexthop;

    while ((nexthop = next_hop(&at, &left)))
        ((struct rtnexthop *) nexthop)->rtnh_flags &= RTNH_F_ONLINK;
    put(message, RTA_MULTIPATH, copy, mnl_attr_get_payload_len(nest));
}

static void
put_opaque_metrics(GByteArray *nest, const struct nlattr *from)
{
    const struct nlattr *first = mnl_attr_get_payload(from);
    const struct nlattr *attr;

    for_each_attribute(attr, first, mnl_attr_get_payload_len(from))
    {
        if (metric_is_opaque(attr))
            put_verbatim(nest, attr);
    }
}

static void
put_metrics(GByteArray *message, const TtMetrics *metrics, guint32 absent, const struct nlattr *old)
{
    g_autoptr(GByteArray) nest = g_byte_array_new();

    if (metrics->lock || (absent & TT_METRIC_BIT(RTAX_LOCK)))
        put_u32(nest, RTAX_LOCK, metrics->lock);
    for (guint16 rtax = RTAX_LOCK + 1; rtax < TT_METRICS_N; rtax++) {
        if (!tt_metrics_has(metrics, rtax) && !(absent & TT_METRIC_BIT(rtax)))
            continue;
        if (rtax != RTAX_CC_ALGO)
            put_u32(nest, rtax, metrics->value[rtax]);
        else if (tt_metrics_has(metrics, rtax))
            put(nest, rtax, metrics->congctl, strlen(metrics->congctl) + 1);
    }
    if (old)
        put_opaque_metrics(nest, old);
    if (nest->len > 0)
        put(message, RTA_METRICS, nest->data, nest->len);
}

static void
put_route_attribute(GByteArray *message, const TtRoute *route, const struct nlattr *attr)
{
    switch (mnl_attr_get_type(attr)) {
    case RTA_METRICS:   /* rebuilt */
    case RTA_CACHEINFO: /* ignored when sent */
    case RTA_EXPIRES:
        return;
    case RTA_OIF:
    case RTA_GATEWAY:
    case RTA_VIA:
    case RTA_ENCAP:
    case RTA_ENCAP_TYPE:
        if (!route->nh_id) /* mutually exclusive with a nexthop object */
            put_verbatim(message, attr);
        return;
    case RTA_MULTIPATH:
        if (!route->nh_id)
            put_multipath(message, attr);
        return;
    default:
        put_verbatim(message, attr);
    }
}

void
tt_rtnl_build_route(GByteArray *message,
                    const TtRoute *route,
                    guint16 type,
                    guint16 flags,
                    guint32 absent)
{
    const struct nlmsghdr *raw = route->raw;
    struct nlmsghdr header = {.nlmsg_type = type, .nlmsg_flags = flags};
    struct rtmsg rtm;
    const struct nlattr *first, *attr, *old_metrics = NULL;
    int attributes_len;

    g_byte_array_set_size(message, 0);
    first = first_attribute(raw, route->raw_len, sizeof rtm, &attributes_len);
    g_return_if_fail(first);
    memcpy(&rtm, raw + 1, sizeof rtm);
    rtm.rtm_flags &= RTNH_F_ONLINK;
    g_byte_array_append(message, (const guint8 *) &header, sizeof header);
    g_byte_array_append(message, (const guint8 *) &rtm, sizeof rtm);
    for_each_attribute(attr, first, attributes_len)
    {
        put_route_attribute(message, route, attr);
        if (mnl_attr_get_type(attr) == RTA_METRICS)
            old_metrics = attr;
    }
    put_metrics(message, &route->metrics, absent, old_metrics);
    if (route->expires && route->family == AF_INET6)
        put_u32(message, RTA_EXPIRES, route->expires);
    ((struct nlmsghdr *) (void *) message->data)->nlmsg_len = message->len;
}
