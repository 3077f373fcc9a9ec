/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keyfile-loss.h"

#include <NetworkManager.h>
#include <stdbool.h>
#include <string.h>

/* The folder counts only for certificates with relative names, which nobody looks at here. */
static NMConnection *
read_profile(GKeyFile *keyfile)
{
    return nm_keyfile_read(keyfile, "/", NM_KEYFILE_HANDLER_FLAGS_NONE, NULL, NULL, NULL);
}

/* What may be left out of a file, the daemon adds. */
static void
complete(NMConnection *profile)
{
    NMSettingConnection *connection = nm_connection_get_setting_connection(profile);
    g_autofree char *uuid = nm_utils_uuid_generate();

    if (!connection)
        return;
    if (!nm_setting_connection_get_id(connection))
        g_object_set(connection, NM_SETTING_CONNECTION_ID, "profile", NULL);
    if (!nm_setting_connection_get_uuid(connection))
        g_object_set(connection, NM_SETTING_CONNECTION_UUID, uuid, NULL);
    nm_connection_normalize(profile, NULL, NULL, NULL);
}

static GKeyFile *
write_profile(NMConnection *profile)
{
    g_autoptr(NMConnection) copy = nm_simple_connection_new_clone(profile);

    complete(copy);
    return nm_keyfile_write(copy, NM_KEYFILE_HANDLER_FLAGS_NONE, NULL, NULL, NULL);
}

static guint
count_comments(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n = 0;

    for (char **line = lines; *line; line++)
        n += g_strchug(*line)[0] == '#';
    return n;
}

/* nm-settings-keyfile(5). */
static const char *
setting_name(const char *group)
{
    static const struct {
        const char *alias;
        const char *name;
    } aliases[] = {
        {"ethernet", NM_SETTING_WIRED_SETTING_NAME},
        {"wifi", NM_SETTING_WIRELESS_SETTING_NAME},
        {"wifi-security", NM_SETTING_WIRELESS_SECURITY_SETTING_NAME},
    };

    for (guint i = 0; i < G_N_ELEMENTS(aliases); i++) {
        if (strcmp(group, aliases[i].alias) == 0)
            return aliases[i].name;
    }
    return group;
}

/* A key that says what would hold without it as well is no loss. */
static bool
is_property(const char *group, const char *key)
{
    GType type = nm_setting_lookup_type(setting_name(group));
    g_autoptr(GTypeClass) class = type == G_TYPE_INVALID ? NULL : g_type_class_ref(type);

    return class && g_object_class_find_property(G_OBJECT_CLASS(class), key);
}

/* Without it, is it another profile, or none at all? */
static bool
has_meaning(const char *text, NMConnection *profile, const char *group, const char *key)
{
    g_autoptr(GKeyFile) keyfile = g_key_file_new();
    g_autoptr(NMConnection) without = NULL;

    g_key_file_load_from_data(keyfile, text, strlen(text), G_KEY_FILE_NONE, NULL);
    g_key_file_remove_key(keyfile, group, key, NULL);
    without = read_profile(keyfile);
    return !without || !nm_connection_compare(profile, without, NM_SETTING_COMPARE_FLAG_EXACT);
}

typedef struct {
    const char *text;
    GKeyFile *keyfile;
    NMConnection *profile;
    GKeyFile *written;
    GPtrArray *losses;
} Work;

static void
add_group(Work *work, const char *group)
{
    g_auto(GStrv) keys = g_key_file_get_keys(work->keyfile, group, NULL, NULL);

    for (char **key = keys; key && *key; key++) {
        if (!g_key_file_has_key(work->written, group, *key, NULL) && !is_property(group, *key)
            && !has_meaning(work->text, work->profile, group, *key))
            g_ptr_array_add(work->losses, g_strdup_printf("[%s] %s", group, *key));
    }
}

/* Groups that begin with a dot are NetworkManager's own, and kept. */
static void
add_keys(Work *work)
{
    g_auto(GStrv) groups = g_key_file_get_groups(work->keyfile, NULL);

    for (char **group = groups; *group; group++) {
        if ((*group)[0] != '.')
            add_group(work, *group);
    }
}

static void
add_comments(Work *work)
{
    guint n = count_comments(work->text);

    if (n > 0)
        g_ptr_array_add(work->losses, g_strdup_printf("%u comment%s", n, n == 1 ? "" : "s"));
}

GPtrArray *
tt_keyfile_losses(const char *text)
{
    g_autoptr(GPtrArray) losses = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GKeyFile) keyfile = g_key_file_new();
    g_autoptr(NMConnection) profile = NULL;
    g_autoptr(GKeyFile) written = NULL;
    Work work;

    if (!g_key_file_load_from_data(keyfile, text, strlen(text), G_KEY_FILE_NONE, NULL))
        return NULL;
    profile = read_profile(keyfile);
    written = profile ? write_profile(profile) : NULL;
    if (!written)
        return NULL;
    work = (Work){text, keyfile, profile, written, losses};
    add_comments(&work);
    add_keys(&work);
    return losses->len > 0 ? g_steal_pointer(&losses) : NULL;
}

GPtrArray *
tt_keyfile_losses_of_file(const char *path)
{
    g_autofree char *text = NULL;

    if (!path || !g_str_has_prefix(path, "/") || !g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    return tt_keyfile_losses(text);
}
