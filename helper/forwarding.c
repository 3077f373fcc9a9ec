/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "forwarding.h"

#include <arpa/inet.h>
#include <string.h>

/* What is left of a route. */
typedef struct {
    TtRoute *route;
    char *text;
} Entry;

struct TtForwarding {
    GPtrArray *entries; /* Entry, by key, then in the kernel's order */
};

static void
entry_free(gpointer data)
{
    Entry *entry = data;

    tt_route_free(entry->route);
    g_free(entry->text);
    g_free(entry);
}

void
tt_forwarding_free(TtForwarding *forwarding)
{
    if (!forwarding)
        return;
    g_ptr_array_unref(forwarding->entries);
    g_free(forwarding);
}

static bool
uses_any(const TtRoute *route, GHashTable *ifindexes)
{
    for (guint i = 0; i < route->n_hops; i++) {
        if (g_hash_table_contains(ifindexes, GINT_TO_POINTER(route->hops[i].ifindex)))
            return true;
    }
    return false;
}

/* The protocol is no part of it: the same next hop may be static today and learned tomorrow. */
static Entry *
entry_new(const TtRoute *route)
{
    Entry *entry = g_new(Entry, 1);
    GString *text = g_string_new(NULL);
    g_autofree char *prefix = tt_route_format_prefix(route);

    g_string_append(text, prefix);
    for (guint i = 0; i < route->n_hops; i++) {
        g_autofree char *gateway = tt_hop_format_gateway(&route->hops[i]);
        char name[IF_NAMESIZE];

        g_string_append_printf(text, "%s%s dev %s", gateway[0] ? " via " : "", gateway,
                               if_indextoname((guint) route->hops[i].ifindex, name) ? name : "?");
    }
    if (route->has_prefsrc) {
        char address[INET6_ADDRSTRLEN];

        g_string_append_printf(text, " src %s",
                               inet_ntop(route->family, &route->prefsrc, address, sizeof address));
    }
    g_string_append_printf(text, " metric %u table %u", route->priority, route->table);
    entry->route = tt_route_copy(route);
    entry->text = g_string_free(text, FALSE);
    return entry;
}

static int
compare_bytes(const Entry *a, const Entry *b)
{
    int order = memcmp(&a->route->dst, &b->route->dst, sizeof a->route->dst);

    return order ? order : memcmp(&a->route->src, &b->route->src, sizeof a->route->src);
}

static int
compare_keys(gconstpointer a, gconstpointer b)
{
    const Entry *x = *(Entry *const *) a, *y = *(Entry *const *) b;
    const guint64 left[] = {x->route->family,  x->route->table, x->route->dst_len,
                            x->route->src_len, x->route->tos,   x->route->priority};
    const guint64 right[] = {y->route->family,  y->route->table, y->route->dst_len,
                             y->route->src_len, y->route->tos,   y->route->priority};

    for (guint i = 0; i < G_N_ELEMENTS(left); i++) {
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    }
    return compare_bytes(x, y);
}

TtForwarding *
tt_forwarding_new(const GPtrArray *routes, GHashTable *ifindexes)
{
    TtForwarding *forwarding = g_new0(TtForwarding, 1);
    g_autoptr(GHashTable) keys = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);

    for (guint i = 0; i < routes->len; i++) {
        if (uses_any(routes->pdata[i], ifindexes))
            g_hash_table_add(keys, routes->pdata[i]);
    }
    forwarding->entries = g_ptr_array_new_with_free_func(entry_free);
    for (guint i = 0; i < routes->len; i++) {
        if (g_hash_table_contains(keys, routes->pdata[i]))
            g_ptr_array_add(forwarding->entries, entry_new(routes->pdata[i]));
    }
    /* GLib's sort is stable. */
    g_ptr_array_sort(forwarding->entries, compare_keys);
    return forwarding;
}

TtForwarding *
tt_forwarding_load(TtRtnl *rtnl, GHashTable *ifindexes, GError **error)
{
    g_autoptr(GPtrArray) routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    if (!tt_rtnl_dump_routes(rtnl, &(TtDumpFilter){.family = AF_INET}, routes, error)
        || !tt_rtnl_dump_routes(rtnl, &(TtDumpFilter){.family = AF_INET6}, routes, error))
        return NULL;
    return tt_forwarding_new(routes, ifindexes);
}

static bool
concerns(const TtRoute *route, GHashTable *keys, guint families)
{
    guint bit = route->family == AF_INET ? 1u << 0 : 1u << 1;

    return (families & bit) && g_hash_table_contains(keys, route);
}

static void
add_keys(const TtForwarding *forwarding, int ifindex, GHashTable *keys)
{
    for (guint i = 0; i < forwarding->entries->len; i++) {
        Entry *entry = forwarding->entries->pdata[i];

        if (tt_route_uses_device(entry->route, ifindex))
            g_hash_table_add(keys, entry->route);
    }
}

/* The lines of one side, without the copies. (transfer container) */
static GPtrArray *
list(const TtForwarding *forwarding, GHashTable *keys, guint families)
{
    GPtrArray *lines = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < forwarding->entries->len; i++) {
        const Entry *entry = forwarding->entries->pdata[i];

        if (concerns(entry->route, keys, families) && g_hash_table_add(seen, entry->text))
            g_ptr_array_add(lines, entry->text);
    }
    g_ptr_array_add(lines, NULL);
    return lines;
}

static void
append_missing(GString *to, const char *sign, const GPtrArray *lines, const GPtrArray *from)
{
    for (guint i = 0; i + 1 < lines->len; i++) {
        if (!g_strv_contains((const char *const *) from->pdata, lines->pdata[i]))
            g_string_append_printf(to, "%s%s %s", to->len ? "\n" : "", sign,
                                   (const char *) lines->pdata[i]);
    }
}

static bool
same_lines(const GPtrArray *a, const GPtrArray *b)
{
    for (guint i = 0; i < MIN(a->len, b->len); i++) {
        if (g_strcmp0(a->pdata[i], b->pdata[i]) != 0)
            return false;
    }
    return a->len == b->len;
}

char *
tt_forwarding_diff(const TtForwarding *before,
                   const TtForwarding *after,
                   int ifindex,
                   guint families)
{
    g_autoptr(GHashTable) keys = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);
    g_autoptr(GPtrArray) old = NULL;
    g_autoptr(GPtrArray) new = NULL;
    GString *text;

    add_keys(before, ifindex, keys);
    add_keys(after, ifindex, keys);
    old = list(before, keys, families);
    new = list(after, keys, families);
    if (same_lines(old, new))
        return NULL;
    text = g_string_new(NULL);
    append_missing(text, "-", old, new);
    append_missing(text, "+", new, old);
    if (text->len == 0)
        g_string_append(text, "the order of routes of equal metric is another one");
    return g_string_free(text, FALSE);
}
