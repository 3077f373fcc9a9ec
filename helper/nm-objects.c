/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-objects.h"

#include "core/error.h"

#include <net/if.h>
#include <stdio.h>

#define MANAGER_PATH "/org/freedesktop/NetworkManager"
#define MANAGER "org.freedesktop.NetworkManager"
#define PROFILE MANAGER ".Settings.Connection"
#define DEVICE MANAGER ".Device"
#define ACTIVE MANAGER ".Connection.Active"

TtNmProfile *
tt_nm_profile_new(void)
{
    TtNmProfile *profile = g_new0(TtNmProfile, 1);

    profile->devices = g_ptr_array_new();
    return profile;
}

void
tt_nm_profile_free(TtNmProfile *profile)
{
    if (!profile)
        return;
    g_free(profile->path);
    g_free(profile->filename);
    g_clear_pointer(&profile->settings, g_variant_unref);
    g_clear_object(&profile->connection);
    g_ptr_array_unref(profile->devices);
    g_free(profile);
}

static void
device_free(TtNmDevice *device)
{
    g_free(device->path);
    g_free(device->interface);
    g_free(device);
}

void
tt_nm_free(TtNm *nm)
{
    if (!nm)
        return;
    g_clear_pointer(&nm->profiles, g_ptr_array_unref);
    g_clear_pointer(&nm->devices, g_ptr_array_unref);
    tt_nm_bus_free(nm->bus);
    g_free(nm->version);
    g_free(nm);
}

guint
tt_nm_version_number(const char *version)
{
    guint major = 0, minor = 0, micro = 0;

    if (sscanf(version, "%u.%u.%u", &major, &minor, &micro) < 2)
        return 0;
    return TT_NM_VERSION(MIN(major, 255), MIN(minor, 255), MIN(micro, 255));
}

const char *
tt_nm_profile_name(const TtNmProfile *profile)
{
    const char *id = nm_connection_get_id(profile->connection);

    return id && id[0] ? id : nm_connection_get_uuid(profile->connection);
}

/* A string or object path, "" where there is none. (transfer full) */
static char *
get_text(GVariant *properties, const char *name)
{
    g_autoptr(GVariant) value = g_variant_lookup_value(properties, name, NULL);

    if (!value
        || (!g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)
            && !g_variant_is_of_type(value, G_VARIANT_TYPE_OBJECT_PATH)))
        return g_strdup("");
    return g_variant_dup_string(value, NULL);
}

static void
add_profile(TtNm *nm, const char *path, GVariant *properties)
{
    TtNmProfile *profile = tt_nm_profile_new();

    profile->path = g_strdup(path);
    profile->filename = get_text(properties, "Filename");
    g_variant_lookup(properties, "VersionId", "t", &profile->version_id);
    g_variant_lookup(properties, "Flags", "u", &profile->flags);
    g_ptr_array_add(nm->profiles, profile);
}

static void
add_device(TtNm *nm, const char *path, GVariant *properties)
{
    TtNmDevice *device = g_new0(TtNmDevice, 1);

    device->path = g_strdup(path);
    device->interface = get_text(properties, "IpInterface");
    if (!device->interface[0]) {
        g_free(device->interface);
        device->interface = get_text(properties, "Interface");
    }
    device->ifindex = (int) if_nametoindex(device->interface);
    g_variant_lookup(properties, "State", "u", &device->state);
    g_ptr_array_add(nm->devices, device);
}

static void
add_object(TtNm *nm, const char *path, GVariant *interfaces)
{
    g_autoptr(GVariant) profile = g_variant_lookup_value(interfaces, PROFILE, NULL);
    g_autoptr(GVariant) device = g_variant_lookup_value(interfaces, DEVICE, NULL);
    g_autoptr(GVariant) manager = g_variant_lookup_value(interfaces, MANAGER, NULL);

    if (profile)
        add_profile(nm, path, profile);
    if (device)
        add_device(nm, path, device);
    if (manager)
        nm->version = get_text(manager, "Version");
}

static gpointer
find_by_path(const GHashTable *objects, const char *path)
{
    return g_hash_table_lookup((GHashTable *) objects, path);
}

/* A VPN is active "on" the device that carries it. */
static void
join(GHashTable *profiles, GHashTable *devices, GVariant *active)
{
    g_autofree char *path = get_text(active, "Connection");
    TtNmProfile *profile = find_by_path(profiles, path);
    g_autoptr(GVariant) on = g_variant_lookup_value(active, "Devices", G_VARIANT_TYPE("ao"));
    gboolean is_vpn = FALSE;

    g_variant_lookup(active, "Vpn", "b", &is_vpn);
    for (gsize i = 0; profile && on && !is_vpn && i < g_variant_n_children(on); i++) {
        TtNmDevice *device;
        const char *device_path;

        g_variant_get_child(on, i, "&o", &device_path);
        device = find_by_path(devices, device_path);
        if (!device)
            continue;
        device->profile = profile;
        g_ptr_array_add(profile->devices, device);
    }
}

static void
join_all(TtNm *nm, GVariant *objects)
{
    g_autoptr(GHashTable) profiles = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) devices = g_hash_table_new(g_str_hash, g_str_equal);
    GVariantIter iter;
    GVariant *interfaces;

    for (guint i = 0; i < nm->profiles->len; i++)
        g_hash_table_insert(profiles, ((TtNmProfile *) nm->profiles->pdata[i])->path,
                            nm->profiles->pdata[i]);
    for (guint i = 0; i < nm->devices->len; i++)
        g_hash_table_insert(devices, ((TtNmDevice *) nm->devices->pdata[i])->path,
                            nm->devices->pdata[i]);
    g_variant_iter_init(&iter, objects);
    while (g_variant_iter_loop(&iter, "{o@a{sa{sv}}}", NULL, &interfaces)) {
        g_autoptr(GVariant) active = g_variant_lookup_value(interfaces, ACTIVE, NULL);

        if (active)
            join(profiles, devices, active);
    }
}

/*
 * What a newer daemon has and this libnm does not know is left out: it stays in `settings`. Formats
 * with & are avoided throughout: they make GLib serialise what they are used on, and every look
 * into it takes five times as long then.
 */
static GVariant *
known_settings(GVariant *settings)
{
    GVariantBuilder known;
    GVariantIter iter;
    char *name;
    GVariant *values;

    g_variant_builder_init(&known, NM_VARIANT_TYPE_CONNECTION);
    g_variant_iter_init(&iter, settings);
    while (g_variant_iter_loop(&iter, "{s@a{sv}}", &name, &values)) {
        if (nm_setting_lookup_type(name) != G_TYPE_INVALID)
            g_variant_builder_add(&known, "{s@a{sv}}", name, values);
    }
    return g_variant_ref_sink(g_variant_builder_end(&known));
}

bool
tt_nm_profile_take_settings(TtNmProfile *profile, GVariant *reply, GError **error)
{
    g_autoptr(GVariant) settings = NULL;
    g_autoptr(GVariant) known = NULL;
    g_autoptr(NMConnection) connection = nm_simple_connection_new();

    settings = g_variant_n_children(reply) > 0 ? g_variant_get_child_value(reply, 0) : NULL;
    if (!settings || !g_variant_is_of_type(settings, NM_VARIANT_TYPE_CONNECTION)) {
        g_set_error(error, TT_ERROR, TT_ERROR_NM,
                    "NetworkManager sent something else than a profile");
        return false;
    }
    known = known_settings(settings);
    if (!nm_connection_replace_settings(connection, known, error))
        return false;
    g_clear_pointer(&profile->settings, g_variant_unref);
    g_clear_object(&profile->connection);
    profile->settings = g_steal_pointer(&settings);
    profile->connection = g_steal_pointer(&connection);
    return true;
}

typedef struct {
    TtNmProfile *profile;
    GError **gone; /* the first error that says that the daemon has gone */
} Reading;

/* A profile that was deleted meanwhile, or that this user may not see, is none of ours. */
static void
take_settings(GVariant *reply, const GError *error, gpointer data)
{
    Reading *reading = data;

    if (reply)
        tt_nm_profile_take_settings(reading->profile, reply, NULL);
    else if (tt_nm_bus_is_gone(error) && !*reading->gone)
        *reading->gone = g_error_new(TT_ERROR, TT_ERROR_NM, "NetworkManager has gone");
    g_free(reading);
}

static void
forget_unread(TtNm *nm)
{
    for (guint i = 0; i < nm->devices->len; i++) {
        TtNmDevice *device = g_ptr_array_index(nm->devices, i);

        if (device->profile && !device->profile->connection)
            device->profile = NULL;
    }
    for (guint i = nm->profiles->len; i > 0; i--) {
        if (!((TtNmProfile *) nm->profiles->pdata[i - 1])->connection)
            g_ptr_array_remove_index(nm->profiles, i - 1);
    }
}

bool
tt_nm_read_profiles(TtNm *nm, GError **error)
{
    g_autoptr(GError) gone = NULL;

    for (guint i = 0; i < nm->profiles->len; i++) {
        Reading *reading = g_new(Reading, 1);
        TtNmProfile *profile = g_ptr_array_index(nm->profiles, i);

        *reading = (Reading){profile, &gone};
        tt_nm_bus_queue(nm->bus, &(TtNmCall){profile->path, PROFILE, "GetSettings", NULL}, false,
                        take_settings, reading);
    }
    tt_nm_bus_run(nm->bus);
    forget_unread(nm);
    if (!gone)
        return true;
    g_propagate_error(error, g_steal_pointer(&gone));
    return false;
}

/* The objects before the settings: a version id that is too old is only refused, one that is too
 * new would let us overwrite what somebody has just changed. */
static bool
load_objects(TtNm *nm, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(GVariant) reply =
        tt_nm_bus_call(nm->bus,
                       &(TtNmCall){"/org/freedesktop", "org.freedesktop.DBus.ObjectManager",
                                   "GetManagedObjects", NULL},
                       &failure);
    g_autoptr(GVariant) objects = NULL;
    GVariantIter iter;
    char *path;
    GVariant *interfaces;

    if (!reply || !g_variant_is_of_type(reply, G_VARIANT_TYPE("(a{oa{sa{sv}}})"))) {
        g_autofree char *text = failure ? tt_nm_bus_error_text(failure) : g_strdup("no objects");

        g_set_error(error, TT_ERROR, TT_ERROR_NM, "NetworkManager does not answer: %s", text);
        return false;
    }
    objects = g_variant_get_child_value(reply, 0);
    g_variant_iter_init(&iter, objects);
    while (g_variant_iter_loop(&iter, "{o@a{sa{sv}}}", &path, &interfaces))
        add_object(nm, path, interfaces);
    join_all(nm, objects);
    return true;
}

TtNm *
tt_nm_load(GError **error)
{
    g_autoptr(TtNm) nm = g_new0(TtNm, 1);

    nm->bus = tt_nm_bus_new(error);
    if (!nm->bus)
        return NULL;
    nm->profiles = g_ptr_array_new_with_free_func((GDestroyNotify) tt_nm_profile_free);
    nm->devices = g_ptr_array_new_with_free_func((GDestroyNotify) device_free);
    if (!load_objects(nm, error))
        return NULL;
    nm->number = tt_nm_version_number(nm->version ? nm->version : "");
    return g_steal_pointer(&nm);
}
