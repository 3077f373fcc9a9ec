/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which sections of a policy apply to a route, and what they want of it. Pure: everything it
 * knows of the host comes in TtFacts.
 */
#pragma once

#include "policy.h"

typedef enum {
    TT_MATCH_NO,
    TT_MATCH_YES,
    TT_MATCH_PARTIAL,   /* some hops of a multipath route only: the route is left alone */
    TT_MATCH_UNDECIDED, /* it hangs on something that is not known (TtLink.unknown) */
} TtMatch;

/*
 * Does the section match? *out_why (transfer full, optional) is set where the answer is not yes:
 * "match-device: eth1 is not interface-name:eth0", "protocol ra must be asked for".
 */
TtMatch tt_match_section(const TtSection *section,
                         const TtRoute *route,
                         const TtFacts *facts,
                         char **out_why);

/* What the policy wants of one route. All pointers belong to the policy. */
typedef struct {
    TtMatch match; /* NO: no section has a say; PARTIAL: `partial` matches some hops only;
                      UNDECIDED: whether `partial` matches is not known */
    const TtSection *partial;
    const TtWish *wish[_TT_ATTR_N];       /* NULL: nobody names it */
    const TtSection *section[_TT_ATTR_N]; /* who does */
    guint32 lock;                         /* TT_METRIC_BIT()s asked for by lock= */
    const TtSection *lock_section;
    const TtSection *stopped_by; /* the stop-match section that ended the search, if one did */
} TtWanted;

void tt_match_route(const TtPolicy *policy,
                    const TtRoute *route,
                    const TtFacts *facts,
                    TtWanted *out_wanted);

/* Gives `metrics` what is wanted of them, with its locks; what is `none` stays. */
void tt_wanted_apply(const TtWanted *wanted, TtMetrics *metrics);

/* True if the policy wants the metrics of this route changed or kept in any way. */
bool tt_wanted_any(const TtWanted *wanted);

/* Are the first `len` bits of both the same? */
bool tt_prefix_contains(guint len, const TtAddress *prefix, const TtAddress *address);

/* For core/policy: the match keys of a section. */
TtMatchKeys *tt_match_keys_new(void); /* the defaults of a section that says nothing */
void tt_match_keys_free(TtMatchKeys *keys);

/* "match-device": as written in the file. */
const char *tt_match_key_name(TtMatchKey key);
bool tt_match_key_from_name(const char *name, TtMatchKey *out_key);

/*
 * Parses one; a key that was set before is set anew. `root` is put before the folders of
 * rt_tables; NULL for the real ones. Error: TT_ERROR_POLICY, naming what is wrong and what is
 * allowed, without file, line and key; the keys are as they were.
 */
bool tt_match_keys_set(TtMatchKeys *keys,
                       TtMatchKey key,
                       const char *value,
                       const char *root,
                       GError **error);

/* The value as it was written, NULL: omitted. (transfer none) */
const char *tt_match_keys_text(const TtMatchKeys *keys, TtMatchKey key);

/* What the keys can match at all; core/policy merges them into tt_policy_reach(). */
void tt_match_keys_reach(const TtMatchKeys *keys, TtPolicyReach *reach);
