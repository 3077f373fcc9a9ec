/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal as a key file: a group per route, named by its identity, and for each touched
 * metric "NUMBER.before", ".set" and ".prior" with the value and the word "lock".
 */
#include "error.h"
#include "journal.h"
#include "state-file.h"

#include <string.h>

#define FILE_NAME "journal"
#define FORMAT_VERSION 1
#define HEADER_GROUP "journal"

static void
put_metric(GKeyFile *file, const char *group, int rtax, const char *what, const TtMetrics *metrics)
{
    g_autofree char *key = g_strdup_printf("%d.%s", rtax, what);
    g_autoptr(GString) text = g_string_new(NULL);

    if (tt_metrics_has(metrics, rtax) && rtax == RTAX_CC_ALGO)
        g_string_append(text, metrics->congctl);
    else if (tt_metrics_has(metrics, rtax))
        g_string_append_printf(text, "%u", metrics->value[rtax]);
    if (tt_metrics_locked(metrics, rtax))
        g_string_append(text, " lock");
    g_key_file_set_string(file, group, key, text->str);
}

static void
put_entry(const TtJournalEntry *entry, gpointer data)
{
    GKeyFile *file = data;

    g_key_file_set_integer(file, entry->identity, "family", entry->family);
    g_key_file_set_int64(file, entry->identity, "table", entry->table);
    g_key_file_set_boolean(file, entry->identity, "default", entry->is_default);
    g_key_file_set_int64(file, entry->identity, "since", entry->since);
    g_key_file_set_int64(file, entry->identity, "order", entry->order);
    g_key_file_set_int64(file, entry->identity, "named", entry->named);
    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if (!(entry->named & TT_METRIC_BIT(rtax)))
            continue;
        put_metric(file, entry->identity, rtax, "before", &entry->before);
        put_metric(file, entry->identity, rtax, "set", &entry->set);
        put_metric(file, entry->identity, rtax, "prior", &entry->prior);
    }
}

bool
tt_journal_save(const TtJournal *journal, const char *run_dir, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *text = NULL;
    gsize len;

    if (tt_journal_size(journal) == 0)
        return tt_state_file_remove(run_dir, FILE_NAME, error);
    g_key_file_set_integer(file, HEADER_GROUP, "version", FORMAT_VERSION);
    tt_journal_foreach(journal, put_entry, file);
    text = g_key_file_to_data(file, &len, NULL);
    return tt_state_file_write(run_dir, FILE_NAME, text, len, error);
}

static bool
get_metric(GKeyFile *file,
           const char *group,
           int rtax,
           const char *what,
           TtMetrics *metrics,
           GError **error)
{
    g_autofree char *key = g_strdup_printf("%d.%s", rtax, what);
    g_autofree char *text = g_key_file_get_string(file, group, key, error);
    guint64 number;

    if (!text)
        return false;
    if (g_str_has_suffix(text, " lock")) {
        metrics->lock |= TT_METRIC_BIT(rtax);
        text[strlen(text) - strlen(" lock")] = '\0';
    }
    if (!text[0])
        return true;
    metrics->present |= TT_METRIC_BIT(rtax);
    if (rtax == RTAX_CC_ALGO) {
        g_strlcpy(metrics->congctl, text, sizeof metrics->congctl);
        return true;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT32, &number, error))
        return false;
    metrics->value[rtax] = (guint32) number;
    return true;
}

static bool
get_number(GKeyFile *file, const char *group, const char *key, gint64 *out, GError **error)
{
    g_autoptr(GError) local = NULL;

    *out = g_key_file_get_int64(file, group, key, &local);
    if (!local)
        return true;
    g_propagate_error(error, g_steal_pointer(&local));
    return false;
}

static bool
get_entry(GKeyFile *file, const char *group, TtJournalEntry *entry, GError **error)
{
    gint64 family, table, named;

    if (!get_number(file, group, "family", &family, error)
        || !get_number(file, group, "table", &table, error)
        || !get_number(file, group, "named", &named, error)
        || !get_number(file, group, "since", &entry->since, error)
        || !get_number(file, group, "order", &entry->order, error))
        return false;
    entry->family = (guint8) family;
    entry->table = (guint32) table;
    entry->named = (guint32) named;
    entry->is_default = g_key_file_get_boolean(file, group, "default", NULL);
    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if ((entry->named & TT_METRIC_BIT(rtax))
            && (!get_metric(file, group, rtax, "before", &entry->before, error)
                || !get_metric(file, group, rtax, "set", &entry->set, error)
                || !get_metric(file, group, rtax, "prior", &entry->prior, error)))
            return false;
    }
    return true;
}

static bool
get_entries(GKeyFile *file, TtJournal *journal, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);

    if (g_key_file_get_integer(file, HEADER_GROUP, "version", error) != FORMAT_VERSION) {
        if (error && !*error)
            g_set_error_literal(error, TT_ERROR, TT_ERROR_STATE, "unknown version");
        return false;
    }
    for (char **group = groups; *group; group++) {
        TtJournalEntry entry = {.identity = *group};

        if (g_str_equal(*group, HEADER_GROUP))
            continue;
        if (!get_entry(file, *group, &entry, error))
            return false;
        tt_journal_add(journal, &entry);
    }
    return true;
}

TtJournal *
tt_journal_load(const char *run_dir, GError **error)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) local = NULL;
    g_autofree char *text = NULL;

    if (!tt_state_file_read(run_dir, FILE_NAME, &text, error))
        return NULL;
    if (!text)
        return g_steal_pointer(&journal);
    if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &local)
        || !get_entries(file, journal, &local)) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                    "%s/" FILE_NAME " is damaged (%s): what routes had before is not known; "
                    "remove the file to go on without it",
                    run_dir, local ? local->message : "unreadable");
        return NULL;
    }
    return g_steal_pointer(&journal);
}
