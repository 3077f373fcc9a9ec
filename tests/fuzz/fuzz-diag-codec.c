/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an answer of sock_diag: nothing outside is read; what parses is asked for again by
 * the name that it came with. */
#include "core/diag-codec.h"

#include <linux/inet_diag.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void
read_texts(const TtSocket *socket)
{
    g_autofree char *local = tt_socket_format_address(socket, &socket->local, socket->local_port);
    g_autofree char *peer = tt_socket_format_address(socket, &socket->peer, socket->peer_port);

    g_assert_true(local[0] && peer[0] && tt_socket_state_name(socket->state)[0]);
}

int
LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autofree struct nlmsghdr *message = g_malloc(MAX(size, sizeof *message));
    g_autoptr(GByteArray) request = g_byte_array_new();
    const struct inet_diag_msg *told = (const void *) (message + 1);
    const struct inet_diag_req_v2 *asked;
    gsize address_len;
    TtSocket socket;

    memcpy(message, data, size);
    if (size < sizeof *message || !tt_diag_parse_socket(message, size, &socket))
        return 0;
    read_texts(&socket);
    tt_diag_build_destroy(request, &socket);
    asked = (const void *) ((const struct nlmsghdr *) (void *) request->data + 1);
    address_len = told->idiag_family == AF_INET ? 4 : 16;
    g_assert_cmpint(asked->sdiag_family, ==, told->idiag_family);
    g_assert_cmpmem(asked->id.idiag_src, address_len, told->id.idiag_src, address_len);
    g_assert_cmpmem(asked->id.idiag_dst, address_len, told->id.idiag_dst, address_len);
    g_assert_cmpint(asked->id.idiag_sport, ==, told->id.idiag_sport);
    g_assert_cmpint(asked->id.idiag_dport, ==, told->id.idiag_dport);
    return 0;
}
