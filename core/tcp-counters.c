/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tcp-counters.h"

#include "state-file.h"

#include <string.h>

#define FILE_NAME "baseline"
#define GROUP "counters"
#define SPURIOUS_MIN 20

static const struct {
    const char *group;
    const char *name;
} known[_TT_COUNTER_N] = {
    [TT_COUNTER_TIMEOUTS] = {"TcpExt:", "TCPTimeouts"},
    [TT_COUNTER_LOSS_PROBES] = {"TcpExt:", "TCPLossProbes"},
    [TT_COUNTER_DSACKS] = {"TcpExt:", "TCPDSACKRecv"},
    [TT_COUNTER_SPURIOUS_RTOS] = {"TcpExt:", "TCPSpuriousRTOs"},
    [TT_COUNTER_RETRANSMITTED] = {"Tcp:", "RetransSegs"},
    [TT_COUNTER_SENT] = {"Tcp:", "OutSegs"},
    [TT_COUNTER_HYSTART_TRAINS] = {"TcpExt:", "TCPHystartTrainDetect"},
    [TT_COUNTER_TW_RECYCLED] = {"TcpExt:", "TWRecycled"},
};

const char *
tt_counter_name(TtCounter counter)
{
    return known[counter].name;
}

static void
take_value(TtCounters *counters, const char *group, const char *name, const char *value)
{
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (g_str_equal(known[i].group, group) && g_str_equal(known[i].name, name)) {
            counters->present[i] = true;
            counters->value[i] = g_ascii_strtoull(value, NULL, 10);
        }
    }
}

/* A group has two lines: names, then values in the same order. */
void
tt_counters_parse(TtCounters *counters, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; line[0] && line[1]; line++) {
        g_auto(GStrv) names = g_strsplit(line[0], " ", -1);
        g_auto(GStrv) values = g_strsplit(line[1], " ", -1);

        if (!names[0] || !values[0] || !g_str_equal(names[0], values[0]))
            continue;
        for (guint i = 1; names[i] && values[i]; i++)
            take_value(counters, names[0], names[i], values[i]);
        line++;
    }
}

static bool
any_present(const TtCounters *counters)
{
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (counters->present[i])
            return true;
    }
    return false;
}

/* Not by /proc/net, which the monitor's unit hides (ProcSubset=pid). */
bool
tt_counters_read(TtCounters *out_counters)
{
    static const char *const paths[] = {"/proc/self/net/netstat", "/proc/self/net/snmp"};

    memset(out_counters, 0, sizeof *out_counters);
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autofree char *text = NULL;

        if (g_file_get_contents(paths[i], &text, NULL, NULL))
            tt_counters_parse(out_counters, text);
    }
    return any_present(out_counters);
}

static char *
format(const TtCounters *counters, gint64 now)
{
    GString *text = g_string_new("[" GROUP "]\n");

    g_string_append_printf(text, "since=%" G_GINT64_FORMAT "\n", now);
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (counters->present[i])
            g_string_append_printf(text, "%s=%" G_GUINT64_FORMAT "\n", known[i].name,
                                   counters->value[i]);
    }
    return g_string_free(text, FALSE);
}

bool
tt_counters_note(const char *run_dir, gint64 now, GError **error)
{
    TtCounters counters;
    g_autofree char *old = NULL;
    g_autofree char *text = NULL;

    if (!tt_state_file_read(run_dir, FILE_NAME, &old, error))
        return false;
    if (old || !tt_counters_read(&counters))
        return true;
    text = format(&counters, now);
    return tt_state_file_write(run_dir, FILE_NAME, text, strlen(text), error);
}

bool
tt_counters_forget(const char *run_dir, GError **error)
{
    return tt_state_file_remove(run_dir, FILE_NAME, error);
}

static bool
load_baseline(const char *run_dir, TtCounters *out_baseline)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *text = NULL;

    memset(out_baseline, 0, sizeof *out_baseline);
    if (!tt_state_file_read(run_dir, FILE_NAME, &text, NULL) || !text
        || !g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL))
        return false;
    out_baseline->since = g_key_file_get_int64(file, GROUP, "since", NULL);
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        out_baseline->present[i] = g_key_file_has_key(file, GROUP, known[i].name, NULL);
        out_baseline->value[i] = g_key_file_get_uint64(file, GROUP, known[i].name, NULL);
    }
    return true;
}

/* Counters that are below their baseline are those of another namespace, or of another boot. */
static bool
is_baseline_of(const TtCounters *baseline, const TtCounters *now)
{
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (baseline->present[i] && now->value[i] < baseline->value[i])
            return false;
    }
    return true;
}

bool
tt_counters_since(const char *run_dir, TtCounters *out_counters)
{
    TtCounters baseline;

    if (!tt_counters_read(out_counters))
        return false;
    if (!load_baseline(run_dir, &baseline) || !is_baseline_of(&baseline, out_counters))
        return true;
    out_counters->since = baseline.since;
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++)
        out_counters->value[i] -= baseline.value[i];
    return true;
}

bool
tt_counters_look_spurious(const TtCounters *counters)
{
    guint64 sent_again =
        counters->value[TT_COUNTER_LOSS_PROBES] + counters->value[TT_COUNTER_TIMEOUTS];
    guint64 in_vain = counters->value[TT_COUNTER_DSACKS];

    return in_vain >= SPURIOUS_MIN && in_vain >= sent_again / 4 * 3;
}
