/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live.h"

#include "core/apply.h"
#include "core/diag.h"
#include "core/lowered.h"
#include "core/rtnl.h"
#include "core/text.h"
#include "exit.h"
#include "plan-lookup.h"

#include <arpa/inet.h>
#include <string.h>

typedef struct {
    const TtLiveFilter *filter;
    const TtPlan *plan;
    bool after_edits;
    TtRtnl *rtnl;
    GHashTable *lowered;
    GHashTable *items; /* text of a route -> TtPlanItem: thousands of connections use a few */
    TtSocketVerdictInput kernel;
    GPtrArray *found;
} Look;

void
tt_live_free(TtLive *live)
{
    if (!live)
        return;
    tt_route_free(live->route);
    g_free(live->text);
    g_free(live);
}

bool
tt_live_filter_set_peer(TtLiveFilter *filter, const char *text, GError **error)
{
    g_autofree char *address = g_strndup(text, strcspn(text, "/"));
    const char *slash = strchr(text, '/');
    guint32 max, len;

    filter->peer_family = strchr(address, ':') ? AF_INET6 : AF_INET;
    max = len = filter->peer_family == AF_INET ? 32 : 128;
    if (inet_pton(filter->peer_family, address, &filter->peer) != 1
        || (slash && !tt_text_number(slash + 1, max, &len)))
        return tt_usage_error(error, "'%s' is no address and no prefix.", text);
    filter->peer_len = (guint8) len;
    return true;
}

static bool
filter_wants_peer(const TtLiveFilter *filter, const TtSocket *socket)
{
    return filter->peer_family == 0
           || (filter->peer_family == socket->family
               && tt_prefix_contains(filter->peer_len, &filter->peer, &socket->peer));
}

static bool
filter_wants_device(const TtLiveFilter *filter, const TtLive *live)
{
    return filter->ifindex == 0 || live->socket.ifindex == filter->ifindex
           || (live->route && tt_route_uses_device(live->route, filter->ifindex));
}

static TtRoute *
find_route(Look *look, const TtSocket *socket, GError **error)
{
    TtFlow flow = {
        .family = socket->family,
        .tos = socket->tos,
        .has_source = true,
        .destination = socket->peer,
        .source = socket->local,
        .ifindex = socket->ifindex,
        .mark = socket->mark,
        .uid = socket->uid,
    };

    return tt_rtnl_lookup_flow(look->rtnl, &flow, error);
}

static const TtPlanItem *
find_item(Look *look, const TtLive *live)
{
    gpointer item;

    if (!look->plan || !live->route)
        return NULL;
    if (!g_hash_table_lookup_extended(look->items, live->text, NULL, &item)) {
        item = (gpointer) tt_plan_lookup(look->plan, live->route);
        g_hash_table_insert(look->items, g_strdup(live->text), item);
    }
    return item;
}

static TtSocketVerdict
judge(const Look *look, const TtLive *live)
{
    const TtPlanItem *item = live->item;
    TtSocketVerdictInput input = look->kernel;
    TtIdentity identity;

    if (!live->route)
        return TT_SOCKET_NONE;
    input.metrics = item && look->after_edits ? &item->target : &live->route->metrics;
    input.is_tuned = item && item->state == TT_STATE_OK && tt_wanted_any(&item->wanted);
    if (input.is_tuned && item->since) /* both are whole seconds */
        input.tuned_for_ms = (look->plan->now - item->since + 1) * 1000;
    identity = tt_identity_of(live->route);
    input.lowered_ms = GPOINTER_TO_UINT(g_hash_table_lookup(look->lowered, &identity));
    return tt_socket_verdict(&live->socket, &input);
}

static bool
add(Look *look, const TtSocket *socket, GError **error)
{
    TtLive *live = g_new0(TtLive, 1);
    g_autoptr(GError) failure = NULL;

    live->socket = *socket;
    live->route = find_route(look, socket, &failure);
    live->text = live->route ? tt_route_format(live->route, true) : g_strdup("");
    if (failure || (live->route && live->route->type == RTN_LOCAL)
        || !filter_wants_device(look->filter, live)) {
        tt_live_free(live);
        if (failure)
            g_propagate_error(error, g_steal_pointer(&failure));
        return !failure;
    }
    live->item = find_item(look, live);
    live->verdict = judge(look, live);
    g_ptr_array_add(look->found, live);
    return true;
}

static gint
compare(gconstpointer left, gconstpointer right)
{
    const TtLive *a = *(const TtLive *const *) left;
    const TtLive *b = *(const TtLive *const *) right;
    int r = strcmp(a->text, b->text);

    if (r == 0)
        r = memcmp(a->socket.peer.bytes, b->socket.peer.bytes, sizeof a->socket.peer.bytes);
    if (r == 0)
        r = a->socket.peer_port - b->socket.peer_port;
    return r ? r : a->socket.local_port - b->socket.local_port;
}

static bool
add_all(Look *look, const GArray *sockets, GError **error)
{
    for (guint i = 0; i < sockets->len; i++) {
        const TtSocket *socket = &g_array_index(sockets, TtSocket, i);

        if (filter_wants_peer(look->filter, socket) && !add(look, socket, error))
            return false;
    }
    g_ptr_array_sort(look->found, compare);
    return true;
}

GPtrArray *
tt_live_look(const TtLiveFilter *filter, const TtPlan *plan, bool after_edits, GError **error)
{
    g_autoptr(TtDiag) diag = tt_diag_new(error);
    g_autoptr(TtRtnl) rtnl = diag ? tt_rtnl_new(error) : NULL;
    g_autoptr(GArray) sockets = g_array_new(FALSE, FALSE, sizeof(TtSocket));
    g_autoptr(GHashTable) lowered = tt_lowered_load(TT_RUN_DIR);
    g_autoptr(GHashTable) items = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func((GDestroyNotify) tt_live_free);
    Look look = {
        .filter = filter,
        .plan = plan,
        .after_edits = after_edits,
        .rtnl = rtnl,
        .lowered = lowered,
        .items = items,
        .found = found,
    };

    tt_socket_verdict_load_kernel(&look.kernel);
    if (!rtnl
        || !tt_diag_dump(diag, filter->states ? filter->states : tt_diag_live_states, sockets,
                         error)
        || !add_all(&look, sockets, error))
        return NULL;
    return g_steal_pointer(&found);
}
