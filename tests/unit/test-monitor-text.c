/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/monitor-text.h"
#include "tt-test.h"

#define NOW 1000000

static void
assert_monitor(const TtMonitorStatus *status, const char *expected)
{
    g_autofree char *text = tt_monitor_text(status, NOW);

    assert_string_equal(text, expected);
}

static void
test_not_running(void **state)
{
    assert_monitor(NULL, "monitor: not running");
}

static void
test_nothing_happened(void **state)
{
    assert_monitor(&(TtMonitorStatus){.since = NOW},
                   "monitor: running for 0s, 0 events seen, 0 routes put right");
    /* A clock that was set back. */
    assert_monitor(&(TtMonitorStatus){.since = NOW + 50},
                   "monitor: running for 0s, 0 events seen, 0 routes put right");
}

static void
test_changes(void **state)
{
    TtMonitorStatus status = {
        .since = NOW - 3 * 86400, .n_events = 120, .n_changes = 4, .last_change = NOW - 7200};

    assert_monitor(&status, "monitor: running for 3d, 120 events seen, 4 routes put right "
                            "(last 2h ago)");
    status.n_events = status.n_changes = 1;
    assert_monitor(&status, "monitor: running for 3d, 1 event seen, 1 route put right "
                            "(last 2h ago)");
}

static void
test_fight(void **state)
{
    TtMonitorStatus status = {.since = NOW - 60,
                              .n_events = 20,
                              .n_changes = 7,
                              .last_change = NOW - 20,
                              .last_fight = NOW - 20,
                              .fight = (char *) "default via 192.0.2.1 dev eth0"};

    assert_monitor(&status, "monitor: running for 1m, 20 events seen, 7 routes put right (last 20s "
                            "ago), last fight: default via 192.0.2.1 dev eth0 20s ago");
}

static void
test_policy_error(void **state)
{
    TtMonitorStatus status = {.since = NOW - 60, .policy_error = (char *) "/etc/x.conf:3: no"};
    g_autofree char *complaint = tt_monitor_complaint(&status);

    assert_monitor(&status,
                   "monitor: running for 1m, 0 events seen, 0 routes put right\n"
                   "monitor: follows the policy from before its last reload, which failed: "
                   "/etc/x.conf:3: no");
    assert_string_equal(complaint, "follows the policy from before its last reload, which failed: "
                                   "/etc/x.conf:3: no");
    status.policy_error = NULL;
    assert_null(tt_monitor_complaint(&status));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_running),  cmocka_unit_test(test_nothing_happened),
        cmocka_unit_test(test_changes),      cmocka_unit_test(test_fight),
        cmocka_unit_test(test_policy_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
