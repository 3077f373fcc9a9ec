/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor-status.h"

#include "lock.h"
#include "state-file.h"

#include <string.h>

#define FILE_NAME "monitor-status"
#define GROUP "monitor"

void
tt_monitor_status_clear(TtMonitorStatus *status)
{
    g_clear_pointer(&status->fight, g_free);
    g_clear_pointer(&status->policy_error, g_free);
}

bool
tt_monitor_status_write(const char *run_dir, const TtMonitorStatus *status, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *text = NULL;
    gsize len;

    g_key_file_set_int64(file, GROUP, "since", status->since);
    g_key_file_set_uint64(file, GROUP, "events", status->n_events);
    g_key_file_set_uint64(file, GROUP, "changes", status->n_changes);
    g_key_file_set_int64(file, GROUP, "last-change", status->last_change);
    g_key_file_set_int64(file, GROUP, "last-fight", status->last_fight);
    if (status->fight)
        g_key_file_set_string(file, GROUP, "fight", status->fight);
    if (status->policy_error)
        g_key_file_set_string(file, GROUP, "policy-error", status->policy_error);
    text = g_key_file_to_data(file, &len, NULL);
    return tt_state_file_write(run_dir, FILE_NAME, text, len, error);
}

bool
tt_monitor_status_read(const char *run_dir, TtMonitorStatus *out_status)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *text = NULL;

    memset(out_status, 0, sizeof *out_status);
    if (!tt_lock_monitor_running(run_dir) || !tt_state_file_read(run_dir, FILE_NAME, &text, NULL)
        || !text || !g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL))
        return false;
    out_status->since = g_key_file_get_int64(file, GROUP, "since", NULL);
    out_status->n_events = g_key_file_get_uint64(file, GROUP, "events", NULL);
    out_status->n_changes = g_key_file_get_uint64(file, GROUP, "changes", NULL);
    out_status->last_change = g_key_file_get_int64(file, GROUP, "last-change", NULL);
    out_status->last_fight = g_key_file_get_int64(file, GROUP, "last-fight", NULL);
    out_status->fight = g_key_file_get_string(file, GROUP, "fight", NULL);
    out_status->policy_error = g_key_file_get_string(file, GROUP, "policy-error", NULL);
    return true;
}
