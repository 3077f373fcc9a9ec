/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ethtool.h"

#include "error.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static bool
ask(int fd, const TtLink *link, void *command)
{
    struct ifreq request = {0};

    g_strlcpy(request.ifr_name, link->name, sizeof request.ifr_name);
    request.ifr_data = command;
    return ioctl(fd, SIOCETHTOOL, &request) == 0;
}

static void
load_driver(int fd, TtLink *link)
{
    struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};

    if (ask(fd, link, &info))
        g_strlcpy(link->driver, info.driver, sizeof link->driver);
}

/* Kernels before 5.6 do not say IFLA_PERM_ADDRESS. */
static void
load_permanent_mac(int fd, TtLink *link)
{
    static const guint8 zeros[sizeof link->mac];
    union {
        struct ethtool_perm_addr header;
        guint8 bytes[sizeof(struct ethtool_perm_addr) + sizeof link->mac];
    } request = {.header = {.cmd = ETHTOOL_GPERMADDR, .size = sizeof link->mac}};

    if (!ask(fd, link, &request) || request.header.size == 0
        || request.header.size > sizeof link->mac
        || memcmp(request.header.data, zeros, request.header.size) == 0)
        return;
    memcpy(link->mac, request.header.data, request.header.size);
    link->mac_len = request.header.size;
}

static void
load_wireless(TtLink *link)
{
    g_autofree char *path = g_strdup_printf("/sys/class/net/%s/phy80211", link->name);

    if (link->type == TT_LINK_ETHERNET && access(path, F_OK) == 0)
        link->type = TT_LINK_WIFI;
}

void
tt_ethtool_load_links(TtFacts *facts)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    GHashTableIter iter;
    gpointer link;

    g_hash_table_iter_init(&iter, facts->links);
    while (g_hash_table_iter_next(&iter, NULL, &link)) {
        load_wireless(link);
        if (fd < 0)
            continue;
        load_driver(fd, link);
        load_permanent_mac(fd, link);
    }
    if (fd >= 0)
        close(fd);
}

void
tt_ethtool_load_accept_ra(TtFacts *facts)
{
    GHashTableIter iter;
    gpointer data;

    g_hash_table_iter_init(&iter, facts->links);
    while (g_hash_table_iter_next(&iter, NULL, &data)) {
        TtLink *link = data;
        g_autofree char *path = g_strdup_printf("/proc/sys/net/ipv6/conf/%s/accept_ra", link->name);
        g_autofree char *text = NULL;

        link->accept_ra = access(path, R_OK) == 0 && g_file_get_contents(path, &text, NULL, NULL)
                          && g_ascii_strtoull(text, NULL, 10) > 0;
    }
}

bool
tt_ethtool_name_links(GHashTable *ifindexes, TtFacts *facts, GError **error)
{
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init(&iter, ifindexes);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        TtLink *link = g_new0(TtLink, 1);
        int saved;

        link->ifindex = GPOINTER_TO_INT(key);
        if (if_indextoname((guint) link->ifindex, link->name)) {
            g_hash_table_replace(facts->links, key, link);
            continue;
        }
        saved = errno;
        tt_link_free(link);
        if (saved != ENXIO && saved != ENODEV) { /* gone meanwhile */
            g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "cannot ask for a device's name: %s",
                        g_strerror(saved));
            return false;
        }
    }
    return true;
}
