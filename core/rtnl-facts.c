/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links and addresses. */
#include "rtnl-codec.h"
#include "rtnl-socket.h"
#include "uapi.h"

#include <errno.h>

static bool
add_link(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtFacts *facts = data;
    TtLink parsed;

    if (tt_rtnl_parse_link(message, len, &parsed)) {
        TtLink *link = g_new(TtLink, 1);

        *link = parsed;
        g_hash_table_replace(facts->links, GINT_TO_POINTER(link->ifindex), link);
    }
    return true;
}

static int
ask_link(TtRtnl *rtnl, int ifindex, TtFacts *facts)
{
    struct {
        struct nlmsghdr header;
        struct ifinfomsg info;
        struct nlattr mask_attr;
        guint32 mask;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = RTM_GETLINK},
        .info = {.ifi_family = AF_UNSPEC, .ifi_index = ifindex},
        .mask_attr = {.nla_len = NLA_HDRLEN + sizeof(guint32), .nla_type = IFLA_EXT_MASK},
        .mask = TT_RTEXT_FILTER_SKIP_STATS,
    };

    if (!tt_rtnl_transmit(rtnl, rtnl->edits, &request))
        return -errno;
    return tt_rtnl_read_answer(rtnl, add_link, facts);
}

bool
tt_rtnl_load_links(TtRtnl *rtnl, GHashTable *ifindexes, TtFacts *facts, GError **error)
{
    GHashTableIter iter;
    gpointer key;

    g_hash_table_iter_init(&iter, ifindexes);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        int r = ask_link(rtnl, GPOINTER_TO_INT(key), facts);

        if (r < 0 && r != -ENODEV) {
            errno = -r;
            return tt_rtnl_fail(error, "cannot read a device");
        }
    }
    return true;
}

static bool
add_address(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtFacts *facts = data;
    TtOwnAddress address;

    if (tt_rtnl_parse_address(message, len, &address))
        g_array_append_val(facts->addresses, address);
    return true;
}

bool
tt_rtnl_load_addresses(TtRtnl *rtnl, TtFacts *facts, GError **error)
{
    for (guint tries = 0; tries < TT_DUMP_TRIES; tries++) {
        struct {
            struct nlmsghdr header;
            struct ifaddrmsg ifa;
        } request = {
            .header = {.nlmsg_len = sizeof request,
                       .nlmsg_type = RTM_GETADDR,
                       .nlmsg_flags = NLM_F_DUMP},
        };
        TtDumpResult result;

        g_array_set_size(facts->addresses, 0);
        result = tt_rtnl_dump(rtnl, &request, add_address, facts, error);
        if (result != TT_DUMP_INTERRUPTED)
            return result != TT_DUMP_FAILED;
    }
    return true;
}
