/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes of the profiles that `apply` wrote to: profiles/UUID in the run directory says where the
 * profile is stored, and in which families it had never-default when it was last activated:
 *
 *   /etc/NetworkManager/system-connections/eth0.nmconnection
 *   never-default ipv4
 */
#include "keyfile.h"
#include "nm-state.h"
#include "state-file.h"

#include <string.h>
#include <unistd.h>

#define FOLDER "profiles"
#define NEVER_DEFAULT "never-default"

static const char *const family_names[] = {"ipv4", "ipv6"};

/* As NetworkManager makes them; with others a file name could be anything. */
static bool
is_uuid(const char *text)
{
    gsize len = strspn(text, "0123456789abcdefABCDEF-");

    return len > 0 && len <= 64 && text[len] == '\0';
}

static bool
is_path(const char *text)
{
    return text[0] == '/' && !strchr(text, '\n');
}

typedef struct {
    char *path;
    bool never_default[2];
} Note;

static void
note_clear(Note *note)
{
    g_clear_pointer(&note->path, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Note, note_clear)

static char *
folder_of(const char *run_dir)
{
    return g_build_filename(run_dir, FOLDER, NULL);
}

/* False: there is none that says anything. */
static bool
read_note(const char *folder, const char *uuid, Note *out_note)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    if (!tt_state_file_read(folder, uuid, &text, NULL) || !text)
        return false;
    lines = g_strsplit(text, "\n", 3);
    if (g_strv_length(lines) < 3 || !is_path(lines[0])
        || !g_str_has_prefix(lines[1], NEVER_DEFAULT))
        return false;
    out_note->path = g_strdup(lines[0]);
    for (guint i = 0; i < G_N_ELEMENTS(family_names); i++)
        out_note->never_default[i] = strstr(lines[1], family_names[i]) != NULL;
    return true;
}

static char *
format_note(const char *path, const bool never_default[2])
{
    GString *text = g_string_new(path);

    g_string_append(text, "\n" NEVER_DEFAULT);
    for (guint i = 0; i < G_N_ELEMENTS(family_names); i++) {
        if (never_default[i])
            g_string_append_printf(text, " %s", family_names[i]);
    }
    g_string_append_c(text, '\n');
    return g_string_free(text, FALSE);
}

static bool
write_note(const char *run_dir, const char *uuid, const char *text, GError **error)
{
    g_autofree char *folder = folder_of(run_dir);
    g_autofree char *old = NULL;

    if (!tt_state_file_read(folder, uuid, &old, error))
        return false;
    if (old && g_str_equal(old, text))
        return true;
    return tt_state_dir_make(run_dir, error) && tt_state_dir_make(folder, error)
           && tt_state_file_write(folder, uuid, text, strlen(text), error);
}

bool
tt_nm_state_note_profile(const char *run_dir,
                         const char *uuid,
                         const char *path,
                         bool activated,
                         GError **error)
{
    g_autofree char *folder = folder_of(run_dir);
    g_autofree char *text = NULL;
    g_auto(Note) old = {0};
    TtKeyfile keyfile;

    if (!is_uuid(uuid))
        return true;
    if (!path || !is_path(path) || !tt_keyfile_read(path, &keyfile) || !keyfile.stamped)
        return tt_state_file_remove(folder, uuid, error);
    read_note(folder, uuid, &old);
    for (guint i = 0; i < G_N_ELEMENTS(family_names) && activated; i++)
        old.never_default[i] = keyfile.gateway[i].stale & TT_STALE_NEVER_DEFAULT;
    text = format_note(path, old.never_default);
    return write_note(run_dir, uuid, text, error);
}

static TtNotedProfile *
load_profile(const char *folder, const char *uuid)
{
    g_auto(Note) note = {0};
    TtKeyfile keyfile;
    TtNotedProfile *profile;

    if (!read_note(folder, uuid, &note) || !tt_keyfile_read(note.path, &keyfile)
        || !keyfile.stamped)
        return NULL;
    profile = g_new0(TtNotedProfile, 1);
    profile->path = g_steal_pointer(&note.path);
    for (guint i = 0; i < G_N_ELEMENTS(profile->gateway); i++) {
        profile->gateway[i] = keyfile.gateway[i];
        profile->gateway[i].never_default_in_force =
            note.never_default[i] && (keyfile.gateway[i].stale & TT_STALE_NEVER_DEFAULT);
    }
    return profile;
}

/* NULL at the end. What is being written aside has another name. */
static const char *
next_uuid(GDir *dir)
{
    const char *name;

    while (dir && (name = g_dir_read_name(dir))) {
        if (is_uuid(name))
            return name;
    }
    return NULL;
}

void
tt_nm_state_load_profiles(const char *run_dir, TtFacts *facts)
{
    g_autofree char *folder = folder_of(run_dir);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *uuid;

    while ((uuid = next_uuid(dir))) {
        TtNotedProfile *profile = load_profile(folder, uuid);

        if (profile)
            tt_facts_add_profile(facts, uuid, profile);
    }
}

bool
tt_nm_state_has_profiles(const char *run_dir)
{
    g_autofree char *folder = folder_of(run_dir);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);

    return next_uuid(dir) != NULL;
}

bool
tt_nm_state_tidy_profiles(const char *run_dir, GError **error)
{
    g_autofree char *folder = folder_of(run_dir);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *uuid;

    while ((uuid = next_uuid(dir))) {
        TtNotedProfile *profile = load_profile(folder, uuid);
        bool known = profile != NULL;

        tt_noted_profile_free(profile);
        if (!known && !tt_state_file_remove(folder, uuid, error))
            return false;
    }
    return true;
}
