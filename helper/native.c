/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "native-internal.h"

#include "core/error.h"
#include "core/nm-state.h"
#include "core/rtnl.h"
#include "keyfile-loss.h"

char *
tt_native_why_not(const TtNm *nm)
{
    g_autoptr(GError) error = NULL;

    if (nm->number < TT_NM_VERSION(1, 40, 0))
        return g_strdup_printf("NetworkManager %s does not know rto_min and quickack",
                               nm->version ? nm->version : "of unknown version");
    return tt_profile_supported(&error) ? NULL : g_strdup(error->message);
}

static void
free_profile(gpointer data)
{
    TtNativeProfile *profile = data;

    tt_profile_plan_free(profile->plan);
    if (profile->losses)
        g_ptr_array_unref(profile->losses);
    g_free(profile->failure);
    g_free(profile);
}

static void
free_device(gpointer data)
{
    TtNativeDevice *device = data;

    tt_nm_profile_free(device->applied);
    tt_profile_plan_free(device->plan);
    g_free(device->text);
    g_free(device);
}

void
tt_native_free(TtNative *native)
{
    if (!native)
        return;
    g_clear_pointer(&native->devices, g_ptr_array_unref);
    g_clear_pointer(&native->profiles, g_ptr_array_unref);
    tt_profile_weights_free(native->weights);
    tt_facts_free(native->facts);
    tt_nm_free(native->nm);
    g_free(native);
}

static bool
load_links(TtNative *native, GError **error)
{
    g_autoptr(GHashTable) ifindexes = g_hash_table_new(NULL, NULL);
    g_autoptr(TtRtnl) rtnl = tt_rtnl_new(error);

    for (guint i = 0; i < native->nm->devices->len; i++) {
        const TtNmDevice *device = native->nm->devices->pdata[i];

        if (device->profile && device->ifindex)
            g_hash_table_add(ifindexes, GINT_TO_POINTER(device->ifindex));
    }
    native->facts = tt_facts_new();
    return rtnl && tt_rtnl_load_links(rtnl, ifindexes, native->facts, error);
}

/* (transfer container) */
static GPtrArray *
links_of(const TtNative *native, const TtNmProfile *profile)
{
    GPtrArray *links = g_ptr_array_new();

    for (guint i = 0; i < profile->devices->len; i++) {
        const TtNmDevice *device = profile->devices->pdata[i];
        const TtLink *link = tt_facts_link(native->facts, device->ifindex);

        if (link)
            g_ptr_array_add(links, (gpointer) link);
    }
    return links;
}

static TtProfileInput
make_input(const TtNative *native,
           const TtPolicy *policy,
           const TtNmProfile *profile,
           const GPtrArray *links)
{
    return (TtProfileInput){
        .policy = policy,
        .links = links,
        .filename = profile->filename,
        .flags = profile->flags,
        .weights = native->weights,
    };
}

/* libnm was found to be new enough before: there is no other error. */
TtProfilePlan *
tt_native_plan(const TtNative *native,
               const TtPolicy *policy,
               const TtNmProfile *profile,
               NMConnection *connection)
{
    g_autoptr(GPtrArray) links = links_of(native, profile);
    TtProfileInput input = make_input(native, policy, profile, links);

    return tt_profile_plan(connection, &input, NULL);
}

static void
weigh(TtNative *native)
{
    native->weights = tt_profile_weights_new();
    for (guint i = 0; i < native->nm->profiles->len; i++) {
        const TtNmProfile *profile = native->nm->profiles->pdata[i];
        g_autoptr(GPtrArray) links = links_of(native, profile);
        TtProfileInput input = make_input(native, native->policy, profile, links);

        if (links->len > 0)
            tt_profile_weights_add(native->weights, profile->connection, &input);
    }
}

static void
add_profile(TtNative *native, TtNmProfile *profile)
{
    TtProfilePlan *plan = tt_native_plan(native, native->policy, profile, profile->connection);
    TtNativeProfile *planned;

    if (!plan->after && !plan->left && plan->routes->len == 0) {
        tt_profile_plan_free(plan);
        return;
    }
    planned = g_new0(TtNativeProfile, 1);
    planned->profile = profile;
    planned->plan = plan;
    if (plan->after)
        planned->losses = tt_keyfile_losses_of_file(profile->filename);
    g_ptr_array_add(native->profiles, planned);
}

TtNative *
tt_native_new(TtNm *nm, const TtPolicy *policy, const GPtrArray *profiles, GError **error)
{
    g_autoptr(TtNative) native = g_new0(TtNative, 1);

    native->nm = nm;
    native->policy = policy;
    native->profiles = g_ptr_array_new_with_free_func(free_profile);
    native->devices = g_ptr_array_new_with_free_func(free_device);
    if (!load_links(native, error))
        return NULL;
    weigh(native);
    for (guint i = 0; i < profiles->len; i++)
        add_profile(native, profiles->pdata[i]);
    return g_steal_pointer(&native);
}

bool
tt_native_differs(const TtNative *native)
{
    for (guint i = 0; i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];

        if (planned->plan->after)
            return true;
    }
    return false;
}

GPtrArray *
tt_native_routes(const TtNative *native)
{
    GPtrArray *routes = g_ptr_array_new();

    for (guint i = 0; i < native->profiles->len; i++) {
        const GPtrArray *own = ((TtNativeProfile *) native->profiles->pdata[i])->plan->native;

        for (guint k = 0; k < own->len; k++)
            g_ptr_array_add(routes, own->pdata[k]);
    }
    return routes;
}

static bool
is_in_force(const TtNative *native, const TtNativeProfile *planned)
{
    for (guint i = 0; i < native->devices->len; i++) {
        const TtNativeDevice *device = native->devices->pdata[i];

        if (device->owner == planned && device->effect != TT_EFFECT_NOW)
            return false;
    }
    return planned->profile->devices->len > 0;
}

static bool
becomes_stamped(const TtProfilePlan *plan)
{
    return tt_profile_is_stamped(plan->after ? plan->after : plan->before);
}

/* The notes are read at every event: one for each profile that is active somewhere. The hook
 * makes them for those that become so. */
void
tt_native_note(const TtNative *native, const char *run_dir)
{
    for (guint i = 0; i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];
        const TtNmProfile *profile = planned->profile;

        if (!planned->failure && !planned->plan->left
            && (profile->devices->len > 0 || !becomes_stamped(planned->plan)))
            tt_nm_state_note_profile(run_dir, nm_connection_get_uuid(profile->connection),
                                     profile->filename, is_in_force(native, planned), NULL);
    }
}
