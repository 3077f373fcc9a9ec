/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that are not ours to write, whatever is in them. */
#include "profile-internal.h"

#include <string.h>

#define SHIPPED_DIR "/usr/lib/NetworkManager/system-connections/"
#define IFCFG_DIR "/etc/sysconfig/network-scripts/"
#define NETPLAN_PREFIX "/run/NetworkManager/system-connections/netplan-"

static const char *
why_by_flags(guint32 flags)
{
    if (flags & NM_SETTINGS_CONNECTION_FLAG_EXTERNAL)
        return "it only describes what something else has set up";
    if (flags & NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED)
        return "NetworkManager has generated it";
    if (flags & NM_SETTINGS_CONNECTION_FLAG_VOLATILE)
        return "it ends with its connection";
    return NULL;
}

static const char *
why_by_filename(const char *filename)
{
    if (!filename)
        return NULL;
    if (g_str_has_prefix(filename, SHIPPED_DIR))
        return "it is shipped in " SHIPPED_DIR;
    if (g_str_has_prefix(filename, IFCFG_DIR))
        return "it is an ifcfg file";
    if (g_str_has_prefix(filename, NETPLAN_PREFIX))
        return "netplan has generated it";
    return NULL;
}

static const char *
why_by_setting(NMConnection *connection)
{
    NMSettingConnection *setting = nm_connection_get_setting_connection(connection);

    if (!setting)
        return "it has no [connection]";
    if (nm_setting_connection_get_read_only(setting))
        return "it is read-only";
    if (nm_setting_connection_get_master(setting))
        return "its device is a port of another one";
    if (g_strcmp0(nm_setting_connection_get_connection_type(setting), NM_SETTING_VPN_SETTING_NAME)
        == 0)
        return "it is a VPN";
    return NULL;
}

const char *
tt_profile_why_left(NMConnection *connection, const TtProfileInput *input)
{
    const char *why = why_by_flags(input->flags);

    if (!why)
        why = why_by_filename(input->filename);
    if (!why)
        why = why_by_setting(connection);
    if (!why && tt_stamp_is_newer(connection))
        why = "its note is of a later tcptune-nm";
    return why;
}
