/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-report.h"

#include <errno.h>

#define WHOLE_HOST "; counts for the whole host, not for this network namespace alone"

char *
tt_host_report_name(TtHostKey key)
{
    return g_strconcat("[host] ", tt_host_key_name(key), NULL);
}

/* "net.ipv4.tcp_tw_reuse" */
static char *
sysctl_name(TtHostKey key)
{
    char *name = g_strdup(tt_knob_sysctl(key));

    return g_strdelimit(name, "/", '.');
}

static void
append_reach(GString *to, const TtHostItem *item, const char *keepers)
{
    if (item->key == TT_HOST_RTO_MIN)
        g_string_append(to,
                        "; sockets that listen already, and what they accept, keep the old one");
    if (item->key == TT_HOST_DEFAULT_QDISC && keepers)
        g_string_append_printf(to, "; devices that keep theirs: %s", keepers);
    if (item->whole_host)
        g_string_append(to, WHOLE_HOST);
}

static GString *
start_line(const TtHostItem *item)
{
    g_autofree char *target = tt_host_value_word(item->key, item->target);
    g_autofree char *found = tt_host_value_word(item->key, item->found.value);
    GString *line = g_string_new(NULL);

    g_string_append_printf(line, "[host] %s: %s%s (was: %s)", tt_host_key_name(item->key),
                           tt_host_item_has_say(item) ? "" : "undone: ", target, found);
    return line;
}

char *
tt_host_report_plan(const TtHostItem *item)
{
    GString *line = start_line(item);

    append_reach(line, item, NULL);
    return g_string_free(line, FALSE);
}

static const char *
failure_text(const TtHostReport *report)
{
    if (report->item->key == TT_HOST_DEFAULT_QDISC && report->error == -ENOENT)
        return "this kernel has no such queueing discipline";
    return g_strerror(-report->error);
}

static char *
unreadable_text(const TtHostItem *item)
{
    const char *reason =
        item->found.error == -EBADMSG ? "not one value" : g_strerror(-item->found.error);

    return g_strdup_printf("%s cannot be read: %s", tt_knob_path(item->key), reason);
}

static char *
unreadable_line(const TtHostItem *item)
{
    g_autofree char *text = unreadable_text(item);

    return g_strdup_printf("[host] %s: %s", tt_host_key_name(item->key), text);
}

char *
tt_host_report_write(const TtHostReport *report)
{
    const TtHostItem *item = report->item;
    GString *line;

    if (item->state == TT_HOST_UNREADABLE)
        return unreadable_line(item);
    line = start_line(item);
    if (!report->error) {
        append_reach(line, item, report->keepers);
    } else if (report->text) {
        g_autofree char *word = tt_host_value_word(item->key, report->text);

        g_string_append_printf(line, ": failed: the kernel has %s instead", word);
    } else {
        g_string_append_printf(line, ": failed: %s: %s", tt_knob_path(item->key),
                               failure_text(report));
    }
    return g_string_free(line, FALSE);
}

char *
tt_host_report_command(const TtHostItem *item)
{
    g_autofree char *name = NULL;

    if (!tt_knob_sysctl(item->key))
        return g_strdup_printf("echo %s >%s", item->target, tt_knob_path(item->key));
    name = sysctl_name(item->key);
    return g_strdup_printf("sysctl -w %s=%s", name, item->target);
}

/* What is special about a knob that this kernel does not have; NULL: nothing. */
static const char *
absent_text(TtHostKey key)
{
    switch (key) {
    case TT_HOST_TCP_THIN_DUPACK:
        return "gone from the kernel since 4.11";
    case TT_HOST_RTO_MIN:
        return "the kernel has net.ipv4.tcp_rto_min_us since 6.11";
    case TT_HOST_TCP_THIN_LINEAR_TIMEOUTS:
    case TT_HOST_TCP_TW_REUSE:
    case TT_HOST_HYSTART_DETECT:
    case TT_HOST_DEFAULT_QDISC:
    case _TT_HOST_N:
        break;
    }
    return NULL;
}

static char *
unavailable_text(const TtHostItem *item)
{
    switch (item->found.status) {
    case TT_KNOB_HERE: /* lacks */
        return g_strdup("refused: this kernel does not know loopback (2, since 4.19), and would "
                        "take it for yes");
    case TT_KNOB_NOT_LOADED:
        return g_strdup_printf("not available here: tcp_cubic is not loaded; for when it is, "
                               "\"options tcp_cubic hystart_detect=%u\" belongs into "
                               "/etc/modprobe.d/tcptune-nm.conf",
                               item->wish ? item->wish->number : 0);
    case TT_KNOB_ELSEWHERE:
        return g_strdup(
            "not available here: counts for the whole host, and is set only in the host's "
            "own network namespace");
    case TT_KNOB_HIDDEN:
        return g_strdup_printf("not available here: %s is not shown", tt_knob_path(item->key));
    case TT_KNOB_ABSENT:
    case TT_KNOB_UNREADABLE:
    case _TT_KNOB_N:
        break;
    }
    if (absent_text(item->key))
        return g_strdup_printf("not available here: %s", absent_text(item->key));
    return g_strdup_printf("not available here: this kernel has no %s", tt_knob_path(item->key));
}

char *
tt_host_report_state(const TtHostItem *item)
{
    const char *reach = item->whole_host ? WHOLE_HOST : "";

    switch (item->state) {
    case TT_HOST_OK:
        return g_strconcat("ok", reach, NULL);
    case TT_HOST_DIFFERS:
        return g_strconcat(tt_host_item_has_say(item) ? "differs" : "to be undone", reach, NULL);
    case TT_HOST_UNAVAILABLE:
        return unavailable_text(item);
    case TT_HOST_UNREADABLE:
        return unreadable_text(item);
    case _TT_HOST_STATE_N:
        break;
    }
    return g_strdup("");
}

char *
tt_host_report_drift(TtHostKey key, const TtHostDrift *drift)
{
    g_autofree char *name = sysctl_name(key);

    return g_strdup_printf("drift to come: %s:%u sets %s=%s at the next boot", drift->file,
                           drift->line, name, drift->value);
}
