/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/tcp-counters.h"
#include "tt-test.h"

#include <glib/gstdio.h>

static int
setup(void **state)
{
    *state = g_dir_make_tmp("tcptune-nm-counters-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static int
teardown(void **state)
{
    g_autofree char *path = g_build_filename(*state, "baseline", NULL);

    g_unlink(path);
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static void
test_parse(void **state)
{
    TtCounters counters = {0};

    tt_counters_parse(&counters, "TcpExt: SyncookiesSent TCPTimeouts TCPLossProbes\n"
                                 "TcpExt: 5 7 199\n"
                                 "IpExt: TCPDSACKRecv\n"
                                 "IpExt: 1\n");
    assert_true(counters.present[TT_COUNTER_TIMEOUTS]);
    assert_int_equal(counters.value[TT_COUNTER_TIMEOUTS], 7);
    assert_int_equal(counters.value[TT_COUNTER_LOSS_PROBES], 199);
    /* The same name in another group is another counter. */
    assert_false(counters.present[TT_COUNTER_DSACKS]);
    tt_counters_parse(&counters, "Ip: OutSegs\nIp: 1\nTcp: RtoMin OutSegs\nTcp: 200 12345678901\n");
    assert_int_equal(counters.value[TT_COUNTER_SENT], 12345678901);
}

static void
test_parse_what_is_odd(void **state)
{
    static const char *const texts[] = {
        "",
        "\n\n",
        "TcpExt:",
        "TcpExt: TCPTimeouts",
        "TcpExt: TCPTimeouts\nIpExt: 5\n",
        "TcpExt: A B TCPTimeouts\nTcpExt: 1\n",
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        TtCounters counters = {0};

        tt_counters_parse(&counters, texts[i]);
        assert_false(counters.present[TT_COUNTER_TIMEOUTS]);
    }
}

static void
test_this_kernel(void **state)
{
    TtCounters counters;

    assert_true(tt_counters_read(&counters));
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++)
        assert_true(counters.present[i]);
}

static void
write_baseline(const char *dir, const char *text)
{
    g_autofree char *path = g_build_filename(dir, "baseline", NULL);

    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void
test_baseline(void **state)
{
    g_autoptr(GError) error = NULL;
    TtCounters counters;

    assert_true(tt_counters_since(*state, &counters));
    assert_int_equal(counters.since, 0);
    assert_true(tt_counters_note(*state, 1000, &error));
    assert_no_error(error);
    /* The first one counts. */
    assert_true(tt_counters_note(*state, 2000, &error));
    assert_true(tt_counters_since(*state, &counters));
    assert_int_equal(counters.since, 1000);
    assert_true(tt_counters_forget(*state, &error));
    assert_true(tt_counters_since(*state, &counters));
    assert_int_equal(counters.since, 0);
    assert_true(tt_counters_forget(*state, &error));
}

static void
test_difference(void **state)
{
    TtCounters counters, difference;

    assert_true(tt_counters_read(&counters));
    write_baseline(*state, "[counters]\nsince=5\nTCPTimeouts=0\n");
    assert_true(tt_counters_since(*state, &difference));
    assert_int_equal(difference.since, 5);
    assert_true(difference.value[TT_COUNTER_TIMEOUTS] >= counters.value[TT_COUNTER_TIMEOUTS]
                && difference.value[TT_COUNTER_TIMEOUTS] <= G_MAXINT64);
}

/* Counters that went back are those of another namespace: all of the baseline is worth nothing. */
static void
test_foreign_baseline(void **state)
{
    TtCounters counters;

    write_baseline(*state, "[counters]\nsince=5\nTCPTimeouts=18446744073709551615\n");
    assert_true(tt_counters_since(*state, &counters));
    assert_int_equal(counters.since, 0);
    write_baseline(*state, "no key file");
    assert_true(tt_counters_since(*state, &counters));
    assert_int_equal(counters.since, 0);
}

static bool
looks_spurious(guint64 probes, guint64 timeouts, guint64 dsacks)
{
    TtCounters counters = {0};

    counters.value[TT_COUNTER_LOSS_PROBES] = probes;
    counters.value[TT_COUNTER_TIMEOUTS] = timeouts;
    counters.value[TT_COUNTER_DSACKS] = dsacks;
    return tt_counters_look_spurious(&counters);
}

static void
test_spurious(void **state)
{
    assert_true(looks_spurious(199, 0, 198));
    assert_true(looks_spurious(0, 200, 200)); /* no loss probes (tcp_early_retrans 0) */
    assert_false(looks_spurious(0, 0, 0));
    assert_false(looks_spurious(19, 0, 19));
    /* One per cent lost each way: of what is sent again, half was lost on its way back. */
    assert_false(looks_spurious(100, 0, 50));
    assert_false(looks_spurious(1000, 0, 20));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_what_is_odd),
        cmocka_unit_test(test_this_kernel),
        cmocka_unit_test_setup_teardown(test_baseline, setup, teardown),
        cmocka_unit_test_setup_teardown(test_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(test_foreign_baseline, setup, teardown),
        cmocka_unit_test(test_spurious),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
