/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "socket.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>

static const char *const state_names[] = {
    [TCP_ESTABLISHED] = "established",
    [TCP_SYN_SENT] = "syn-sent",
    [TCP_SYN_RECV] = "syn-recv",
    [TCP_FIN_WAIT1] = "fin-wait-1",
    [TCP_FIN_WAIT2] = "fin-wait-2",
    [TCP_TIME_WAIT] = "time-wait",
    [TCP_CLOSE] = "closed",
    [TCP_CLOSE_WAIT] = "close-wait",
    [TCP_LAST_ACK] = "last-ack",
    [TCP_LISTEN] = "listening",
    [TCP_CLOSING] = "closing",
};

bool
tt_socket_equal(const TtSocket *a, const TtSocket *b)
{
    return memcmp(a->cookie, b->cookie, sizeof a->cookie) == 0;
}

char *
tt_socket_format_address(const TtSocket *socket, const TtAddress *address, guint16 port)
{
    char text[INET6_ADDRSTRLEN];

    inet_ntop(socket->family, address, text, sizeof text);
    return g_strdup_printf(socket->family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

const char *
tt_socket_state_name(guint8 state)
{
    if (state < G_N_ELEMENTS(state_names) && state_names[state])
        return state_names[state];
    return "unknown";
}

bool
tt_socket_state_from_name(const char *name, guint8 *out_state)
{
    for (guint8 state = 0; state < G_N_ELEMENTS(state_names); state++) {
        if (state_names[state] && strcmp(state_names[state], name) == 0) {
            *out_state = state;
            return true;
        }
    }
    return false;
}
