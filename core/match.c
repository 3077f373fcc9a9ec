/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "match-internal.h"

#include <stdarg.h>
#include <string.h>

/* Notes why the answer is no; returns false, so that callers can return it. */
static bool G_GNUC_PRINTF(2, 3) differs(char **out_why, const char *format, ...)
{
    if (out_why) {
        va_list args;

        va_start(args, format);
        g_free(*out_why);
        *out_why = g_strdup_vprintf(format, args);
        va_end(args);
    }
    return false;
}

/* What no policy can ask for, `any` included. */
static bool
can_be_tuned(const TtRoute *route, char **out_why)
{
    if (route->type != RTN_UNICAST)
        return differs(out_why, "only unicast routes are tuned");
    if (route->flags & RTM_F_CLONED)
        return differs(out_why, "a cached copy of another route");
    if (route->table == RT_TABLE_LOCAL)
        return differs(out_why, "table local is never tuned");
    if (route->protocol == TT_PROTOCOL_MEASURE)
        return differs(out_why, "made by tcptune-nm measure");
    if (tt_prefix_is_reserved(route->family, route->dst_len, &route->dst))
        return differs(out_why, "link-local and multicast prefixes are never tuned");
    return true;
}

static bool
table_matches(const TtMatchKeys *keys, guint32 table)
{
    for (guint i = 0; i < keys->table->len; i++) {
        if (g_array_index(keys->table, guint32, i) == table)
            return true;
    }
    return keys->table->len == 0;
}

static bool
one_destination_matches(const TtDest *dest, const TtRoute *route, const TtFacts *facts)
{
    switch (dest->kind) {
    case TT_DEST_ANY:
        return true;
    case TT_DEST_DEFAULT:
        return tt_route_is_default(route) && (route->n_hops || route->nh_id);
    case TT_DEST_CONNECTED:
        return tt_facts_is_connected(facts, route);
    case TT_DEST_EXACT:
        return dest->family == route->family && dest->len == route->dst_len && !route->src_len
               && tt_prefix_contains(dest->len, &dest->address, &route->dst);
    case TT_DEST_WITHIN:
        return dest->family == route->family && dest->len <= route->dst_len
               && tt_prefix_contains(dest->len, &dest->address, &route->dst);
    }
    return false;
}

static bool
destination_matches(const TtMatchKeys *keys, const TtRoute *route, const TtFacts *facts)
{
    for (guint i = 0; i < keys->destination->len; i++) {
        if (one_destination_matches(&g_array_index(keys->destination, TtDest, i), route, facts))
            return true;
    }
    return false;
}

static const char *
text_or(const TtMatchKeys *keys, TtMatchKey key, const char *otherwise)
{
    return keys->text[key] ? keys->text[key] : otherwise;
}

static bool
protocol_matches(const TtMatchKeys *keys, guint8 protocol, char **out_why)
{
    const char *name = tt_protocol_name(protocol);
    const char *wanted = keys->text[TT_KEY_PROTOCOL];

    if (keys->protocol[protocol])
        return true;
    if (!wanted)
        return differs(out_why, "protocol ra must be asked for");
    if (name)
        return differs(out_why, "protocol: %s is not %s", name, wanted);
    return differs(out_why, "protocol: %u is not %s", protocol, wanted);
}

/* What all hops of a route have in common. */
static bool
route_matches(const TtMatchKeys *keys, const TtRoute *route, const TtFacts *facts, char **out_why)
{
    g_autofree char *prefix = NULL;

    if (!keys->family[route->family == AF_INET6])
        return differs(out_why, "family: %s is not %s", route->family == AF_INET6 ? "ipv6" : "ipv4",
                       keys->text[TT_KEY_FAMILY]);
    if (!table_matches(keys, route->table))
        return differs(out_why, "table: %u is not %s", route->table,
                       text_or(keys, TT_KEY_TABLE, "main"));
    if (!protocol_matches(keys, route->protocol, out_why))
        return false;
    if (destination_matches(keys, route, facts))
        return true;
    if (out_why)
        prefix = tt_route_format_prefix(route);
    return differs(out_why, "destination: %s is not %s", prefix,
                   text_or(keys, TT_KEY_DESTINATION, "default"));
}

static bool
gateway_matches(const GArray *gateways, const TtHop *hop)
{
    for (guint i = 0; i < gateways->len; i++) {
        const TtDest *gateway = &g_array_index(gateways, TtDest, i);

        if (gateway->family == hop->gateway_family
            && tt_prefix_contains(gateway->len, &gateway->address, &hop->gateway))
            return true;
    }
    return false;
}

static bool
connection_differs(const TtMatchKeys *keys, const TtLink *link, char **out_why)
{
    const char *device = link ? link->name : "no device";

    if (link && !link->connection_id && tt_specs_need_id(keys->connection))
        return differs(out_why, "match-connection: the id of the profile on %s is not known yet",
                       device);
    return differs(out_why, "match-connection: the profile on %s is not %s", device,
                   keys->text[TT_KEY_CONNECTION]);
}

static bool
device_differs(const TtMatchKeys *keys, const TtLink *link, char **out_why)
{
    const char *device = link ? link->name : "no device";

    if (link && (link->unknown & TT_LINK_UNKNOWN_NAME))
        device = "the profile's device";
    return differs(out_why, "match-device: %s is not %s", device, keys->text[TT_KEY_DEVICE]);
}

static bool
other_than_device_matches(const TtMatchKeys *keys,
                          const TtHop *hop,
                          const TtLink *link,
                          char **out_why)
{
    g_autofree char *gateway = NULL;

    if (keys->connection && tt_specs_match(keys->connection, link) != TT_MATCH_YES)
        return connection_differs(keys, link, out_why);
    if (!keys->gateway || gateway_matches(keys->gateway, hop))
        return true;
    if (out_why)
        gateway = tt_hop_format_gateway(hop);
    return differs(out_why, "gateway: %s is not %s", gateway && *gateway ? gateway : "none",
                   keys->text[TT_KEY_GATEWAY]);
}

static TtMatch
match_hop(const TtMatchKeys *keys, const TtHop *hop, const TtFacts *facts, char **out_why)
{
    const TtLink *link = hop->ifindex ? tt_facts_link(facts, hop->ifindex) : NULL;
    TtMatch device = keys->device ? tt_specs_match(keys->device, link) : TT_MATCH_YES;

    if (device == TT_MATCH_NO) {
        device_differs(keys, link, out_why);
        return TT_MATCH_NO;
    }
    if (!other_than_device_matches(keys, hop, link, out_why))
        return TT_MATCH_NO;
    if (device == TT_MATCH_UNDECIDED)
        differs(
            out_why,
            "match-device: whether the device is %s is not known while the profile is not active",
            keys->text[TT_KEY_DEVICE]);
    return device;
}

static TtMatch
match_hops(const TtMatchKeys *keys, const TtRoute *route, const TtFacts *facts, char **out_why)
{
    static const TtHop no_hop;
    guint n_hops = MAX(route->n_hops, 1);
    guint n_matched = 0, n_undecided = 0;

    for (guint i = 0; i < n_hops; i++) {
        TtMatch match = match_hop(keys, route->n_hops ? &route->hops[i] : &no_hop, facts, out_why);

        n_matched += match == TT_MATCH_YES;
        n_undecided += match == TT_MATCH_UNDECIDED;
    }
    if (n_matched == n_hops)
        return TT_MATCH_YES;
    if (n_undecided)
        return TT_MATCH_UNDECIDED;
    return n_matched ? TT_MATCH_PARTIAL : TT_MATCH_NO;
}

TtMatch
tt_match_section(const TtSection *section,
                 const TtRoute *route,
                 const TtFacts *facts,
                 char **out_why)
{
    g_autofree char *why = NULL;
    char **to_why = out_why ? &why : NULL;
    TtMatch match = TT_MATCH_NO;

    if (can_be_tuned(route, to_why) && route_matches(section->keys, route, facts, to_why))
        match = match_hops(section->keys, route, facts, to_why);
    if (match != TT_MATCH_YES && out_why)
        *out_why = g_steal_pointer(&why);
    return match;
}

/* Would a match of this section change the outcome? */
static bool
has_a_say(const TtSection *section, const TtWanted *wanted)
{
    if (section->stop_match)
        return true;
    if (section->lock.kind != TT_WISH_UNSET && !wanted->lock_section)
        return true;
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (section->wish[attr].kind != TT_WISH_UNSET && !wanted->wish[attr])
            return true;
    }
    return false;
}

static void
take_wishes(const TtSection *section, TtWanted *wanted)
{
    wanted->match = TT_MATCH_YES;
    if (section->stop_match)
        wanted->stopped_by = section;
    if (section->lock.kind != TT_WISH_UNSET && !wanted->lock_section) {
        wanted->lock_section = section;
        wanted->lock = section->lock.kind == TT_WISH_SET ? section->lock.value.number : 0;
    }
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (section->wish[attr].kind != TT_WISH_UNSET && !wanted->wish[attr]) {
            wanted->wish[attr] = &section->wish[attr];
            wanted->section[attr] = section;
        }
    }
}

void
tt_match_route(const TtPolicy *policy,
               const TtRoute *route,
               const TtFacts *facts,
               TtWanted *out_wanted)
{
    *out_wanted = (TtWanted){.match = TT_MATCH_NO};
    for (guint i = 0; i < policy->sections->len && !out_wanted->stopped_by; i++) {
        const TtSection *section = g_ptr_array_index(policy->sections, i);

        if (!has_a_say(section, out_wanted))
            continue;
        switch (tt_match_section(section, route, facts, NULL)) {
        case TT_MATCH_NO:
            break;
        case TT_MATCH_YES:
            take_wishes(section, out_wanted);
            break;
        case TT_MATCH_PARTIAL:
            /* One set of metrics for all hops cannot be right for each of them. */
            *out_wanted = (TtWanted){.match = TT_MATCH_PARTIAL, .partial = section};
            return;
        case TT_MATCH_UNDECIDED:
            *out_wanted = (TtWanted){.match = TT_MATCH_UNDECIDED, .partial = section};
            return;
        }
    }
}

bool
tt_wanted_any(const TtWanted *wanted)
{
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        const TtWish *wish = wanted->wish[attr];

        if (wish && (wish->kind == TT_WISH_SET || wish->kind == TT_WISH_REMOVE))
            return true;
    }
    return wanted->lock != 0;
}
