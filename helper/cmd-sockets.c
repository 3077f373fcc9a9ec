/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/apply.h"
#include "describe.h"
#include "live-text.h"
#include "output.h"
#include "print.h"

#include <stdio.h>
#include <string.h>

enum {
    PEER,
    LOCAL,
    TCP_STATE,
    ROUTE,
    DEVICE,
    RTO,
    ATO,
    RTT,
    SENT,
    RETRANSMITTED,
    DSACKS,
    IDLE,
    VERDICT,
    N_COLUMNS,
};

const TtField tt_sockets_fields[] = {
    [PEER] = {"PEER"},
    [LOCAL] = {"LOCAL", .on_demand = true},
    [TCP_STATE] = {"TCP-STATE", .on_demand = true},
    [ROUTE] = {"ROUTE"},
    [DEVICE] = {"DEVICE"},
    [RTO] = {"RTO"},
    [ATO] = {"ATO"},
    [RTT] = {"RTT"},
    [SENT] = {"SENT", .on_demand = true},
    [RETRANSMITTED] = {"RETRANSMITTED"},
    [DSACKS] = {"DSACKS"},
    [IDLE] = {"IDLE"},
    [VERDICT] = {"VERDICT"},
    [N_COLUMNS] = {NULL},
};

static char *
count_text(bool known, guint32 count)
{
    return known ? g_strdup_printf("%u", count) : NULL;
}

static char **
make_row(const TtLive *live)
{
    const TtSocket *socket = &live->socket;
    char **row = g_new0(char *, N_COLUMNS);

    row[PEER] = tt_socket_format_address(socket, &socket->peer, socket->peer_port);
    row[LOCAL] = tt_socket_format_address(socket, &socket->local, socket->local_port);
    row[TCP_STATE] = g_strdup(tt_socket_state_name(socket->state));
    row[ROUTE] = live->route ? tt_describe_route(live->route) : NULL;
    row[DEVICE] = live->route ? tt_describe_devices(live->route) : NULL;
    row[RTO] = tt_live_text_us(socket, socket->rto_us);
    row[ATO] = tt_live_text_us(socket, socket->ato_us);
    row[RTT] = tt_live_text_us(socket, socket->rtt_us);
    row[SENT] = count_text(socket->has_info, socket->n_segments_out);
    row[RETRANSMITTED] = count_text(socket->has_info, socket->n_retransmitted);
    row[DSACKS] = count_text(socket->has_dsacks, socket->n_dsacks);
    row[IDLE] = tt_live_text_idle(socket);
    row[VERDICT] = g_strdup(tt_socket_verdict_name(live->verdict));
    return row;
}

static TtTone
tone_of(TtSocketVerdict verdict)
{
    switch (verdict) {
    case TT_SOCKET_TUNED:
        return TT_TONE_GOOD;
    case TT_SOCKET_STALE:
    case TT_SOCKET_SPURIOUS:
        return TT_TONE_BAD;
    case TT_SOCKET_NONE:
        return TT_TONE_FAINT;
    case TT_SOCKET_NOT_YET:
    case _TT_SOCKET_VERDICT_N:
        break;
    }
    return TT_TONE_PLAIN;
}

static bool
set_state(TtLiveFilter *filter, const char *name, GError **error)
{
    guint8 state;

    if (!tt_socket_state_from_name(name, &state))
        return tt_usage_error(error,
                              "'%s' is no state of a connection; try established, syn-sent, "
                              "fin-wait-1, fin-wait-2, close-wait, last-ack, closing.",
                              name);
    filter->states |= 1u << state;
    return true;
}

static bool
set_filter(TtLiveFilter *filter, const char *word, const char *value, GError **error)
{
    if (!strcmp(word, "ifname"))
        return tt_device_find(value, &filter->ifindex, error);
    if (!strcmp(word, "peer"))
        return tt_live_filter_set_peer(filter, value, error);
    return set_state(filter, value, error);
}

static bool
parse_args(char **args, TtLiveFilter *filter, GError **error)
{
    static const char *const words[] = {"ifname", "peer", "state", NULL};

    for (; *args && g_strv_contains(words, *args); args += 2) {
        if (!args[1])
            return tt_usage_error(error, "missing argument for '%s'.", *args);
        if (!set_filter(filter, args[0], args[1], error))
            return false;
    }
    return tt_args_end(args, error);
}

static void
print(const TtTable *table, const GPtrArray *live, const TtOptions *options)
{
    g_autofree char *text = tt_table_format(table);
    g_autofree char *sum = tt_live_text_sum(live);

    fputs(text, stdout);
    if (!options->terse)
        tt_print_line(stdout, text[0] ? "\n" : "", sum);
}

bool
tt_cmd_sockets(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtTable) table =
        tt_table_new(context->command, tt_sockets_fields, context->options, error);
    TtLiveFilter filter = {0};
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(TtPlan) plan = NULL;
    g_autoptr(GPtrArray) live = NULL;

    if (!table || !parse_args(args, &filter, error))
        return false;
    policy = tt_policy_load_host(error);
    plan = policy ? tt_apply_look(&(TtApplyOptions){.policy = policy}, error) : NULL;
    live = plan ? tt_live_look(&filter, plan, false, error) : NULL;
    if (!live)
        return false;
    tt_table_set_title(table, "Live connections");
    for (guint i = 0; i < live->len; i++)
        tt_table_take_toned_row(table, make_row(live->pdata[i]),
                                tone_of(((const TtLive *) live->pdata[i])->verdict));
    print(table, live, context->options);
    return true;
}
