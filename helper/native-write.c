/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles are written where they are stored, by Update2. Somebody may edit the same profile
 * meanwhile: from 1.44 on the daemon compares version ids; before, the profile is read once more
 * just before it is written. Either way what was edited is planned anew and kept.
 */
#include "native-internal.h"

#include "nm-settings.h"

#define PROFILE "org.freedesktop.NetworkManager.Settings.Connection"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define MAX_TRIES 5
#define MAX_JOBS 32
#define NO_REAPPLY 0x40 /* NM_SETTINGS_UPDATE2_FLAG_NO_REAPPLY: zone and metered stay, too */

typedef struct {
    TtNative *native;
    const TtPolicy *policy; /* to plan anew with */
    guint next;             /* of native->profiles */
} Writer;

typedef struct {
    Writer *writer;
    TtNativeProfile *planned;
} Job;

static void start_next(Writer *writer);

static void
call(Job *job, const char *interface, const char *method, GVariant *arguments, TtNmReplyFunc func)
{
    TtNmCall what = {job->planned->profile->path, interface, method, arguments};

    tt_nm_bus_queue(job->writer->native->nm->bus, &what, true, func, job);
}

/* The next profile is made ready while the daemon writes this one. */
static void
end(Job *job)
{
    Writer *writer = job->writer;

    g_free(job);
    start_next(writer);
}

static void
fail(Job *job, const GError *error)
{
    job->planned->failure = tt_nm_bus_is_gone(error) ? g_strdup("NetworkManager has gone")
                                                     : tt_nm_bus_error_text(error);
    end(job);
}

static void read_version(Job *job);

static void
take_update(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (reply) {
        job->planned->written = true;
        end(job);
    } else if (tt_nm_bus_is_refusal(error, "VersionIdMismatch")
               && ++job->planned->n_tries < MAX_TRIES) {
        read_version(job);
    } else {
        fail(job, error);
    }
}

static void
send_update(Job *job)
{
    const TtNmProfile *profile = job->planned->profile;
    const TtProfilePlan *plan = job->planned->plan;
    g_autoptr(GVariant) merged = tt_nm_settings_merge(profile->settings, plan->before, plan->after);
    GVariantBuilder options;

    g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
    if (profile->version_id)
        g_variant_builder_add(&options, "{sv}", "version-id",
                              g_variant_new_uint64(profile->version_id));
    call(job, PROFILE, "Update2", g_variant_new("(@a{sa{sv}}ua{sv})", merged, NO_REAPPLY, &options),
         take_update);
}

/* Plans anew if it is another profile than it was. False: nothing is to be written any more. */
static bool
plan_again(Job *job, GVariant *reply)
{
    TtNmProfile *profile = job->planned->profile;
    g_autoptr(GVariant) old = g_variant_ref(profile->settings);

    if (!tt_nm_profile_take_settings(profile, reply, NULL)) {
        job->planned->failure = g_strdup("this libnm does not understand it any more");
        return false;
    }
    if (!g_variant_equal(old, profile->settings)) {
        tt_profile_plan_free(job->planned->plan);
        job->planned->plan =
            tt_native_plan(job->writer->native, job->writer->policy, profile, profile->connection);
    }
    return job->planned->plan->after != NULL;
}

static void
take_settings(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;

    if (!reply)
        fail(job, error);
    else if (plan_again(job, reply))
        send_update(job);
    else
        end(job);
}

static void
read_settings(Job *job)
{
    call(job, PROFILE, "GetSettings", NULL, take_settings);
}

static void
take_version(GVariant *reply, const GError *error, gpointer data)
{
    Job *job = data;
    g_autoptr(GVariant) value = NULL;

    if (!reply) {
        fail(job, error);
        return;
    }
    g_variant_get(reply, "(v)", &value);
    job->planned->profile->version_id =
        g_variant_is_of_type(value, G_VARIANT_TYPE_UINT64) ? g_variant_get_uint64(value) : 0;
    read_settings(job);
}

/* Before the settings, for the reason that is told in nm-objects.c. */
static void
read_version(Job *job)
{
    call(job, PROPERTIES, "Get", g_variant_new("(ss)", PROFILE, "VersionId"), take_version);
}

static void
start(Writer *writer, TtNativeProfile *planned)
{
    Job *job = g_new0(Job, 1);

    *job = (Job){writer, planned};
    if (planned->profile->version_id)
        send_update(job);
    else
        read_settings(job);
}

static void
start_next(Writer *writer)
{
    while (writer->next < writer->native->profiles->len) {
        TtNativeProfile *planned = writer->native->profiles->pdata[writer->next++];

        if (planned->plan->after) {
            start(writer, planned);
            return;
        }
    }
}

void
tt_native_write(TtNative *native)
{
    Writer writer = {native, native->policy, 0};

    for (guint i = 0; i < MAX_JOBS; i++)
        start_next(&writer);
    tt_nm_bus_run(native->nm->bus);
}

void
tt_native_restore(TtNative *native, TtNativeProfile *planned)
{
    Writer writer = {native, NULL, native->profiles->len};
    Job *job = g_new0(Job, 1);

    *job = (Job){&writer, planned};
    if (planned->profile->version_id)
        read_version(job);
    else
        read_settings(job);
    tt_nm_bus_run(native->nm->bus);
}
