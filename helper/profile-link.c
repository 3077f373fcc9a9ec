/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The device that a profile will be active on, as far as the profile itself tells. */
#include "profile-internal.h"

#include <string.h>

/* Of these the profile's interface-name is the device's own name, or there is none. */
static const struct {
    const char *type;
    TtLinkType link;
} types[] = {
    {"802-3-ethernet", TT_LINK_ETHERNET},
    {"veth", TT_LINK_ETHERNET},
    {"802-11-wireless", TT_LINK_WIFI},
    {"infiniband", TT_LINK_INFINIBAND},
    {"bond", TT_LINK_BOND},
    {"team", TT_LINK_TEAM},
    {"bridge", TT_LINK_BRIDGE},
    {"vlan", TT_LINK_VLAN},
    {"vrf", TT_LINK_VRF},
    {"tun", TT_LINK_TUN},
    {"wireguard", TT_LINK_WIREGUARD},
    {"ip-tunnel", TT_LINK_IP_TUNNEL},
    {"loopback", TT_LINK_LOOPBACK},
    {"dummy", TT_LINK_OTHER},
    {"macvlan", TT_LINK_OTHER},
    {"vxlan", TT_LINK_OTHER},
    {"macsec", TT_LINK_OTHER},
};

static void
take_type(TtLink *link, const char *type)
{
    link->unknown |= TT_LINK_UNKNOWN_TYPE | TT_LINK_UNKNOWN_NAME;
    for (guint i = 0; type && i < G_N_ELEMENTS(types); i++) {
        if (strcmp(types[i].type, type) == 0) {
            link->type = types[i].link;
            link->unknown &= ~(TT_LINK_UNKNOWN_TYPE | TT_LINK_UNKNOWN_NAME);
        }
    }
}

static void
take_name(TtLink *link, const char *name)
{
    if (!name)
        link->unknown |= TT_LINK_UNKNOWN_NAME;
    else if (!(link->unknown & TT_LINK_UNKNOWN_NAME))
        g_strlcpy(link->name, name, sizeof(link->name));
}

/* NetworkManager compares `mac-address` with the permanent address, as we do. */
static const char *
find_mac(NMConnection *connection)
{
    NMSettingWired *wired = nm_connection_get_setting_wired(connection);
    NMSettingWireless *wireless = nm_connection_get_setting_wireless(connection);
    NMSettingInfiniband *infiniband = nm_connection_get_setting_infiniband(connection);

    if (wireless)
        return nm_setting_wireless_get_mac_address(wireless);
    if (infiniband)
        return nm_setting_infiniband_get_mac_address(infiniband);
    return wired ? nm_setting_wired_get_mac_address(wired) : NULL;
}

static void
take_mac(TtLink *link, const char *mac)
{
    gsize len = 0;

    link->unknown |= TT_LINK_UNKNOWN_MAC;
    for (const char *at = mac; at && *at; at++)
        len += *at == ':' || *at == '-';
    if (!mac || len + 1 > sizeof(link->mac) || !nm_utils_hwaddr_aton(mac, link->mac, len + 1))
        return;
    link->mac_len = (guint) len + 1;
    link->unknown &= ~TT_LINK_UNKNOWN_MAC;
}

TtLink *
tt_profile_link_guess(NMConnection *connection)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = G_MAXINT;
    link->unknown = TT_LINK_UNKNOWN_DRIVER;
    take_type(link, nm_connection_get_connection_type(connection));
    take_name(link, nm_connection_get_interface_name(connection));
    take_mac(link, find_mac(connection));
    return link;
}
