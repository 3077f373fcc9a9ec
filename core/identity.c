/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "identity.h"

#include "rtnl-codec.h"
#include "text.h"

#include <string.h>

#define ANY_HOPS "any"

TtIdentity
tt_identity_of(const TtRoute *route)
{
    TtIdentity identity = {
        .dst = route->dst,
        .src = route->src,
        .table = route->table,
        .priority = route->priority,
        .family = route->family,
        .dst_len = route->dst_len,
        .src_len = route->src_len,
    };

    /* Siblings come and go under one IPv6 multipath route, which the kernel edits as a whole. */
    if (!tt_route_is_ecmp_capable(route))
        identity.rest = tt_rtnl_hash_route(route);
    return identity;
}

guint
tt_identity_hash(gconstpointer data)
{
    const TtIdentity *identity = data;
    guint64 hash = identity->rest ^ identity->table ^ ((guint64) identity->priority << 32);
    guint64 word;

    for (guint i = 0; i < sizeof identity->dst; i += sizeof word) {
        memcpy(&word, identity->dst.bytes + i, sizeof word);
        hash = (hash ^ word) * G_GUINT64_CONSTANT(1099511628211);
    }
    return (guint) (hash ^ (hash >> 32));
}

gboolean
tt_identity_equal(gconstpointer a_data, gconstpointer b_data)
{
    const TtIdentity *a = a_data, *b = b_data;

    return a->rest == b->rest && a->family == b->family && a->table == b->table
           && a->priority == b->priority && a->dst_len == b->dst_len && a->src_len == b->src_len
           && tt_address_equal(&a->dst, &b->dst) && tt_address_equal(&a->src, &b->src);
}

static void
append_network(GString *to, const TtIdentity *identity, const TtAddress *address, guint8 len)
{
    tt_text_append_hex(to, address->bytes, tt_address_len(identity->family));
    g_string_append_c(to, '/');
    tt_text_append_number(to, len);
}

void
tt_identity_append(const TtIdentity *identity, GString *to)
{
    guint64 rest = GUINT64_TO_BE(identity->rest);

    g_string_append(to, identity->family == AF_INET ? "inet " : "inet6 ");
    append_network(to, identity, &identity->dst, identity->dst_len);
    if (identity->src_len) {
        g_string_append(to, " from ");
        append_network(to, identity, &identity->src, identity->src_len);
    }
    g_string_append(to, " table ");
    tt_text_append_number(to, identity->table);
    g_string_append(to, " metric ");
    tt_text_append_number(to, identity->priority);
    g_string_append_c(to, ' ');
    if (rest)
        tt_text_append_hex(to, (const guint8 *) &rest, sizeof rest);
    else
        g_string_append(to, ANY_HOPS);
}

static bool
take_network(const char **at, const TtIdentity *identity, TtAddress *address, guint8 *out_len)
{
    guint64 len;

    if (!tt_text_take_hex(at, address->bytes, tt_address_len(identity->family))
        || !tt_text_take(at, "/")
        || !tt_text_take_number(at, tt_address_len(identity->family) * 8, &len))
        return false;
    *out_len = (guint8) len;
    return true;
}

static bool
take_rest(const char **at, guint64 *out_rest)
{
    guint64 rest = 0;

    if (!tt_text_take(at, ANY_HOPS) && !tt_text_take_hex(at, (guint8 *) &rest, sizeof rest))
        return false;
    *out_rest = GUINT64_FROM_BE(rest);
    return true;
}

bool
tt_identity_take(const char **at, TtIdentity *out_identity)
{
    TtIdentity identity = {0};
    guint64 table, priority;

    if (tt_text_take(at, "inet "))
        identity.family = AF_INET;
    else if (tt_text_take(at, "inet6 "))
        identity.family = AF_INET6;
    else
        return false;
    if (!take_network(at, &identity, &identity.dst, &identity.dst_len)
        || (tt_text_take(at, " from ")
            && !take_network(at, &identity, &identity.src, &identity.src_len))
        || !tt_text_take(at, " table ") || !tt_text_take_number(at, G_MAXUINT32, &table)
        || !tt_text_take(at, " metric ") || !tt_text_take_number(at, G_MAXUINT32, &priority)
        || !tt_text_take(at, " ") || !take_rest(at, &identity.rest))
        return false;
    identity.table = (guint32) table;
    identity.priority = (guint32) priority;
    *out_identity = identity;
    return true;
}

bool
tt_route_same_identity(const TtRoute *a, const TtRoute *b)
{
    return tt_route_same_key(a, b) && a->n_hops == b->n_hops && a->nh_id == b->nh_id
           && tt_rtnl_hash_route(a) == tt_rtnl_hash_route(b);
}
