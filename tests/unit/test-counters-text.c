/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/counters-text.h"
#include "helper/prometheus.h"
#include "tt-test.h"

#define NOW 1700000000

static const char spurious_netstat[] =
    "TcpExt: TWRecycled TCPTimeouts TCPLossProbes TCPDSACKRecv\nTcpExt: 3 0 199 198\n";

static void
test_text(void **state)
{
    TtCounters counters = {.since = NOW - 3 * 86400};
    g_autofree char *text = NULL;
    g_autofree char *of_boot = NULL;

    tt_counters_parse(&counters, spurious_netstat);
    tt_counters_parse(&counters, "Tcp: OutSegs RetransSegs\nTcp: 10000 199\n");
    text = tt_counters_text(&counters, NOW);
    assert_string_equal(text, "TCP since the policy took effect (3d ago): TCPTimeouts 0, "
                              "TCPLossProbes 199, TCPDSACKRecv 198, RetransSegs/OutSegs 199/10000 "
                              "(1.99 %), TWRecycled 3");
    counters = (TtCounters){.present[TT_COUNTER_TIMEOUTS] = true};
    of_boot = tt_counters_text(&counters, NOW);
    assert_string_equal(of_boot, "TCP since boot: TCPTimeouts 0");
}

static void
test_complaint(void **state)
{
    TtCounters counters = {.since = NOW};
    g_autofree char *text = NULL;

    tt_counters_parse(&counters, spurious_netstat);
    text = tt_counters_complaint(&counters, 8);
    assert_string_equal(text, "DSACKs follow loss probes one to one (198 of 199): rto_min is below "
                              "your peers' delayed ACK; tune them too, or use 50 ms");
    g_free(text);
    text = tt_counters_complaint(&counters, 50);
    assert_non_null(strstr(text, "or use 200 ms"));
    /* No rto_min of ours, or one that no peer is slower than: it is not the reason. */
    assert_null(tt_counters_complaint(&counters, 0));
    assert_null(tt_counters_complaint(&counters, 200));
    /* What was before the policy says nothing of it. */
    counters.since = 0;
    assert_null(tt_counters_complaint(&counters, 8));
}

static void
test_prometheus(void **state)
{
    TtPrometheus values = {
        .policy_valid = true,
        .n_tuned = 2,
        .n_drift = 1,
        .last_run = NOW,
        .has_counters = true,
        .counters = {.since = NOW - 60},
    };
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    tt_counters_parse(&values.counters, spurious_netstat);
    text = tt_prometheus_format(&values);
    assert_non_null(strstr(text, "# HELP tcptune_nm_drift Differences between the policy and the "
                                 "kernel.\n# TYPE tcptune_nm_drift gauge\ntcptune_nm_drift 1\n"));
    assert_non_null(strstr(text, "\ntcptune_nm_routes_tuned 2\n"));
    assert_non_null(strstr(text, "\ntcptune_nm_last_run_timestamp_seconds 1700000000\n"));
    assert_non_null(strstr(text, "\ntcptune_nm_effect_timestamp_seconds 1699999940\n"));
    assert_non_null(strstr(text, "# TYPE tcptune_nm_tcp_loss_probes_total counter\n"
                                 "tcptune_nm_tcp_loss_probes_total 199\n"));
    /* A counter that the kernel lacks is not there, rather than 0. */
    assert_null(strstr(text, "tcp_sent_segments_total"));
    assert_true(g_str_has_suffix(text, "\n"));
    lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; line[0][0]; line++)
        assert_true(g_str_has_prefix(*line, "# ") || g_str_has_prefix(*line, "tcptune_nm_"));
}

static void
test_prometheus_without_policy(void **state)
{
    TtPrometheus values = {.policy_valid = false};
    g_autofree char *text = tt_prometheus_format(&values);

    assert_non_null(strstr(text, "\ntcptune_nm_policy_valid 0\n"));
    assert_null(strstr(text, "drift"));
    assert_null(strstr(text, "_total"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_complaint),
        cmocka_unit_test(test_prometheus),
        cmocka_unit_test(test_prometheus_without_policy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
