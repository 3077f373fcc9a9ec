/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routes to which NetworkManager itself gives our attributes, from a profile that `apply` wrote.
 * The journal cannot know what they had: after a restart of the host it has never been otherwise.
 */
#include "match-internal.h"
#include "plan-internal.h"

#include <string.h>

/* What NetworkManager adds to the metric of a default of a device without connectivity. */
#define NM_PENALTY 20000
/* What the kernel makes of metric 0 (include/net/ip6_fib.h: IP6_RT_PRIO_USER). */
#define INET6_METRIC 1024

static guint
hash_bytes(guint hash, const TtAddress *address, gsize n)
{
    for (gsize i = 0; i < n; i++)
        hash = hash * 31 + address->bytes[i];
    return hash;
}

static guint
hash_native(gconstpointer key)
{
    const TtNativeRoute *native = key;
    guint hash = native->family;

    /* A profile's prefix may have host bits, which NetworkManager clears. */
    hash = hash_bytes(hash, &native->dst, native->dst_len / 8);
    hash = hash_bytes(hash, &native->gateway, sizeof native->gateway);
    hash = hash * 31 + native->dst_len;
    hash = hash * 31 + native->table;
    return hash * 31 + (guint) native->ifindex;
}

static gboolean
equal_native(gconstpointer a_key, gconstpointer b_key)
{
    const TtNativeRoute *a = a_key, *b = b_key;

    return a->ifindex == b->ifindex && a->family == b->family && a->dst_len == b->dst_len
           && a->gateway_family == b->gateway_family && a->table == b->table
           && a->has_metric == b->has_metric && (!a->has_metric || a->metric == b->metric)
           && tt_prefix_contains(a->dst_len, &a->dst, &b->dst)
           && tt_address_equal(&a->gateway, &b->gateway);
}

GHashTable *
tt_plan_native_index(const GPtrArray *natives)
{
    GHashTable *index;

    if (!natives || natives->len == 0)
        return NULL;
    index = g_hash_table_new(hash_native, equal_native);
    for (guint i = 0; i < natives->len; i++)
        g_hash_table_add(index, natives->pdata[i]);
    return index;
}

static const TtNativeRoute *
find_with_metric(GHashTable *index, TtNativeRoute probe, const TtRoute *route)
{
    const TtNativeRoute *found;

    probe.has_metric = true;
    probe.metric = route->priority;
    found = g_hash_table_lookup(index, &probe);
    if (!found && route->dst_len == 0 && route->priority >= NM_PENALTY) {
        probe.metric = route->priority - NM_PENALTY;
        found = g_hash_table_lookup(index, &probe);
    }
    if (!found && route->family == AF_INET6 && route->priority == INET6_METRIC) {
        probe.metric = 0;
        found = g_hash_table_lookup(index, &probe);
    }
    return found;
}

static const TtNativeRoute *
find_for_hop(GHashTable *index, const TtRoute *route, const TtHop *hop)
{
    TtNativeRoute probe = {
        .ifindex = hop->ifindex,
        .family = route->family,
        .dst_len = route->dst_len,
        .gateway_family = (guint8) hop->gateway_family,
        .dst = route->dst,
        .gateway = hop->gateway,
        .table = route->table,
    };
    const TtNativeRoute *found = find_with_metric(index, probe, route);

    return found ? found : g_hash_table_lookup(index, &probe);
}

static bool
says_the_same(const TtNativeRoute *a, const TtNativeRoute *b)
{
    return a->named == b->named && tt_metrics_equal(&a->before, &b->before)
           && tt_metrics_equal(&a->set, &b->set);
}

/* A route of several hops is one in the kernel: what only some of them say is not said. */
const TtNativeRoute *
tt_plan_native_find(GHashTable *index, const TtRoute *route)
{
    const TtNativeRoute *first = NULL;

    if (!index || route->protocol != RTPROT_STATIC || route->nh_id || route->src_len)
        return NULL;
    for (guint i = 0; i < route->n_hops; i++) {
        const TtNativeRoute *native = find_for_hop(index, route, &route->hops[i]);

        if (!native || (first && !says_the_same(first, native)))
            return NULL;
        first = native;
    }
    return first;
}

static bool
has_same_value(const TtMetrics *a, const TtMetrics *b, int rtax)
{
    return tt_metrics_has(a, rtax) == tt_metrics_has(b, rtax) && a->value[rtax] == b->value[rtax];
}

/* rto_min alone has a lock bit that no profile can name: it is as NetworkManager made it. */
static void
take_back(const TtNativeRoute *native, const TtMetrics *lock_from, int rtax, TtMetrics *target)
{
    guint32 bit = TT_METRIC_BIT(rtax);
    bool lock = tt_metrics_locked(&native->before, rtax);

    if (rtax == RTAX_RTO_MIN)
        lock = tt_metrics_has(&native->before, rtax) && tt_metrics_locked(lock_from, rtax);
    tt_metrics_copy_one(target, &native->before, rtax);
    target->lock = lock ? target->lock | bit : target->lock & ~bit;
}

bool
tt_plan_native_undo(const TtNativeRoute *native,
                    const TtMetrics *now,
                    const TtJournalEntry *entry,
                    int rtax,
                    TtMetrics *target)
{
    const TtMetrics *before =
        entry && tt_journal_entry_is_ours(entry, now, rtax) ? &entry->before : now;

    if (!native || !(native->named & TT_METRIC_BIT(rtax))
        || (!has_same_value(now, &native->set, rtax)
            && !has_same_value(before, &native->set, rtax)))
        return false;
    take_back(native, before, rtax, target);
    return true;
}
