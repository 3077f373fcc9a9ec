/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queueing disciplines. */
#include "rtnl-codec.h"
#include "rtnl-nla.h"
#include "rtnl-socket.h"

#include <string.h>

bool
tt_rtnl_parse_qdisc(const struct nlmsghdr *message, gsize len, TtQdisc *out_qdisc)
{
    const struct tcmsg *header = (const struct tcmsg *) (message + 1);
    const struct nlattr *first, *attr;
    int attributes_len;

    first = tt_nla_first(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != RTM_NEWQDISC || header->tcm_ifindex <= 0)
        return false;
    memset(out_qdisc, 0, sizeof *out_qdisc);
    out_qdisc->ifindex = header->tcm_ifindex;
    tt_nla_for_each(attr, first, attributes_len)
    {
        gsize payload_len = mnl_attr_get_payload_len(attr);

        if (mnl_attr_get_type(attr) == TCA_KIND)
            g_strlcpy(out_qdisc->kind, mnl_attr_get_payload(attr),
                      MIN(sizeof out_qdisc->kind, payload_len + 1));
    }
    return out_qdisc->kind[0] != '\0';
}

static bool
add_qdisc(const struct nlmsghdr *message, gsize len, gpointer data)
{
    TtQdisc qdisc;

    if (tt_rtnl_parse_qdisc(message, len, &qdisc))
        g_array_append_val((GArray *) data, qdisc);
    return true;
}

bool
tt_rtnl_load_qdiscs(TtRtnl *rtnl, GArray *qdiscs, GError **error)
{
    guint n_before = qdiscs->len;

    for (guint tries = 0; tries < TT_DUMP_TRIES; tries++) {
        struct {
            struct nlmsghdr header;
            struct tcmsg tc;
        } request = {
            .header = {.nlmsg_len = sizeof request,
                       .nlmsg_type = RTM_GETQDISC,
                       .nlmsg_flags = NLM_F_DUMP},
        };
        TtDumpResult result;

        g_array_set_size(qdiscs, n_before);
        result = tt_rtnl_dump(rtnl, &request, add_qdisc, qdiscs, error);
        if (result != TT_DUMP_INTERRUPTED)
            return result != TT_DUMP_FAILED;
    }
    return true;
}
