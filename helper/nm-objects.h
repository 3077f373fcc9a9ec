/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What NetworkManager has: its profiles and the devices on which they are active.
 *
 * Not by NMClient: that asks for all profiles at once, and of those that a bus refuses
 * (nm-bus.h) it shows nothing at all, without an error.
 */
#pragma once

#include "nm-bus.h"

#include <NetworkManager.h>

typedef struct {
    char *path;
    guint64 version_id;       /* read before `settings`: never newer; 0: a daemon before 1.44 */
    guint32 flags;            /* NM_SETTINGS_CONNECTION_FLAG_* */
    char *filename;           /* "": none */
    GVariant *settings;       /* as the daemon sent them: without secrets */
    NMConnection *connection; /* what this libnm understands of them */
    GPtrArray *devices;       /* TtNmDevice (borrowed): on which it is active, or becomes so */
} TtNmProfile;

typedef struct {
    char *path;
    char *interface;      /* that has the addresses */
    int ifindex;          /* 0: the kernel has no such interface */
    guint32 state;        /* NM_DEVICE_STATE_* */
    TtNmProfile *profile; /* that is active; NULL: none, or not visible (borrowed) */
} TtNmDevice;

typedef struct {
    TtNmBus *bus;
    char *version;       /* "1.42.4" */
    guint number;        /* tt_nm_version_number() */
    GPtrArray *profiles; /* TtNmProfile that the caller may see */
    GPtrArray *devices;  /* TtNmDevice */
} TtNm;

/* (major << 16 | minor << 8 | micro), so that 1.42.4 is TT_NM_VERSION (1, 42, 4). 0: not a
 * version. */
#define TT_NM_VERSION(major, minor, micro) ((major) << 16 | (minor) << 8 | (micro))
guint tt_nm_version_number(const char *version);

/* Knows NM_DEVICE_REAPPLY_FLAGS_PRESERVE_EXTERNAL_IP (2c1fb50fb5). */
#define TT_NM_REAPPLY_KEEPS_FOREIGN TT_NM_VERSION(1, 40, 10)

/* The objects, in one call; the profiles are not read yet. TT_ERROR_NM_NOT_RUNNING, TT_ERROR_NM.
 * (transfer full) */
TtNm *tt_nm_load(GError **error);

/* Reads the settings of all profiles; those that the caller may not see are dropped. TT_ERROR_NM:
 * the daemon has gone. */
bool tt_nm_read_profiles(TtNm *nm, GError **error);
void tt_nm_free(TtNm *nm);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtNm, tt_nm_free)

/* "eth0", for messages; its UUID where it has no name. (transfer none) */
const char *tt_nm_profile_name(const TtNmProfile *profile);

/* Empty, for tt_nm_profile_take_settings(). (transfer full) */
TtNmProfile *tt_nm_profile_new(void);
void tt_nm_profile_free(TtNmProfile *profile);

/* Takes what GetSettings, or GetAppliedConnection, returned. False: this libnm does not understand
 * it; nothing is changed. */
bool tt_nm_profile_take_settings(TtNmProfile *profile, GVariant *reply, GError **error);
