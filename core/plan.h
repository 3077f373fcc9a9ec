/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * (policy, routes, journal, facts) -> what is, what shall be, and the edits between. Pure: what a
 * dry run prints is what a run does.
 */
#pragma once

#include "journal.h"
#include "match.h"

typedef enum {
    TT_EDIT_REPLACE, /* NLM_F_REPLACE in place; the route is the first of its key */
    TT_EDIT_APPEND,
    TT_EDIT_DELETE,
    _TT_EDIT_N,
} TtEditKind;

typedef enum {
    TT_REASON_TUNE,
    TT_REASON_UNDO,
    TT_REASON_TWIN,   /* a plain copy of a tuned route */
    TT_REASON_ORPHAN, /* a tuned route that NetworkManager has moved on from */
    TT_REASON_STALE,  /* a gateway that we moved, and that its profile does not want any more */
    TT_REASON_ORDER,  /* an untouched route that has to stay behind an edited one */
    _TT_REASON_N,
} TtReason;

typedef struct {
    TtEditKind kind;
    TtReason reason;
    TtRoute *route;   /* as it shall be written, or as it stands for a delete (owned) */
    TtMetrics before; /* replace, append: what stands there now */
    guint32 absent;   /* delete: metrics that the target lacks, see tt_rtnl_build_route() */
    guint step;       /* edits of one step belong together: if one fails, the rest is skipped */
    guint stale;      /* TT_REASON_STALE: TT_STALE_*, what was done to the profile */
    int pair;         /* delete: index of the edit that appended its successor; -1: none */
} TtEdit;

typedef enum {
    TT_STATE_OK,        /* the kernel has what the policy wants */
    TT_STATE_DIFFERS,   /* edits are planned */
    TT_STATE_LEFT,      /* the policy matches but the route is left alone: `left` says why */
    TT_STATE_UNMATCHED, /* no section has a say and we never touched it; only where asked for */
    _TT_STATE_N,
} TtState;

typedef enum {
    TT_LEFT_NONE,
    TT_LEFT_PARTIAL,       /* a section matches only some of its hops */
    TT_LEFT_KERNEL_RA,     /* router-advertised, kept by the kernel */
    TT_LEFT_NEEDS_MONITOR, /* learned, and NetworkManager is silent about renewals */
    TT_LEFT_NEVER,         /* learned, and [main] learned=never */
    TT_LEFT_HOPS,          /* hops of an IPv6 route carry metrics or attributes of their own */
    TT_LEFT_HOPS_UNREAD,   /* hops of an IPv6 route could not all be read */
    TT_LEFT_FIGHT,         /* something keeps undoing what we write */
    TT_LEFT_STALE,         /* its profile does not want it any more; no packet takes it */
    TT_LEFT_SHADOWED,      /* another route of the same key would be hit */
    _TT_LEFT_N,
} TtLeft;

const char *tt_left_text(TtLeft left); /* half a sentence for people */
const char *tt_left_name(TtLeft left); /* "needs-monitor" */

/* One route that the policy touches, or that we touched. */
typedef struct {
    const TtRoute *route; /* as the kernel has it: one of the plan's, or `merged` */
    TtRoute *merged; /* a copy that has the metrics of a hop that differs (owned); NULL: none */
    TtIdentity identity;
    TtWanted wanted;
    TtMetrics target;    /* what the metrics shall be */
    guint32 named;       /* metrics that the policy has a say in */
    guint32 dropped;     /* metrics that we touched and that it has no say in any more */
    guint32 ineffective; /* metrics whose value is right but which the kernel ignores: unlocked */
    bool leaves;         /* a twin, an orphan or stale: it shall go */
    int leaving_hop;     /* index of the hop of an IPv6 route that shall go; -1: none */
    guint stale;         /* TT_STALE_*: what its profile says, in force or not */
    TtReason reason;     /* of its edit, where there is one */
    TtState state;
    TtLeft left;  /* may come with an edit: what we did to a route that is to be left is undone */
    gint64 since; /* first touch; 0: never touched */
} TtPlanItem;

typedef struct {
    GPtrArray *items;  /* TtPlanItem */
    GPtrArray *edits;  /* TtEdit, in the order of execution */
    GPtrArray *routes; /* the routes of the input (a reference) */
    GArray *seen;      /* TtIdentity: those in the journal whose routes are there */
    TtFacts *facts;    /* what it was made from, to explain it; NULL: not kept (owned) */
    guint n_spared;    /* twins that were left alone because the input says so */
    gint64 now;
} TtPlan;

/*
 * A route of a profile that carries, or carried until now, attributes of ours: what the kernel
 * shall have once nobody asks for them. It counts for a kernel route of protocol static that has
 * the value in `set`, lock aside, or had it before we came; whether or not the journal knows the
 * route.
 */
typedef struct {
    int ifindex;
    guint8 family;
    guint8 dst_len;
    guint8 gateway_family; /* 0: no gateway */
    bool has_metric;       /* false: metric -1 in the profile, the device's own */
    TtAddress dst;
    TtAddress gateway;
    guint32 table;    /* as the kernel has it: RT_TABLE_MAIN, never 0 */
    guint32 metric;   /* what ip-route(8) calls metric */
    guint32 named;    /* TT_METRIC_BIT()s of the metrics that we set */
    TtMetrics before; /* what the profile has without us; the lock bit of rto_min does not count */
    TtMetrics set;    /* what we wrote into the profile */
} TtNativeRoute;

typedef struct {
    const TtPolicy *policy; /* NULL: undo everything */
    GPtrArray *routes;      /* TtRoute, whole keys: all that share a key with one in scope */
    GHashTable *hops;       /* TtIdentity -> TtHopMetrics; NULL: none was needed */
    const TtFacts *facts;
    const TtJournal *journal;
    GHashTable *avoid;       /* set of TtIdentity: TT_LEFT_FIGHT; NULL: none */
    const GPtrArray *native; /* TtNativeRoute; NULL: none */
    int ifindex;             /* only routes of this device; 0: all */
    gint64 now;
    bool orphans_only;   /* no edits but deletes of what is orphaned or stale; `policy` does not
                            count */
    bool tidy_only;      /* no items, no edits: only the journal forgets what is gone */
    bool spare_twins;    /* a plain copy of a tuned route is left alone for now */
    bool with_unmatched; /* items also for routes in scope that nothing matches */
} TtPlanInput;

/*
 * What the journal has to know. Before the edits are made: what each route has and will have;
 * nothing is forgotten yet. And when the plan has no edits left: what is undone or gone goes.
 */
void tt_plan_note_intent(const TtPlan *plan, TtJournal *journal);
void tt_plan_note_done(const TtPlan *plan, TtJournal *journal);

/* `routes` holds every route that the journal can name: it forgets the others. (transfer full) */
TtPlan *tt_plan_build(const TtPlanInput *input);
void tt_plan_free(TtPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtPlan, tt_plan_free)
