/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-version.h"

#include "core/apply.h"
#include "core/nm-state.h"

#include <gio/gio.h>

#define TIMEOUT_MS 2000

static char *
ask_version(void)
{
    g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
    g_autoptr(GVariant) reply = NULL;
    g_autoptr(GVariant) value = NULL;

    if (!bus)
        return NULL;
    /* A lost bus must not end the program midway. */
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
        "org.freedesktop.DBus.Properties", "Get",
        g_variant_new("(ss)", "org.freedesktop.NetworkManager", "Version"), G_VARIANT_TYPE("(v)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, NULL);
    if (!reply)
        return NULL;
    g_variant_get(reply, "(v)", &value);
    return g_variant_is_of_type(value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string(value, NULL)
                                                              : NULL;
}

void
tt_nm_version_note(void)
{
    g_autofree char *version = ask_version();
    bool changed;

    if (version)
        tt_nm_state_note_version(TT_RUN_DIR, version, &changed, NULL);
}
