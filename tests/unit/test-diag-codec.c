/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages in data/diag are a kernel's (6.18), of connections with three requests behind them:
 * from 192.0.2.10, 2001:db8:1::10 and ::ffff:192.0.2.10 to 203.0.113.1 or 2001:db8:ffff::1. */
#include "core/diag-codec.h"
#include "core/rtnl-nla.h"
#include "core/uapi.h"
#include "tt-test.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>

static GByteArray *
captured(const char *name)
{
    g_autofree char *path = g_build_filename(TT_TEST_DATA, "diag", name, NULL);
    char *bytes;
    gsize len;

    assert_true(g_file_get_contents(path, &bytes, &len, NULL));
    return g_byte_array_new_take((guint8 *) bytes, len);
}

static struct nlmsghdr *
as_message(const GByteArray *bytes)
{
    return (struct nlmsghdr *) (void *) bytes->data;
}

static TtSocket
parse(const char *name)
{
    g_autoptr(GByteArray) bytes = captured(name);
    TtSocket socket;

    assert_true(tt_diag_parse_socket(as_message(bytes), bytes->len, &socket));
    return socket;
}

static void
assert_addresses(const TtSocket *socket, const char *local, const char *peer)
{
    g_autofree char *is_local =
        tt_socket_format_address(socket, &socket->local, socket->local_port);
    g_autofree char *is_peer = tt_socket_format_address(socket, &socket->peer, socket->peer_port);

    assert_string_equal(is_local, local);
    assert_string_equal(is_peer, peer);
}

static void
test_ipv4(void **state)
{
    TtSocket socket = parse("ipv4");

    assert_int_equal(socket.family, AF_INET);
    assert_int_equal(socket.state, TCP_ESTABLISHED);
    assert_addresses(&socket, "192.0.2.10:40001", "203.0.113.1:7");
    assert_false(socket.is_mapped);
    assert_int_equal(socket.tos, 0x10);
    assert_int_equal(socket.mark, 0x2a);
    assert_int_not_equal(socket.inode, 0);
    assert_true(socket.has_info);
    assert_int_equal(socket.rto_us, 204000);
    assert_int_equal(socket.ato_us, 40000);
    assert_true(socket.rtt_us >= 1 && socket.rtt_us <= 1000);
    assert_int_equal(socket.n_retransmitted, 0);
    assert_true(socket.has_dsacks);
    assert_int_equal(socket.n_dsacks, 0);
    /* SYN, the ACK of SYN-ACK, three requests, and ACKs of the answers */
    assert_true(socket.n_segments_out >= 5 && socket.n_segments_out <= 8);
}

static void
test_ipv6(void **state)
{
    TtSocket socket = parse("ipv6");

    assert_int_equal(socket.family, AF_INET6);
    assert_addresses(&socket, "[2001:db8:1::10]:40002", "[2001:db8:ffff::1]:7");
    assert_int_equal(socket.mark, 0);
}

static void
test_mapped(void **state)
{
    TtSocket socket = parse("mapped");

    assert_int_equal(socket.family, AF_INET);
    assert_true(socket.is_mapped);
    assert_addresses(&socket, "192.0.2.10:40003", "203.0.113.1:7");
}

/* The kernel finds the socket by what it said itself. */
static void
test_destroy_names_the_socket(void **state)
{
    static const char *const names[] = {"ipv4", "ipv6", "mapped"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GByteArray) bytes = captured(names[i]);
        g_autoptr(GByteArray) request = g_byte_array_new();
        const struct inet_diag_msg *told = (const void *) (as_message(bytes) + 1);
        const struct inet_diag_req_v2 *asked;
        TtSocket socket = parse(names[i]);

        tt_diag_build_destroy(request, &socket);
        assert_int_equal(as_message(request)->nlmsg_type, TT_SOCK_DESTROY);
        assert_int_equal(as_message(request)->nlmsg_len, request->len);
        asked = (const void *) (as_message(request) + 1);
        assert_int_equal(asked->sdiag_family, told->idiag_family);
        assert_int_equal(asked->sdiag_protocol, IPPROTO_TCP);
        assert_memory_equal(&asked->id, &told->id, sizeof asked->id);
    }
}

static void
test_dump_request(void **state)
{
    g_autoptr(GByteArray) request = g_byte_array_new();
    const struct inet_diag_req_v2 *asked;

    tt_diag_build_dump(request, AF_INET6, 1u << TCP_ESTABLISHED);
    asked = (const void *) (as_message(request) + 1);
    assert_int_equal(as_message(request)->nlmsg_type, SOCK_DIAG_BY_FAMILY);
    assert_true(as_message(request)->nlmsg_flags & NLM_F_DUMP);
    assert_int_equal(asked->sdiag_family, AF_INET6);
    assert_int_equal(asked->idiag_states, 2);
    assert_true(asked->idiag_ext & 1 << (INET_DIAG_INFO - 1));
}

/* Cuts the tcp_info of a message to its first `len` bytes, as an older kernel sends it. */
static TtSocket
parse_with_short_info(guint16 len)
{
    g_autoptr(GByteArray) bytes = captured("ipv4");
    struct nlattr *attr = (void *) (as_message(bytes)->nlmsg_len + (char *) as_message(bytes));
    struct nlattr *at;
    TtSocket socket;
    int attributes_len;
    const struct nlattr *first =
        tt_nla_first(as_message(bytes), bytes->len, sizeof(struct inet_diag_msg), &attributes_len);

    for (at = (struct nlattr *) first; at < attr; at = mnl_attr_next(at)) {
        if (mnl_attr_get_type(at) != INET_DIAG_INFO)
            continue;
        at->nla_len = NLA_HDRLEN + len;
        as_message(bytes)->nlmsg_len = (guint32) ((char *) at + at->nla_len - (char *) bytes->data);
        break;
    }
    assert_true(at < attr);
    assert_true(tt_diag_parse_socket(as_message(bytes), bytes->len, &socket));
    return socket;
}

static void
test_older_kernels(void **state)
{
    TtSocket socket = parse_with_short_info(216); /* 4.19 */

    assert_true(socket.has_info);
    assert_int_equal(socket.rto_us, 204000);
    assert_false(socket.has_dsacks);
    socket = parse_with_short_info(104); /* 3.10 */
    assert_true(socket.has_info);
    assert_int_equal(socket.n_segments_out, 0);
    socket = parse_with_short_info(100);
    assert_false(socket.has_info);
    assert_int_equal(socket.rto_us, 0);
}

static void
test_malformed(void **state)
{
    g_autoptr(GByteArray) good = captured("ipv6");
    TtSocket socket;

    for (guint len = 0; len < good->len; len++) {
        g_autofree guint8 *cut = g_memdup(good->data, len + 1);
        struct nlmsghdr *header = (struct nlmsghdr *) (void *) cut;

        assert_false(tt_diag_parse_socket(header, len, &socket));
        if (len < sizeof *header)
            continue;
        header->nlmsg_len = len;
        assert_int_equal(tt_diag_parse_socket(header, len, &socket),
                         len >= sizeof *header + sizeof(struct inet_diag_msg));
    }
    ((struct inet_diag_msg *) (as_message(good) + 1))->idiag_family = AF_UNIX;
    assert_false(tt_diag_parse_socket(as_message(good), good->len, &socket));
}

static void
test_states(void **state)
{
    guint8 number;

    assert_string_equal(tt_socket_state_name(parse("listening").state), "listening");
    assert_string_equal(tt_socket_state_name(0), "unknown");
    assert_string_equal(tt_socket_state_name(200), "unknown");
    assert_true(tt_socket_state_from_name("close-wait", &number));
    assert_int_equal(number, TCP_CLOSE_WAIT);
    assert_false(tt_socket_state_from_name("unknown", &number));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ipv4),         cmocka_unit_test(test_ipv6),
        cmocka_unit_test(test_mapped),       cmocka_unit_test(test_destroy_names_the_socket),
        cmocka_unit_test(test_dump_request), cmocka_unit_test(test_older_kernels),
        cmocka_unit_test(test_malformed),    cmocka_unit_test(test_states),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
