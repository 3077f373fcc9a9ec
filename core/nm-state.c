/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-state.h"

#include "error.h"
#include "state-file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define NM_RUN_DIR "/run/NetworkManager"
#define VERSION_NAME "nm-version"
#define DAEMON_NAME "NetworkManager"

/*
 * The devices.
 */

/*
 * /run/NetworkManager/devices/IFINDEX is a key file (src/core/nm-config.c:
 * nm_config_device_state_write) of plain values. Not read by GKeyFile: before GLib 2.68 that opens
 * the locale's files, and this runs on every event of every host.
 */
static char *
get_value(char *const *lines, const char *group, const char *key)
{
    g_autofree char *header = g_strdup_printf("[%s]", group);
    g_autofree char *start = g_strdup_printf("%s=", key);
    bool inside = false;

    for (char *const *line = lines; *line; line++) {
        if ((*line)[0] == '[')
            inside = g_str_equal(*line, header);
        else if (inside && g_str_has_prefix(*line, start))
            return g_strdup(*line + strlen(start));
    }
    return NULL;
}

static char **
load_device_state(int ifindex)
{
    g_autofree char *path = g_strdup_printf(NM_RUN_DIR "/devices/%d", ifindex);
    g_autofree char *text = NULL;

    if (access(path, R_OK) < 0 || !g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    return g_strsplit(text, "\n", -1);
}

static GPtrArray *
get_routers(char *const *lines)
{
    g_autofree char *text = get_value(lines, "dhcp4", "dhcp4.routers");
    g_auto(GStrv) words = NULL;
    GPtrArray *routers;

    if (!text)
        return NULL;
    routers = g_ptr_array_new_with_free_func(g_free);
    words = g_strsplit_set(text, " ,;", -1);
    for (char **word = words; *word; word++) {
        if (**word)
            g_ptr_array_add(routers, g_strdup(*word));
    }
    return routers;
}

static char *
id_file_name(int ifindex)
{
    return g_strdup_printf("device-%d", ifindex);
}

/* The note is "UUID\nID\n"; it tells nothing once another profile is active on the device. */
static char *
load_id(const char *run_dir, const TtLink *link)
{
    g_autofree char *name = id_file_name(link->ifindex);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    if (!link->connection_uuid || !tt_state_file_read(run_dir, name, &text, NULL) || !text)
        return NULL;
    lines = g_strsplit(text, "\n", 3);
    if (g_strv_length(lines) < 2 || !g_str_equal(lines[0], link->connection_uuid))
        return NULL;
    return g_strdup(lines[1]);
}

static void
load_link(const char *run_dir, TtLink *link)
{
    g_auto(GStrv) lines = load_device_state(link->ifindex);

    if (!lines)
        return;
    link->connection_uuid = get_value(lines, "device", "connection-uuid");
    link->connection_id = load_id(run_dir, link);
    link->dhcp_routers = get_routers(lines);
}

void
tt_nm_state_load(const char *run_dir, TtFacts *facts)
{
    GHashTableIter iter;
    gpointer link;

    facts->regime = tt_nm_state_regime(run_dir);
    g_hash_table_iter_init(&iter, facts->links);
    while (g_hash_table_iter_next(&iter, NULL, &link))
        load_link(run_dir, link);
}

bool
tt_nm_state_note_id(const char *run_dir,
                    int ifindex,
                    const char *uuid,
                    const char *id,
                    GError **error)
{
    g_autofree char *name = id_file_name(ifindex);
    g_autofree char *text = g_strdup_printf("%s\n%s\n", uuid, id);
    g_autofree char *old = NULL;

    /* A line feed in either would make another note of it. */
    if (strchr(uuid, '\n') || strchr(id, '\n'))
        return true;
    if (!tt_state_file_read(run_dir, name, &old, error))
        return false;
    if (old && g_str_equal(old, text))
        return true;
    return tt_state_dir_make(run_dir, error)
           && tt_state_file_write(run_dir, name, text, strlen(text), error);
}

/*
 * The daemon.
 */

/* The start time of a process called NetworkManager, in clock ticks since boot; 0: it is not. */
static guint64
daemon_start_time(guint pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%u/stat", pid);
    g_autofree char *text = NULL;
    const char *comm, *end;
    g_auto(GStrv) fields = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return 0;
    comm = strchr(text, '(');
    end = strrchr(text, ')');
    if (!comm || !end || end <= comm || (gsize) (end - comm - 1) != strlen(DAEMON_NAME)
        || strncmp(comm + 1, DAEMON_NAME, strlen(DAEMON_NAME)) != 0)
        return 0;
    /* proc(5): starttime is field 22; the first behind the name is field 3. */
    fields = g_strsplit(end + 2, " ", 21);
    return g_strv_length(fields) > 19 ? g_ascii_strtoull(fields[19], NULL, 10) : 0;
}

/* A container's daemon is among the host's processes, but not ours; one that ends just now has no
 * namespace any more. Without CAP_SYS_PTRACE, as a unit runs us, nobody tells where it is; then the
 * first one, which began with the host, is ours. */
static bool
is_elsewhere(guint pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%u/ns/net", pid);
    g_autoptr(GError) error = NULL;
    g_autofree char *theirs = g_file_read_link(path, &error);
    g_autofree char *ours = g_file_read_link("/proc/self/ns/net", NULL);

    if (!theirs)
        return !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES)
               && !g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PERM);
    return ours && !g_str_equal(theirs, ours);
}

static guint
find_daemon(guint64 *out_start_time)
{
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *name;

    while (proc && (name = g_dir_read_name(proc))) {
        guint pid = (guint) g_ascii_strtoull(name, NULL, 10);

        if (pid && (*out_start_time = daemon_start_time(pid)) && !is_elsewhere(pid))
            return pid;
    }
    return 0;
}

char *
tt_nm_state_version(const char *run_dir)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) words = NULL;
    guint64 start_time;
    guint pid;

    if (!tt_state_file_read(run_dir, VERSION_NAME, &text, NULL) || !text)
        return NULL;
    words = g_strsplit(text, " ", 3);
    if (g_strv_length(words) != 3)
        return NULL;
    pid = (guint) g_ascii_strtoull(words[1], NULL, 10);
    start_time = g_ascii_strtoull(words[2], NULL, 10);
    return start_time && daemon_start_time(pid) == start_time ? g_strdup(words[0]) : NULL;
}

/* 1.42.4 -> 0x012a04; 0: not even two numbers. */
static guint
version_number(const char *version)
{
    guint part[3] = {0};

    for (guint i = 0; i < G_N_ELEMENTS(part); i++) {
        char *end;
        guint64 number = g_ascii_strtoull(version, &end, 10);

        if (!g_ascii_isdigit(*version))
            return i < 2 ? 0 : part[0] << 16 | part[1] << 8;
        part[i] = (guint) MIN(number, 255);
        version = *end == '.' ? end + 1 : "";
    }
    return part[0] << 16 | part[1] << 8 | part[2];
}

bool
tt_nm_state_note_version(const char *run_dir,
                         const char *version,
                         bool *out_changed,
                         GError **error)
{
    g_autofree char *old = tt_nm_state_version(run_dir);
    g_autofree char *text = NULL;
    guint64 start_time;
    guint pid;

    *out_changed = false;
    if (old && version_number(old) >= version_number(version))
        return true;
    pid = find_daemon(&start_time);
    if (!pid)
        return true;
    text = g_strdup_printf("%s %u %" G_GUINT64_FORMAT "\n", version, pid, start_time);
    if (!tt_state_dir_make(run_dir, error)
        || !tt_state_file_write(run_dir, VERSION_NAME, text, strlen(text), error))
        return false;
    *out_changed = true;
    return true;
}

TtNmRegime
tt_nm_regime_from_version(const char *version)
{
    guint number = version_number(version);

    if (number == 0)
        return TT_NM_UNKNOWN;
    if (number < (1 << 16 | 40 << 8))
        return TT_NM_OLD;
    /* Renewals are announced again since cab80c5129: 1.42.6 and 1.44.0. */
    return number < (1 << 16 | 42 << 8 | 6) ? TT_NM_SILENT : TT_NM_ANNOUNCING;
}

TtNmRegime
tt_nm_state_regime(const char *run_dir)
{
    g_autofree char *version = tt_nm_state_version(run_dir);

    if (version)
        return tt_nm_regime_from_version(version);
    return access(NM_RUN_DIR, F_OK) == 0 ? TT_NM_UNKNOWN : TT_NM_ABSENT;
}

const char *
tt_nm_regime_name(TtNmRegime regime)
{
    switch (regime) {
    case TT_NM_UNKNOWN:
        return "not known";
    case TT_NM_ABSENT:
        return "no NetworkManager";
    case TT_NM_OLD:
        return "before 1.40";
    case TT_NM_SILENT:
        return "1.40.0 to 1.42.5";
    case TT_NM_ANNOUNCING:
        return "1.42.6 or later";
    }
    return "not known";
}
