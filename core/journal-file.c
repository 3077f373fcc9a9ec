/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal as text, a line for each route and, behind it, one for each touched metric:
 *
 *   tcptune-nm journal 3
 *   route IDENTITY SINCE ORDER MISSING
 *   metric NUMBER BEFORE SET PRIOR
 *
 * A value is "-" (absent), a number or =NAME, and "*" behind it is its lock. Not a key file: with
 * 10,000 routes those are slower than all edits together.
 */
#include "error.h"
#include "journal.h"
#include "state-file.h"
#include "text.h"

#include <string.h>

#define FILE_NAME "journal"
#define HEADER "tcptune-nm journal 3"

static void
put_number(GString *to, guint64 number)
{
    g_string_append_c(to, ' ');
    tt_text_append_number(to, number);
}

static void
put_value(GString *to, const TtMetrics *metrics, int rtax)
{
    g_string_append_c(to, ' ');
    if (!tt_metrics_has(metrics, rtax)) {
        g_string_append_c(to, '-');
    } else if (rtax == RTAX_CC_ALGO) {
        g_string_append_c(to, '=');
        g_string_append(to, metrics->congctl);
    } else {
        tt_text_append_number(to, metrics->value[rtax]);
    }
    if (tt_metrics_locked(metrics, rtax))
        g_string_append_c(to, '*');
}

static void
put_entry(const TtJournalEntry *entry, gpointer data)
{
    GString *to = data;
    int rtax;

    g_string_append(to, "route ");
    tt_identity_append(&entry->identity, to);
    put_number(to, (guint64) entry->since);
    put_number(to, (guint64) entry->order);
    put_number(to, (guint64) entry->missing);
    g_string_append_c(to, '\n');
    tt_metric_for_each(rtax, entry->named)
    {
        g_string_append(to, "metric");
        put_number(to, (guint64) rtax);
        put_value(to, &entry->before, rtax);
        put_value(to, &entry->set, rtax);
        put_value(to, &entry->prior, rtax);
        g_string_append_c(to, '\n');
    }
}

bool
tt_journal_save(const TtJournal *journal, const char *run_dir, GError **error)
{
    g_autoptr(GString) text = NULL;

    if (tt_journal_size(journal) == 0)
        return tt_state_file_remove(run_dir, FILE_NAME, error);
    text = g_string_sized_new((gsize) 128 * (tt_journal_size(journal) + 1));
    g_string_append(text, HEADER "\n");
    tt_journal_foreach(journal, put_entry, text);
    return tt_state_file_write(run_dir, FILE_NAME, text->str, text->len, error);
}

/*
 * Reading. `*at` moves over the text; a function that returns false leaves it where it stumbled.
 */

static bool
take_number(const char **at, guint64 max, guint64 *out)
{
    return tt_text_take(at, " ") && tt_text_take_number(at, max, out);
}

static bool
take_name(const char **at, TtMetrics *metrics)
{
    gsize len = strcspn(*at, " *\n");

    if (len >= sizeof metrics->congctl)
        return false;
    memcpy(metrics->congctl, *at, len);
    *at += len;
    return true;
}

static bool
take_value(const char **at, int rtax, TtMetrics *metrics)
{
    guint64 number;

    if (tt_text_take(at, " -")) {
        ;
    } else if (rtax == RTAX_CC_ALGO) {
        if (!tt_text_take(at, " =") || !take_name(at, metrics))
            return false;
        metrics->present |= TT_METRIC_BIT(rtax);
    } else {
        if (!take_number(at, G_MAXUINT32, &number))
            return false;
        metrics->value[rtax] = (guint32) number;
        metrics->present |= TT_METRIC_BIT(rtax);
    }
    if (tt_text_take(at, "*"))
        metrics->lock |= TT_METRIC_BIT(rtax);
    return true;
}

static bool
take_metric(const char **at, TtJournalEntry *entry)
{
    guint64 rtax;

    if (!take_number(at, TT_METRICS_N - 1, &rtax) || !take_value(at, (int) rtax, &entry->before)
        || !take_value(at, (int) rtax, &entry->set) || !take_value(at, (int) rtax, &entry->prior))
        return false;
    entry->named |= TT_METRIC_BIT(rtax);
    return tt_text_take(at, "\n");
}

static bool
take_route(const char **at, TtJournalEntry *entry)
{
    guint64 since, order, missing;

    if (!tt_identity_take(at, &entry->identity) || !take_number(at, G_MAXINT64, &since)
        || !take_number(at, G_MAXINT64, &order) || !take_number(at, G_MAXINT64, &missing)
        || !tt_text_take(at, "\n"))
        return false;
    entry->since = (gint64) since;
    entry->order = (gint64) order;
    entry->missing = (gint64) missing;
    return true;
}

static bool
take_journal(const char *text, TtJournal *journal)
{
    const char *at = text;

    if (!tt_text_take(&at, HEADER "\n"))
        return false;
    while (*at) {
        TtJournalEntry entry = {0};

        if (!tt_text_take(&at, "route ") || !take_route(&at, &entry))
            return false;
        while (tt_text_take(&at, "metric")) {
            if (!take_metric(&at, &entry))
                return false;
        }
        tt_journal_add(journal, &entry);
    }
    return true;
}

TtJournal *
tt_journal_load(const char *run_dir, GError **error)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autofree char *text = NULL;

    if (!tt_state_file_read(run_dir, FILE_NAME, &text, error))
        return NULL;
    if (text && !take_journal(text, journal)) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                    "%s/" FILE_NAME " is damaged: what routes had before is not known; remove the "
                    "file to go on without it",
                    run_dir);
        return NULL;
    }
    return g_steal_pointer(&journal);
}
