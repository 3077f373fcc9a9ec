/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An Update2 changes what is stored, not what a device runs with. That is edited by itself: what
 * else an administrator has changed in the profile, and not activated yet, is not activated by us.
 */
#include "native-internal.h"

#include "core/apply.h"
#include "nm-settings.h"
#include "reapply-rule.h"

#define DEVICE "org.freedesktop.NetworkManager.Device"
#define PRESERVE_EXTERNAL_IP 0x1 /* NM_DEVICE_REAPPLY_FLAGS_PRESERVE_EXTERNAL_IP */
#define REAPPLY_TIMEOUT_MS 10000
#define MAX_TRIES 5

typedef struct {
    TtNative *native;
    TtNativeDevice *device;
    bool force;
} Job;

static void
call(TtNative *native,
     TtNativeDevice *device,
     bool force,
     const char *method,
     GVariant *arguments,
     TtNmReplyFunc func)
{
    TtNmCall what = {device->device->path, DEVICE, method, arguments, REAPPLY_TIMEOUT_MS};
    Job *job = g_new(Job, 1);

    *job = (Job){native, device, force};
    tt_nm_bus_queue(native->nm->bus, &what, true, func, job);
}

static void
fail(TtNativeDevice *device, const GError *error)
{
    device->effect = TT_EFFECT_FAILED;
    g_free(device->text);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
        device->text =
            g_strdup_printf("NetworkManager did not answer in %d s", REAPPLY_TIMEOUT_MS / 1000);
    else if (tt_nm_bus_is_gone(error))
        device->text = g_strdup("NetworkManager has gone");
    else
        device->text = tt_nm_bus_error_text(error);
}

/* Plans for what the device runs with. False: that is as it shall be. */
static bool
plan(TtNative *native, TtNativeDevice *device, GVariant *reply)
{
    g_clear_pointer(&device->plan, tt_profile_plan_free);
    if (!tt_nm_profile_take_settings(device->applied, reply, NULL))
        return false;
    g_variant_get_child(reply, 1, "t", &device->applied->version_id);
    device->plan =
        tt_native_plan(native, native->policy, device->owner->profile, device->applied->connection);
    if (!device->plan->after)
        return false;
    device->interrupts = tt_reapply_interrupts(
        device->plan->before, device->plan->after,
        &(TtReapplyFacts){.number = native->nm->number, .ipv6_tuned = device->ipv6_tuned});
    return true;
}

static void
take_applied(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (reply)
        plan(job->native, job->device, reply);
    g_free(job);
}

static void take_applied_again(GVariant *reply, const GError *error, gpointer data);

static void
take_reapply(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (reply)
        job->device->effect = TT_EFFECT_NOW;
    else if (tt_nm_bus_is_refusal(error, "VersionIdMismatch") && ++job->device->n_tries < MAX_TRIES)
        call(job->native, job->device, job->force, "GetAppliedConnection", g_variant_new("(u)", 0),
             take_applied_again);
    else
        fail(job->device, error);
    g_free(job);
}

static void
send_reapply(TtNative *native, TtNativeDevice *device, bool force)
{
    const TtNmProfile *applied = device->applied;
    g_autoptr(GVariant) settings =
        tt_nm_settings_merge(applied->settings, device->plan->before, device->plan->after);
    guint32 flags = native->nm->number < TT_NM_REAPPLY_KEEPS_FOREIGN ? 0 : PRESERVE_EXTERNAL_IP;

    call(native, device, force, "Reapply",
         g_variant_new("(@a{sa{sv}}tu)", settings, applied->version_id, flags), take_reapply);
}

/* Somebody else has reapplied meanwhile. */
static void
take_applied_again(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (!reply)
        fail(job->device, error);
    else if (!plan(job->native, job->device, reply))
        job->device->effect = TT_EFFECT_NOW;
    else if (job->force || !job->device->interrupts)
        send_reapply(job->native, job->device, job->force);
    g_free(job);
}

void
tt_native_queue_reapply(TtNative *native, TtNativeDevice *device, bool force)
{
    send_reapply(native, device, force);
}

static void
take_put_back(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (!reply)
        fail(job->device, error);
    g_free(job);
}

void
tt_native_queue_put_back(TtNative *native, TtNativeDevice *device)
{
    guint32 flags = native->nm->number < TT_NM_REAPPLY_KEEPS_FOREIGN ? 0 : PRESERVE_EXTERNAL_IP;

    call(native, device, true, "Reapply",
         g_variant_new("(@a{sa{sv}}tu)", device->applied->settings, (guint64) 0, flags),
         take_put_back);
}

/* Where routes are that we have tuned in the kernel, and that NetworkManager believes plain. */
static GHashTable *
find_ipv6_tuned(const TtNative *native, GError **error)
{
    g_autoptr(TtPlan) now = tt_apply_look(&(TtApplyOptions){.policy = native->policy}, error);
    GHashTable *tuned;

    if (!now)
        return NULL;
    tuned = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < now->items->len; i++) {
        const TtPlanItem *item = now->items->pdata[i];

        if (!item->since || item->route->family != AF_INET6)
            continue;
        for (guint k = 0; k < item->route->n_hops; k++)
            g_hash_table_add(tuned, GINT_TO_POINTER(item->route->hops[k].ifindex));
    }
    return tuned;
}

static void
add_device(TtNative *native, TtNativeProfile *owner, TtNmDevice *on, GHashTable *ipv6_tuned)
{
    TtNativeDevice *device = g_new0(TtNativeDevice, 1);

    device->owner = owner;
    device->device = on;
    device->applied = tt_nm_profile_new();
    device->ipv6_tuned = g_hash_table_contains(ipv6_tuned, GINT_TO_POINTER(on->ifindex));
    g_ptr_array_add(native->devices, device);
    call(native, device, false, "GetAppliedConnection", g_variant_new("(u)", 0), take_applied);
}

static void
add_devices(TtNative *native, TtNativeProfile *planned, GHashTable *ipv6_tuned)
{
    for (guint i = 0; i < planned->profile->devices->len; i++) {
        TtNmDevice *on = planned->profile->devices->pdata[i];

        if (on->state == NM_DEVICE_STATE_ACTIVATED && on->ifindex)
            add_device(native, planned, on, ipv6_tuned);
    }
}

static void
drop_settled(GPtrArray *devices)
{
    for (guint i = devices->len; i > 0; i--) {
        const TtNativeDevice *device = devices->pdata[i - 1];

        if (!device->plan || !device->plan->after)
            g_ptr_array_remove_index(devices, i - 1);
    }
}

bool
tt_native_look_at_devices(TtNative *native, GError **error)
{
    g_autoptr(GHashTable) ipv6_tuned = find_ipv6_tuned(native, error);

    if (!ipv6_tuned)
        return false;
    for (guint i = 0; i < native->profiles->len; i++) {
        TtNativeProfile *planned = native->profiles->pdata[i];

        if (!planned->failure && !planned->plan->left)
            add_devices(native, planned, ipv6_tuned);
    }
    tt_nm_bus_run(native->nm->bus);
    drop_settled(native->devices);
    return true;
}
