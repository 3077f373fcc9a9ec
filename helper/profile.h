/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the policy makes of a profile of NetworkManager, and what a profile was before. Pure: no
 * bus, no files, no time; the caller brings the connection and writes the result where the
 * profile is stored.
 *
 * A profile that was touched says so in its own `user` setting (in its keyfile: [user],
 * tcptune-nm.ipv4-gateway=192.0.2.1), so that it can be given back without the policy and
 * without state of ours. Whatever somebody changed since stays as it was changed.
 */
#pragma once

#include "core/plan.h"

#include <NetworkManager.h>

typedef enum {
    TT_PATH_NATIVE, /* the profile has the attributes, or will have them */
    TT_PATH_KERNEL, /* the kernel's route is tuned behind NetworkManager's back */
} TtPath;

/* A route of the profile, or its gateway, that the policy matches or that we touched. */
typedef struct {
    int family;
    char *route; /* in nmcli's words: "0.0.0.0/0 192.0.2.1", "10.0.0.0/8 192.0.2.9 50" */
    TtPath path;
    char *why;       /* half a sentence for people; NULL: wholly native, nothing to explain */
    bool taken_back; /* it was touched, and the policy does not match it any more */
} TtProfileRoute;

typedef struct TtProfileWeights TtProfileWeights;

typedef struct {
    const TtPolicy *policy; /* NULL: give everything back */
    const GPtrArray
        *links;           /* TtLink: the devices it is active on; NULL or empty: none. Their
                             connection_uuid and connection_id are not read: the profile's count */
    const char *filename; /* as the daemon tells it; NULL: not known */
    guint32 flags;        /* NM_SETTINGS_CONNECTION_FLAG_*: generated, volatile, external */
    const TtProfileWeights *weights; /* of the profiles that are active beside it; NULL: none */
} TtProfileInput;

typedef struct {
    NMConnection *before; /* (a reference) */
    NMConnection *after;  /* a clone, edited, which verifies; NULL: it is as it shall be */
    GPtrArray *routes;    /* TtProfileRoute, in the order of the profile, IPv4 first */
    GPtrArray *native;    /* TtNativeRoute, one for each device: where attributes of ours are taken
                             back, what the kernel shall have then */
    char *left;           /* why the whole profile is left to the kernel path though the policy
                             matches something in it or it was touched before; NULL: it is not */
    char *stale;          /* what somebody did to a gateway that was moved: "ipv4.gateway was set to
                             192.0.2.2"; NULL: nothing. The route of ours is gone in `after` */
} TtProfilePlan;

/*
 * The profile is restored from its stamp in thought, and then tuned by the policy: planning
 * `after` again gives no change. Error: TT_ERROR_NOT_FOUND, this libnm does not know rto_min
 * (before 1.40): it would lose what is written. (transfer full)
 */
TtProfilePlan *
tt_profile_plan(NMConnection *connection, const TtProfileInput *input, GError **error);

void tt_profile_plan_free(TtProfilePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtProfilePlan, tt_profile_plan_free)

/*
 * Routes that NetworkManager (`weight=`, IPv4) or the kernel (IPv6, the same metric) joins into one
 * multipath route: tuned alike or none, also across profiles. Add every active profile, then
 * give the same object to each plan. (transfer full)
 */
TtProfileWeights *tt_profile_weights_new(void);
void tt_profile_weights_add(TtProfileWeights *weights,
                            NMConnection *connection,
                            const TtProfileInput *input);
void tt_profile_weights_free(TtProfileWeights *weights);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtProfileWeights, tt_profile_weights_free)

/* Has it a stamp of ours? Cheap. */
bool tt_profile_is_stamped(NMConnection *connection);

/* False with TT_ERROR_NOT_FOUND: this libnm would lose rto_min. */
bool tt_profile_supported(GError **error);

/* The change, a line for each property, "-" before what goes and "+" before what comes. ""
 * without a change. (transfer full) */
char *tt_profile_diff(const TtProfilePlan *plan);

/*
 * The nmcli commands that make the same change, each a line for a shell. The whole list of routes
 * is set at once, so that its order stays. The stamp is left out: no nmcli can write the user
 * setting completely. Empty without a change. (transfer full)
 */
GPtrArray *tt_profile_nmcli(const TtProfilePlan *plan);
