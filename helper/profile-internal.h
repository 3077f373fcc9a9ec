/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the profile only. */
#pragma once

#include "profile.h"

/* The attributes of NMIPRoute that a policy can mean. rto_min, quickack and advmss came with
 * 1.40 (commit 90e7afc2cd of NetworkManager), the others with 1.8. */
typedef enum {
    TT_PROFILE_RTO_MIN,
    TT_PROFILE_QUICKACK,
    TT_PROFILE_ADVMSS,
    TT_PROFILE_INITCWND,
    TT_PROFILE_INITRWND,
    TT_PROFILE_WINDOW,
    TT_PROFILE_MTU,
    TT_PROFILE_LOCK_MTU,
    _TT_PROFILE_ATTR_N,
} TtProfileAttr;

#define TT_PROFILE_BIT(attr) (1u << (attr))

/* Values as numbers: a boolean is 0 or 1, which is not the same as absent. */
#define TT_PROFILE_ABSENT ((gint64) -1)

typedef struct {
    const char *name; /* libnm's and nmcli's */
    TtAttr attr;      /* of the policy; of LOCK_MTU the one that is locked */
    bool is_bool;     /* GVariant b, else u: libnm compares the types too */
    bool is_lock;
} TtProfileAttrInfo;

/* profile-attr: one attribute of a route. */
const TtProfileAttrInfo *tt_profile_attr_info(TtProfileAttr attr);
bool tt_profile_attr_from_name(const char *name, TtProfileAttr *out_attr);
gint64 tt_profile_attr_get(NMIPRoute *route, TtProfileAttr attr);
void tt_profile_attr_set(NMIPRoute *route, TtProfileAttr attr, gint64 value);
void tt_profile_attr_append(TtProfileAttr attr, gint64 value, GString *to);
bool tt_profile_attr_parse(TtProfileAttr attr, const char *text, gint64 *out_value);
void tt_profile_attr_to_metrics(TtProfileAttr attr, gint64 value, TtMetrics *metrics);
/* The policy's attributes that NetworkManager has none for. */
bool tt_profile_attr_is_native(TtAttr attr);

/* profile-route: a route of a profile. */

/* What tells it from others of its list, in nmcli's words: all but TtProfileAttr. (transfer full)
 */
char *tt_profile_route_key(NMIPRoute *route);
/* The same with all attributes: what nmcli takes and prints. (transfer full) */
char *tt_profile_route_text(NMIPRoute *route);
/* "0.0.0.0/0 192.0.2.1": to find a route whose metric was changed. (transfer full) */
char *tt_profile_route_place(NMIPRoute *route);
/* The family of the next hop, 0 for none: libnm has 0.0.0.0 and :: as none. */
guint8 tt_profile_route_gateway(NMIPRoute *route, TtAddress *out_gateway);
/* (transfer full) */
NMIPRoute *tt_profile_route_copy(NMIPRoute *route);
bool tt_profile_route_equal(NMIPRoute *a, NMIPRoute *b);

/* The profile's IP settings of one family as we edit them. */
typedef struct {
    int family;
    NMSettingIPConfig *setting; /* of the profile (a reference); NULL: it has none */
    char *gateway;
    GPtrArray *routes; /* NMIPRoute: shared with the profile where they are not edited */
} TtProfileSide;

void tt_profile_side_init(TtProfileSide *side, NMConnection *connection, int family);
void tt_profile_side_clear(TtProfileSide *side);
/* A copy of the route at `i` that may be edited, in its place. (transfer none) */
NMIPRoute *tt_profile_side_edit(TtProfileSide *side, guint i);
bool tt_profile_side_differs(const TtProfileSide *side);
void tt_profile_side_write(const TtProfileSide *side, NMConnection *connection);
/* As the kernel will have it: ipv4.route-table, unless the route names one. */
guint32 tt_profile_side_table(const TtProfileSide *side, NMIPRoute *route);
/* -1: the device's own. */
gint64 tt_profile_side_metric(const TtProfileSide *side, NMIPRoute *route);
/* The route that NetworkManager makes of the gateway. (transfer full) */
NMIPRoute *tt_profile_side_gateway_route(const TtProfileSide *side, const char *gateway);
bool tt_profile_side_is_manual(const TtProfileSide *side);
/* "ipv4" */
const char *tt_profile_family_name(int family);

/* profile-stamp: what a profile says that we did to it. */
typedef struct {
    char *key;     /* tt_profile_route_key() */
    bool added;    /* the gateway as a route: it was none before */
    guint touched; /* TT_PROFILE_BIT()s */
    gint64 set[_TT_PROFILE_ATTR_N];
    gint64 was[_TT_PROFILE_ATTR_N];
} TtStampRoute;

typedef struct {
    char *gateway;     /* that was moved; NULL: none */
    GPtrArray *routes; /* TtStampRoute */
} TtStamp;

TtStamp *tt_stamp_new(void);
TtStampRoute *tt_stamp_add(TtStamp *stamp, const char *key);
void tt_stamp_free(TtStamp *stamp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtStamp, tt_stamp_free)

/* What it cannot read is not there: somebody's own. (transfer full) */
TtStamp *tt_stamp_read(NMConnection *connection, int family);
/* Written by a later version of ours, which is to be left alone. */
bool tt_stamp_is_newer(NMConnection *connection);
bool tt_stamp_differs(NMConnection *connection, TtStamp *const stamps[2]);
/* Both families, as libnm's limits allow. Error: NM_CONNECTION_ERROR, too much of it. */
bool tt_stamp_write(NMConnection *connection, TtStamp *const stamps[2], GError **error);

/*
 * profile-restore: takes our own work back out of `side`, as far as it is still ours.
 * *out_stale (transfer full) is set if somebody made a moved gateway stale.
 */
void tt_profile_restore(TtProfileSide *side, const TtStamp *stamp, char **out_stale);

/* The place in the list of each stamped route, -1: it is gone. (transfer full) */
int *tt_profile_find_stamped(const TtProfileSide *side, const TtStamp *stamp);

/* profile-native: what the kernel shall have once our attributes go; appends TtNativeRoute. */
void tt_profile_natives(NMConnection *connection, const GPtrArray *links, GPtrArray *to);

/* profile-link: the device of a profile that is not active, as far as it tells. (transfer full) */
TtLink *tt_profile_link_guess(NMConnection *connection);

/* profile-match: what a policy wants of a route that is not in the kernel yet. */
typedef struct {
    const TtProfileInput *input;
    NMConnection *connection;
    TtFacts *facts;
    GArray *devices; /* int: ifindexes in facts, one at least */
} TtProfileMatcher;

void tt_profile_matcher_init(TtProfileMatcher *matcher,
                             NMConnection *connection,
                             const TtProfileInput *input);
void tt_profile_matcher_clear(TtProfileMatcher *matcher);

/* `protocol`: RTPROT_STATIC for what is in the profile. False: *out_undecided (transfer full) says
 * why the whole profile is left alone. */
bool tt_profile_match(const TtProfileMatcher *matcher,
                      const TtProfileSide *side,
                      NMIPRoute *route,
                      guint8 protocol,
                      TtWanted *out_wanted,
                      char **out_undecided);

/* profile-wish: what shall become of each route of one side. */
typedef struct {
    NMIPRoute *route; /* (a reference) */
    int index;        /* in side->routes; -1: the gateway's */
    int instead;      /* of the gateway's: the same route that is in the list; -1: there is none */
    TtWanted wanted;
    guint touched; /* TT_PROFILE_BIT()s that change */
    gint64 value[_TT_PROFILE_ATTR_N];
    TtPath path;
    char *why;
    char *group; /* routes that are tuned alike or none; NULL: it stands alone */
} TtProfileWish;

/* TtProfileWish of the gateway, then of each route that the policy matches, and of those that
 * stand in a group, matched or not. NULL with *out_undecided set as above. (transfer full) */
GPtrArray *
tt_profile_wishes(const TtProfileMatcher *matcher, const TtProfileSide *side, char **out_undecided);
void tt_profile_wish_leave(TtProfileWish *wish, const char *why);
/* Does the policy want something that NetworkManager has an attribute for? */
bool tt_profile_wish_is_native(const TtWanted *wanted);

/* profile-weights: leaves those of a group to the kernel that are not wished alike. */
void tt_profile_weights_judge(const TtProfileWeights *weights, const GPtrArray *wishes);
/* (transfer full), NULL: the route stands alone. */
char *
tt_profile_weights_group(NMConnection *connection, const TtProfileSide *side, NMIPRoute *route);

/* profile-tune: makes the wishes true, and notes it. */
void tt_profile_tune(TtProfileSide *side, const GPtrArray *wishes, TtStamp *stamp);

/* profile-left: why this profile is never written; NULL: it may be. (transfer none) */
const char *tt_profile_why_left(NMConnection *connection, const TtProfileInput *input);
