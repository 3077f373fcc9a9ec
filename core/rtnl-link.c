/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes -> link, bytes -> address. */
#include "rtnl-codec.h"
#include "rtnl-nla.h"
#include "uapi.h"

#include <linux/if_arp.h>
#include <string.h>

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

    tt_nla_for_each(attr, first, mnl_attr_get_payload_len(nest))
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

    first = tt_nla_first(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != RTM_NEWLINK || header->ifi_index <= 0)
        return false;
    memset(out_link, 0, sizeof *out_link);
    out_link->ifindex = header->ifi_index;
    tt_nla_for_each(attr, first, attributes_len)
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

    first = tt_nla_first(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != RTM_NEWADDR
        || (header->ifa_family != AF_INET && header->ifa_family != AF_INET6)
        || header->ifa_prefixlen > tt_address_len(header->ifa_family) * 8)
        return false;
    memset(out_address, 0, sizeof *out_address);
    out_address->family = header->ifa_family;
    out_address->prefix_len = header->ifa_prefixlen;
    out_address->ifindex = (int) header->ifa_index;
    tt_nla_for_each(attr, first, attributes_len)
    {
        /* IFA_ADDRESS is the peer's on a point-to-point link, and the prefix is the peer's. */
        if (mnl_attr_get_type(attr) == IFA_ADDRESS)
            has_address = tt_nla_get_address(attr, header->ifa_family, &out_address->prefix);
        else if (mnl_attr_get_type(attr) == IFA_LOCAL)
            has_local = tt_nla_get_address(attr, header->ifa_family, &out_address->address);
    }
    if (!has_address)
        return false;
    if (!has_local)
        out_address->address = out_address->prefix;
    clear_host_bits(&out_address->prefix, header->ifa_prefixlen,
                    tt_address_len(header->ifa_family));
    return true;
}
