/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "race.h"

#include "rtnl-codec.h"

#include <linux/netlink.h>

typedef struct {
    TtRoute *route;
    bool deleted;
    bool own;
} Event;

struct TtRace {
    TtRtnl *rtnl;
    const TtPlan *plan;
    GHashTable *keys;  /* TtRoute, by key: what the plan edits */
    GPtrArray *events; /* Event: all changes to those keys, ours as well, in the kernel's order */
    guint n_foreign;
    bool incomplete; /* the kernel dropped events */
};

static void
event_free(gpointer data)
{
    Event *event = data;

    tt_route_free(event->route);
    g_free(event);
}

TtRace *
tt_race_new(TtRtnl *rtnl, const TtPlan *plan)
{
    TtRace *race = g_new0(TtRace, 1);

    race->rtnl = rtnl;
    race->plan = plan;
    race->keys = g_hash_table_new(tt_route_key_hash, tt_route_key_equal);
    race->events = g_ptr_array_new_with_free_func(event_free);
    for (guint i = 0; i < plan->edits->len; i++)
        g_hash_table_add(race->keys, ((TtEdit *) plan->edits->pdata[i])->route);
    return race;
}

void
tt_race_free(TtRace *race)
{
    if (!race)
        return;
    g_hash_table_unref(race->keys);
    g_ptr_array_unref(race->events);
    g_free(race);
}

static void
take_event(TtRoute **route, bool deleted, bool own_write, gpointer data)
{
    TtRace *race = data;
    Event *event;

    if (!g_hash_table_contains(race->keys, *route))
        return;
    event = g_new(Event, 1);
    *event = (Event){.route = g_steal_pointer(route), .deleted = deleted, .own = own_write};
    g_ptr_array_add(race->events, event);
    race->n_foreign += !own_write;
}

static void
drain(TtRace *race)
{
    race->incomplete |= !tt_rtnl_drain(race->rtnl, take_event, race);
}

bool
tt_race_lost(TtRace *race)
{
    drain(race);
    return race->n_foreign > 0 || race->incomplete;
}

/*
 * What stood in the table when the replace was made: the routes of the plan, and everything that
 * happened since.
 */

static bool
is_same_copy(const TtRoute *a, const TtRoute *b)
{
    return tt_metrics_equal(&a->metrics, &b->metrics) && tt_route_same_identity(a, b);
}

static void
remove_copy(GPtrArray *list, const TtRoute *route)
{
    for (guint i = 0; i < list->len; i++) {
        if (is_same_copy(list->pdata[i], route)) {
            g_ptr_array_remove_index(list, i);
            return;
        }
    }
}

static void
play(GPtrArray *list, const Event *event)
{
    /* A notification carries the flags of the request (fib_trie.c: fib_table_insert). */
    guint16 flags = ((const struct nlmsghdr *) event->route->raw)->nlmsg_flags;

    if (event->deleted)
        remove_copy(list, event->route);
    else if ((flags & NLM_F_REPLACE) && list->len > 0)
        list->pdata[0] = event->route;
    else if (flags & NLM_F_APPEND)
        g_ptr_array_add(list, event->route);
    else
        g_ptr_array_insert(list, 0, event->route);
}

/* The first route of the key just before the event at `until`; NULL: there was none. */
static const TtRoute *
first_before(const TtRace *race, const TtRoute *key, guint until)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();

    for (guint i = 0; i < race->plan->routes->len; i++) {
        if (tt_route_same_key(race->plan->routes->pdata[i], key))
            g_ptr_array_add(list, race->plan->routes->pdata[i]);
    }
    for (guint i = 0; i < until; i++) {
        const Event *event = race->events->pdata[i];

        if (tt_route_same_key(event->route, key))
            play(list, event);
    }
    return list->len > 0 ? list->pdata[0] : NULL;
}

static void
resend(TtRace *race, const TtRoute *route, guint16 type, guint16 flags)
{
    g_autoptr(GByteArray) message = g_byte_array_new();

    tt_rtnl_build_route(message, route, type, flags, 0);
    tt_rtnl_edit(race->rtnl, message, NULL);
}

static void
repair_inet(TtRace *race, const TtEdit *edit, guint own)
{
    const TtRoute *hit = first_before(race, edit->route, own);

    /* Ours is the first of the key now: another replace puts back what stood there. */
    if (hit
        && (!tt_metrics_equal(&hit->metrics, &edit->before)
            || !tt_route_same_identity(hit, edit->route)))
        resend(race, hit, RTM_NEWROUTE, NLM_F_REPLACE);
}

static bool
is_of_same_set(const TtRoute *a, const TtRoute *b)
{
    return tt_route_same_key(a, b) && tt_route_is_ecmp_capable(a) == tt_route_is_ecmp_capable(b);
}

/* Index of the last event of others that says what hops the route has; `own` if there is none. */
static guint
find_last_word(const TtRace *race, const TtRoute *route, guint from, guint own)
{
    for (guint i = own; i-- > from;) {
        const Event *event = race->events->pdata[i];

        if (!event->own && !event->deleted && is_of_same_set(event->route, route))
            return i;
    }
    return own;
}

static bool
was_deleted(const TtRace *race, const TtRoute *route)
{
    for (guint i = 0; i < race->events->len; i++) {
        const Event *event = race->events->pdata[i];

        if (event->deleted && is_same_copy(event->route, route))
            return true;
    }
    return false;
}

/* Where no route of the same capability was left, the replace hit one of the other. */
static void
restore_neighbours(TtRace *race, const TtRoute *route)
{
    for (guint i = 0; i < race->plan->routes->len; i++) {
        const TtRoute *other = race->plan->routes->pdata[i];

        if (tt_route_same_key(other, route) && !is_of_same_set(other, route)
            && !was_deleted(race, other))
            resend(race, other, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_APPEND);
    }
}

/*
 * A replace of an IPv6 route writes all of its hops: what others did to them in between is done
 * again. A new hop is announced with all of its siblings, one that goes is announced alone.
 */
static void
repair_inet6(TtRace *race, const TtEdit *edit, guint from, guint own)
{
    guint last = find_last_word(race, edit->route, from, own);

    if (last < own)
        resend(race, ((Event *) race->events->pdata[last])->route, RTM_NEWROUTE,
               NLM_F_CREATE | NLM_F_REPLACE);
    for (guint i = last < own ? last + 1 : from; i < own; i++) {
        const Event *event = race->events->pdata[i];

        if (!event->own && event->deleted && is_of_same_set(event->route, edit->route))
            resend(race, event->route, RTM_DELROUTE, 0);
    }
    restore_neighbours(race, edit->route);
}

/* The index of our own replace among the events; their number if it left no event. */
static guint
find_own(const TtRace *race, const TtEdit *edit)
{
    for (guint i = race->events->len; i-- > 0;) {
        const Event *event = race->events->pdata[i];

        if (event->own && !event->deleted && is_same_copy(event->route, edit->route))
            return i;
    }
    return race->events->len;
}

static bool
was_raced(const TtRace *race, const TtRoute *key, guint from)
{
    for (guint i = from; i < race->events->len; i++) {
        const Event *event = race->events->pdata[i];

        if (!event->own && tt_route_same_key(event->route, key))
            return true;
    }
    return false;
}

bool
tt_race_repair(TtRace *race, const GPtrArray *replaces)
{
    guint from = race->events->len;
    guint n_foreign = race->n_foreign;

    drain(race);
    if (race->n_foreign == n_foreign)
        return race->incomplete;
    for (guint i = 0; i < replaces->len; i++) {
        const TtEdit *edit = replaces->pdata[i];
        guint own = find_own(race, edit);

        if (!was_raced(race, edit->route, from))
            continue;
        if (edit->route->family == AF_INET)
            repair_inet(race, edit, own);
        else
            repair_inet6(race, edit, from, own);
    }
    return true;
}
