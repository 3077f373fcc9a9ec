/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-select.h"

#include "core/error.h"
#include "exit.h"

#include <net/if.h>
#include <string.h>

void
tt_selection_init(TtSelection *selection)
{
    selection->interfaces = g_ptr_array_new();
    selection->ids = g_ptr_array_new();
    selection->uuids = g_ptr_array_new();
}

void
tt_selection_clear(TtSelection *selection)
{
    g_clear_pointer(&selection->interfaces, g_ptr_array_unref);
    g_clear_pointer(&selection->ids, g_ptr_array_unref);
    g_clear_pointer(&selection->uuids, g_ptr_array_unref);
}

bool
tt_selection_names_profiles(const TtSelection *selection)
{
    return selection->ids->len > 0 || selection->uuids->len > 0;
}

bool
tt_selection_is_all(const TtSelection *selection)
{
    return selection->interfaces->len == 0 && !tt_selection_names_profiles(selection);
}

static GPtrArray *
list_of(const TtSelection *selection, const char *word)
{
    if (!strcmp(word, "ifname"))
        return selection->interfaces;
    if (!strcmp(word, "id"))
        return selection->ids;
    return !strcmp(word, "uuid") ? selection->uuids : NULL;
}

bool
tt_selection_take(TtSelection *selection, char ***args, GError **error)
{
    GPtrArray *names = list_of(selection, **args);

    if (!names)
        return false;
    if (!(*args)[1])
        return tt_usage_error(error, "missing argument for '%s'.", **args);
    g_ptr_array_add(names, *++*args);
    return true;
}

static bool
is_for(const TtNmProfile *profile, const char *interface)
{
    const char *own = nm_connection_get_interface_name(profile->connection);

    for (guint i = 0; i < profile->devices->len; i++) {
        const TtNmDevice *device = profile->devices->pdata[i];

        if (!strcmp(device->interface, interface))
            return true;
    }
    return profile->devices->len == 0 && own && !strcmp(own, interface);
}

static bool
has_id(const TtNmProfile *profile, const char *id)
{
    return g_strcmp0(nm_connection_get_id(profile->connection), id) == 0;
}

static bool
has_uuid(const TtNmProfile *profile, const char *uuid)
{
    return g_strcmp0(nm_connection_get_uuid(profile->connection), uuid) == 0;
}

typedef bool (*Fits)(const TtNmProfile *profile, const char *name);

/* Each profile once, however often it is named. */
static bool
add_fitting(const TtNm *nm, Fits fits, const char *name, GPtrArray *found)
{
    bool any = false;

    for (guint i = 0; nm && i < nm->profiles->len; i++) {
        TtNmProfile *profile = nm->profiles->pdata[i];

        if (!fits(profile, name))
            continue;
        any = true;
        if (!g_ptr_array_find(found, profile, NULL))
            g_ptr_array_add(found, profile);
    }
    return any;
}

static bool
add_named(const TtNm *nm, Fits fits, const GPtrArray *names, GPtrArray *found, GError **error)
{
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];

        if (add_fitting(nm, fits, name, found))
            continue;
        g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "unknown connection '%s'.", name);
        return false;
    }
    return true;
}

GPtrArray *
tt_selection_profiles(const TtSelection *selection, const TtNm *nm, GError **error)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new();

    if (tt_selection_is_all(selection)) {
        for (guint i = 0; nm && i < nm->profiles->len; i++)
            g_ptr_array_add(found, nm->profiles->pdata[i]);
        return g_steal_pointer(&found);
    }
    for (guint i = 0; i < selection->interfaces->len; i++)
        add_fitting(nm, is_for, selection->interfaces->pdata[i], found);
    if (!add_named(nm, has_id, selection->ids, found, error)
        || !add_named(nm, has_uuid, selection->uuids, found, error))
        return NULL;
    return g_steal_pointer(&found);
}

static void
add_device(GArray *devices, int ifindex)
{
    for (guint i = 0; i < devices->len; i++) {
        if (g_array_index(devices, int, i) == ifindex)
            return;
    }
    if (ifindex)
        g_array_append_val(devices, ifindex);
}

static bool
has_profile(const GPtrArray *profiles, const char *interface)
{
    for (guint i = 0; i < profiles->len; i++) {
        if (is_for(profiles->pdata[i], interface))
            return true;
    }
    return false;
}

static bool
add_interfaces(const TtSelection *selection,
               const GPtrArray *profiles,
               GArray *devices,
               GError **error)
{
    for (guint i = 0; i < selection->interfaces->len; i++) {
        const char *name = selection->interfaces->pdata[i];
        int ifindex = (int) if_nametoindex(name);

        if (!ifindex && !has_profile(profiles, name)) {
            g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "Device '%s' not found.", name);
            return false;
        }
        add_device(devices, ifindex);
    }
    return true;
}

GArray *
tt_selection_devices(const TtSelection *selection, const GPtrArray *profiles, GError **error)
{
    g_autoptr(GArray) devices = g_array_new(FALSE, FALSE, sizeof(int));

    if (!add_interfaces(selection, profiles, devices, error))
        return NULL;
    for (guint i = 0; tt_selection_names_profiles(selection) && i < profiles->len; i++) {
        const TtNmProfile *profile = profiles->pdata[i];

        for (guint k = 0; k < profile->devices->len; k++)
            add_device(devices, ((TtNmDevice *) profile->devices->pdata[k])->ifindex);
    }
    return g_steal_pointer(&devices);
}
