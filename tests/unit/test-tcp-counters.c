/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/tcp-counters.h"
#include "tt-test.h"

static void
assert_counters(const char *netstat, const char *expected)
{
    g_autofree char *text = tt_tcp_counters_format(netstat);

    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
}

static void
test_format(void **state)
{
    assert_counters("TcpExt: SyncookiesSent TCPTimeouts TCPLossProbes TCPDSACKRecv\n"
                    "TcpExt: 5 0 199 198\n"
                    "IpExt: InNoRoutes\n"
                    "IpExt: 1\n",
                    "TCP since boot: TCPTimeouts 0, TCPLossProbes 199, TCPDSACKRecv 198");
    assert_counters("IpExt: A\nIpExt: 1\nTcpExt: TCPTimeouts\nTcpExt: 7\n",
                    "TCP since boot: TCPTimeouts 7");
}

static void
test_not_there(void **state)
{
    assert_counters("", NULL);
    assert_counters("TcpExt: TCPTimeouts", NULL);
    assert_counters("TcpExt: Other\nTcpExt: 1\n", NULL);
    assert_counters("TcpExt: A B TCPTimeouts\nTcpExt: 1\n", NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
