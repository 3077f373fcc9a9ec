/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/report.h"
#include "test-routes.h"
#include "tt-test.h"

#include <errno.h>

#define ROUTE "default via 192.0.2.1 dev lo proto dhcp metric 100"

typedef struct {
    TtHop hop;
    TtRoute route;
    TtEdit edit;
} Fixture;

static int
set_up(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->hop = test_hop("192.0.2.1");
    f->route = test_default(AF_INET, &f->hop, 1);
    f->edit = (TtEdit){.kind = TT_EDIT_REPLACE, .route = &f->route};
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    g_free(*state);
    return 0;
}

static void
assert_edit(const TtEdit *edit, const char *expected)
{
    g_autofree char *text = tt_report_edit(edit);

    assert_string_equal(text, expected);
}

static void
test_tune(void **state)
{
    Fixture *f = *state;

    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    test_metric(&f->route.metrics, RTAX_QUICKACK, 1, false);
    assert_edit(&f->edit, ROUTE ": rto_min lock 8ms quickack 1 (was: none)");
    f->edit.kind = TT_EDIT_APPEND;
    assert_edit(&f->edit, ROUTE ": rto_min lock 8ms quickack 1 (was: none)");
    assert_false(tt_report_is_detail(&f->edit));
}

/* Only what changes is told: other metrics of the route are not our business. */
static void
test_only_differences(void **state)
{
    Fixture *f = *state;

    test_metric(&f->route.metrics, RTAX_MTU, 1400, true);
    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    f->edit.before = f->route.metrics;
    f->edit.before.lock = TT_METRIC_BIT(RTAX_MTU);
    assert_edit(&f->edit, ROUTE ": rto_min lock 8ms (was: rto_min 8ms)");
}

static void
test_undo(void **state)
{
    Fixture *f = *state;

    test_metric(&f->edit.before, RTAX_RTO_MIN, 8, true);
    f->edit.reason = TT_REASON_UNDO;
    assert_edit(&f->edit, ROUTE ": undone: none (was: rto_min lock 8ms)");
}

static void
test_removals(void **state)
{
    Fixture *f = *state;

    f->edit.kind = TT_EDIT_DELETE;
    f->edit.reason = TT_REASON_TWIN;
    assert_edit(&f->edit, ROUTE ": second copy of the route removed");
    assert_false(tt_report_is_detail(&f->edit));
    f->edit.reason = TT_REASON_ORPHAN;
    assert_edit(&f->edit, ROUTE ": tuned route that NetworkManager no longer uses removed");
    assert_false(tt_report_is_detail(&f->edit));
}

static void
test_details(void **state)
{
    Fixture *f = *state;

    f->edit.kind = TT_EDIT_DELETE;
    assert_edit(&f->edit, ROUTE ": old copy removed");
    assert_true(tt_report_is_detail(&f->edit));
    f->edit.reason = TT_REASON_ORDER;
    assert_edit(&f->edit, ROUTE ": put back in its place: old copy removed");
    f->edit.kind = TT_EDIT_APPEND;
    assert_edit(&f->edit, ROUTE ": put back in its place");
    assert_true(tt_report_is_detail(&f->edit));
}

/* Behind the first of its key a route comes twice, the first time with a mark. */
static void
test_mark(void **state)
{
    Fixture *f = *state;

    f->edit.kind = TT_EDIT_APPEND;
    test_metric(&f->route.metrics, RTAX_SSTHRESH, 0x7fffffff, false);
    assert_true(tt_report_is_detail(&f->edit));
    assert_edit(&f->edit, ROUTE ": copy appended, marked by ssthresh until it is in its place");
    f->edit.before = f->route.metrics;
    assert_false(tt_report_is_detail(&f->edit));
}

static void
assert_failure(const TtEditReport *report, const char *expected)
{
    g_autofree char *text = tt_report_failure(report);

    assert_string_equal(text, expected);
}

static void
test_failures(void **state)
{
    Fixture *f = *state;
    TtEditReport report = {.edit = &f->edit, .error = -EPERM};

    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    assert_failure(&report,
                   ROUTE ": rto_min lock 8ms (was: none): failed: Operation not permitted");
    report.text = "Invalid metric";
    report.error = -EINVAL;
    assert_failure(&report, ROUTE
                   ": rto_min lock 8ms (was: none): failed: Invalid metric (Invalid argument)");
    report.error = 0;
    report.text = "read back without rto_min";
    assert_failure(&report,
                   ROUTE ": rto_min lock 8ms (was: none): failed: read back without rto_min");
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_tune),     test(test_only_differences), test(test_undo),
        test(test_removals), test(test_details),          test(test_mark),
        test(test_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
