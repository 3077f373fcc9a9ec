/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "core/error.h"
#include "profile-world.h"

#define POLICY "[route]\nrto_min=8ms\nquickack=yes\n"
#define KEY "tcptune-nm."

static void
assert_routes(NMConnection *connection, int family, const char *expected)
{
    g_autofree char *routes = test_routes(connection, family);

    assert_string_equal(routes, expected);
}

static void
test_gateway_moves(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(TtProfilePlan) plan = test_plan(before, POLICY);
    g_autoptr(TtProfilePlan) again = NULL;
    g_autoptr(TtProfilePlan) back = NULL;
    g_autofree char *report = test_report(plan);

    assert_non_null(plan->after);
    assert_routes(plan->after, AF_INET, "0.0.0.0/0 192.0.2.1 quickack=true rto_min=8\n");
    assert_null(test_gateway(plan->after, AF_INET));
    assert_string_equal(test_stamp(plan->after, KEY "ipv4-gateway"), "192.0.2.1");
    assert_string_equal(test_stamp(plan->after, KEY "ipv4-routes"),
                        "0.0.0.0/0 192.0.2.1, added, rto_min=8, quickack=true");
    assert_string_equal(report, "0.0.0.0/0 192.0.2.1 native\n");
    again = test_plan(plan->after, POLICY);
    assert_null(again->after);
    back = test_plan(plan->after, NULL);
    assert_profile_equal(back->after, before);
}

/* libnm before 1.40 would lose what is written. */
static void
test_refused(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(TtPolicy) policy = test_policy(POLICY);
    const TtProfileInput input = {.policy = policy};
    g_autoptr(GError) error = NULL;

    assert_null(tt_profile_plan(before, &input, &error));
    assert_error(error, TT_ERROR_NOT_FOUND, "does not know rto_min");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gateway_moves),
    };
    static const struct CMUnitTest old_tests[] = {
        cmocka_unit_test(test_refused),
    };

    if (!tt_profile_supported(NULL))
        return cmocka_run_group_tests(old_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
