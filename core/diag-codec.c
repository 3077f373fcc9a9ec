/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diag-codec.h"

#include "rtnl-nla.h"
#include "uapi.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <string.h>

/* Offsets in struct tcp_info, which only ever grows (include/uapi/linux/tcp.h); headers of RHEL 8
 * do not know all of it. */
enum {
    INFO_BACKOFF = 4,
    INFO_RTO = 8,
    INFO_ATO = 12,
    INFO_LAST_DATA_SENT = 44,
    INFO_LAST_DATA_RECV = 52,
    INFO_RTT = 68,
    INFO_RTTVAR = 72,
    INFO_TOTAL_RETRANS = 100,
    INFO_SEGS_OUT = 136,   /* 4.2 */
    INFO_MIN_RTT = 148,    /* 4.6 */
    INFO_DSACK_DUPS = 216, /* 4.20 */
};

static const guint8 mapped_prefix[12] = {[10] = 0xff, [11] = 0xff};

typedef struct {
    const char *bytes;
    gsize len;
} Info;

/* 0 where this kernel's tcp_info ends before it. */
static guint32
info_u32(const Info *info, gsize offset)
{
    guint32 number = 0;

    if (info->len >= offset + sizeof number)
        memcpy(&number, info->bytes + offset, sizeof number);
    return number;
}

void
tt_diag_parse_info(const void *bytes, gsize len, TtSocket *socket)
{
    Info info = {bytes, len};

    socket->has_info = info.len >= INFO_TOTAL_RETRANS + sizeof(guint32);
    if (!socket->has_info)
        return;
    socket->backoff = (guint8) info.bytes[INFO_BACKOFF];
    socket->rto_us = info_u32(&info, INFO_RTO);
    socket->ato_us = info_u32(&info, INFO_ATO);
    socket->idle_sent_ms = info_u32(&info, INFO_LAST_DATA_SENT);
    socket->idle_received_ms = info_u32(&info, INFO_LAST_DATA_RECV);
    socket->rtt_us = info_u32(&info, INFO_RTT);
    socket->rttvar_us = info_u32(&info, INFO_RTTVAR);
    socket->n_retransmitted = info_u32(&info, INFO_TOTAL_RETRANS);
    socket->n_segments_out = info_u32(&info, INFO_SEGS_OUT);
    socket->min_rtt_us = info_u32(&info, INFO_MIN_RTT);
    socket->n_dsacks = info_u32(&info, INFO_DSACK_DUPS);
    socket->has_dsacks = info.len >= INFO_DSACK_DUPS + sizeof(guint32);
}

static void
parse_attribute(const struct nlattr *attr, TtSocket *socket)
{
    switch (mnl_attr_get_type(attr)) {
    case INET_DIAG_INFO:
        tt_diag_parse_info(mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr), socket);
        break;
    case INET_DIAG_TOS:
        if (mnl_attr_get_payload_len(attr) >= 1)
            socket->tos = mnl_attr_get_u8(attr) & TT_TOS_MASK;
        break;
    case INET_DIAG_MARK:
        tt_nla_get_u32(attr, &socket->mark);
        break;
    default:
        break;
    }
}

/* An IPv6 socket that carries IPv4 is routed as IPv4. */
static void
unmap(TtSocket *socket)
{
    gsize n = sizeof mapped_prefix;

    socket->is_mapped = memcmp(socket->local.bytes, mapped_prefix, n) == 0
                        && memcmp(socket->peer.bytes, mapped_prefix, n) == 0;
    if (!socket->is_mapped)
        return;
    socket->family = AF_INET;
    memmove(socket->local.bytes, socket->local.bytes + n, 4);
    memmove(socket->peer.bytes, socket->peer.bytes + n, 4);
    memset(socket->local.bytes + 4, 0, 12);
    memset(socket->peer.bytes + 4, 0, 12);
}

static void
parse_header(const struct inet_diag_msg *header, TtSocket *socket)
{
    gsize address_len = tt_address_len(header->idiag_family);

    memset(socket, 0, sizeof *socket);
    socket->family = header->idiag_family;
    socket->state = header->idiag_state;
    memcpy(socket->local.bytes, header->id.idiag_src, address_len);
    memcpy(socket->peer.bytes, header->id.idiag_dst, address_len);
    socket->local_port = ntohs(header->id.idiag_sport);
    socket->peer_port = ntohs(header->id.idiag_dport);
    socket->ifindex = (int) header->id.idiag_if;
    socket->uid = header->idiag_uid;
    socket->inode = header->idiag_inode;
    memcpy(socket->cookie, header->id.idiag_cookie, sizeof socket->cookie);
    if (header->idiag_family == AF_INET6)
        unmap(socket);
}

bool
tt_diag_parse_socket(const struct nlmsghdr *message, gsize len, TtSocket *out_socket)
{
    const struct inet_diag_msg *header = (const struct inet_diag_msg *) (message + 1);
    const struct nlattr *first, *attr;
    int attributes_len;

    first = tt_nla_first(message, len, sizeof *header, &attributes_len);
    if (!first || message->nlmsg_type != SOCK_DIAG_BY_FAMILY
        || (header->idiag_family != AF_INET && header->idiag_family != AF_INET6)
        || header->id.idiag_if > G_MAXINT)
        return false;
    parse_header(header, out_socket);
    tt_nla_for_each(attr, first, attributes_len) parse_attribute(attr, out_socket);
    return true;
}

static void
put_request(GByteArray *message, guint16 type, const struct inet_diag_req_v2 *request)
{
    struct nlmsghdr header = {
        .nlmsg_len = sizeof header + sizeof *request,
        .nlmsg_type = type,
    };

    g_byte_array_set_size(message, 0);
    g_byte_array_append(message, (const guint8 *) &header, sizeof header);
    g_byte_array_append(message, (const guint8 *) request, sizeof *request);
}

void
tt_diag_build_dump(GByteArray *message, int family, guint32 states)
{
    struct inet_diag_req_v2 request = {
        .sdiag_family = (guint8) family,
        .sdiag_protocol = IPPROTO_TCP,
        .idiag_ext = 1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_TOS - 1),
        .idiag_states = states,
    };

    put_request(message, SOCK_DIAG_BY_FAMILY, &request);
    ((struct nlmsghdr *) (void *) message->data)->nlmsg_flags = NLM_F_DUMP;
}

/* The address as the kernel has it. */
static void
put_address(const TtSocket *socket, const TtAddress *address, void *to)
{
    if (socket->is_mapped) {
        memcpy(to, mapped_prefix, sizeof mapped_prefix);
        memcpy((char *) to + sizeof mapped_prefix, address->bytes, 4);
    } else {
        memcpy(to, address->bytes, tt_address_len(socket->family));
    }
}

void
tt_diag_build_destroy(GByteArray *message, const TtSocket *socket)
{
    struct inet_diag_req_v2 request = {
        .sdiag_family = socket->is_mapped ? AF_INET6 : socket->family,
        .sdiag_protocol = IPPROTO_TCP,
        .idiag_states = G_MAXUINT32,
        .id = {.idiag_sport = htons(socket->local_port),
               .idiag_dport = htons(socket->peer_port),
               .idiag_if = (guint32) socket->ifindex},
    };

    put_address(socket, &socket->local, request.id.idiag_src);
    put_address(socket, &socket->peer, request.id.idiag_dst);
    memcpy(request.id.idiag_cookie, socket->cookie, sizeof socket->cookie);
    put_request(message, TT_SOCK_DESTROY, &request);
}
