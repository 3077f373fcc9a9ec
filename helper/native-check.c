/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "native-check.h"

#include "core/error.h"

/* (transfer container) */
static GPtrArray *
all_profiles(const TtNm *nm)
{
    GPtrArray *profiles = g_ptr_array_new();

    for (guint i = 0; i < nm->profiles->len; i++)
        g_ptr_array_add(profiles, nm->profiles->pdata[i]);
    return profiles;
}

/* NULL, with the complaint: there is none, or none that can be written to. */
static TtNm *
open_nm(char **out_complaint)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(TtNm) nm = tt_nm_load(&failure);

    *out_complaint = nm ? tt_native_why_not(nm) : g_strdup(failure->message);
    return *out_complaint ? NULL : g_steal_pointer(&nm);
}

bool
tt_native_check(const TtPolicy *policy, TtNative **out_native, char **out_complaint, GError **error)
{
    g_autofree char *complaint = NULL;
    g_autoptr(TtNm) nm = open_nm(&complaint);
    g_autoptr(GPtrArray) profiles = NULL;

    if (!nm) {
        if (policy->main.native == TT_TRISTATE_YES)
            *out_complaint = g_steal_pointer(&complaint);
        return true;
    }
    if (!tt_nm_read_profiles(nm, error))
        return false;
    profiles = all_profiles(nm);
    *out_native =
        tt_native_new(g_steal_pointer(&nm), policy->main.native == TT_TRISTATE_NO ? NULL : policy,
                      profiles, error);
    return *out_native != NULL;
}

char *
tt_native_difference(const TtNativeProfile *planned, TtTristate native)
{
    const TtProfilePlan *plan = planned->plan;

    if (plan->left)
        return native == TT_TRISTATE_YES
                   ? g_strdup_printf("native=yes, and yet left: %s", plan->left)
                   : NULL;
    if (!plan->after)
        return NULL;
    if (plan->stale)
        return g_strdup_printf("%s; apply takes out the route that the gateway was moved to",
                               plan->stale);
    return g_strdup(native == TT_TRISTATE_NO ? "native=no, and yet it has attributes of ours"
                                             : "not as the policy says");
}
