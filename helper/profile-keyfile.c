/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile-keyfile.h"

#include "profile.h"

#include <string.h>

/* As NetworkManager does, libnm goes on without what it does not understand. */
static gboolean
note_warning(GKeyFile *file,
             NMConnection *connection,
             NMKeyfileHandlerType type,
             NMKeyfileHandlerData *data,
             void *user_data)
{
    const char *group, *key, *message;
    NMKeyfileWarnSeverity severity;

    if (type != NM_KEYFILE_HANDLER_TYPE_WARN)
        return FALSE;
    nm_keyfile_handler_data_get_context(data, &group, &key, NULL, NULL);
    nm_keyfile_handler_data_warn_get(data, &message, &severity);
    if (severity >= NM_KEYFILE_WARN_SEVERITY_WARN)
        g_ptr_array_add(
            user_data, g_strdup_printf("[%s] %s: %s", group ? group : "", key ? key : "", message));
    return TRUE;
}

/* With a uuid of its own where it has none, as `nmcli --offline` does. */
static NMConnection *
read_profile(const char *text, GPtrArray *notes, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *base_dir = g_get_current_dir();
    g_autoptr(NMConnection) connection = NULL;

    if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, error))
        return NULL;
    connection =
        nm_keyfile_read(file, base_dir, NM_KEYFILE_HANDLER_FLAGS_NONE, note_warning, notes, error);
    if (!connection || !nm_connection_normalize(connection, NULL, NULL, error))
        return NULL;
    return g_steal_pointer(&connection);
}

static void
note_routes(const TtProfilePlan *plan, GPtrArray *notes)
{
    if (plan->left)
        g_ptr_array_add(notes, g_strdup_printf("the profile is left alone: %s", plan->left));
    if (plan->stale)
        g_ptr_array_add(notes, g_strdup_printf("%s since the gateway was moved", plan->stale));
    for (guint i = 0; !plan->left && i < plan->routes->len; i++) {
        const TtProfileRoute *route = plan->routes->pdata[i];

        if (route->path == TT_PATH_KERNEL || route->why)
            g_ptr_array_add(notes, g_strdup_printf("%s: left to the running system: %s",
                                                   route->route, route->why ? route->why : ""));
    }
}

char *
tt_profile_keyfile_tune(const TtPolicy *policy, const char *text, GPtrArray *notes, GError **error)
{
    const TtProfileInput input = {.policy = policy};
    g_autoptr(NMConnection) connection = NULL;
    g_autoptr(TtProfilePlan) plan = NULL;
    g_autoptr(GKeyFile) file = NULL;

    if (!tt_profile_supported(error))
        return NULL;
    connection = read_profile(text, notes, error);
    plan = connection ? tt_profile_plan(connection, &input, error) : NULL;
    if (!plan)
        return NULL;
    note_routes(plan, notes);
    if (!plan->after)
        return g_strdup(text);
    file = nm_keyfile_write(plan->after, NM_KEYFILE_HANDLER_FLAGS_NONE, NULL, NULL, error);
    return file ? g_key_file_to_data(file, NULL, NULL) : NULL;
}
