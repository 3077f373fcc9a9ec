/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rtnl-nla.h"

#include <string.h>

const struct nlattr *
tt_nla_first(const struct nlmsghdr *message, gsize len, gsize header_len, int *out_len)
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
    return (const void *) ((const char *) (message + 1) + offset);
}

bool
tt_nla_get_u32(const struct nlattr *attr, guint32 *out)
{
    if (mnl_attr_get_payload_len(attr) != sizeof *out)
        return false;
    memcpy(out, mnl_attr_get_payload(attr), sizeof *out);
    return true;
}

bool
tt_nla_get_address(const struct nlattr *attr, int family, TtAddress *out)
{
    gsize len = tt_address_len(family);

    if (mnl_attr_get_payload_len(attr) != len)
        return false;
    memcpy(out->bytes, mnl_attr_get_payload(attr), len);
    return true;
}

void *
tt_nla_extend(GByteArray *message, gsize len)
{
    guint at = message->len;

    g_byte_array_set_size(message, at + (guint) len);
    return memset(message->data + at, 0, len);
}

void
tt_nla_put(GByteArray *message, guint16 type, const void *data, gsize len)
{
    struct nlattr *attr = tt_nla_extend(message, NLA_HDRLEN + NLA_ALIGN(len));

    attr->nla_len = (guint16) (NLA_HDRLEN + len);
    attr->nla_type = type;
    memcpy(attr + 1, data, len);
}

bool
tt_nla_is_opaque_metric(const struct nlattr *attr)
{
    guint16 type = mnl_attr_get_type(attr);

    return type >= TT_METRICS_N
           || (type != RTAX_CC_ALGO && mnl_attr_get_payload_len(attr) != sizeof(guint32));
}

const struct rtnexthop *
tt_nla_next_hop(const char **at, gsize *left)
{
    const struct rtnexthop *nexthop = (const void *) *at;
    gsize step;

    if (*left < sizeof *nexthop || nexthop->rtnh_len < sizeof *nexthop || nexthop->rtnh_len > *left)
        return NULL;
    step = MIN((gsize) RTNH_ALIGN(nexthop->rtnh_len), *left);
    *at += step;
    *left -= step;
    return nexthop;
}
