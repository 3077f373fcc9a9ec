/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile given back, after somebody edited it in between. */
#include "tt-test.h"

#include "profile-world.h"

#define TUNED "quickack=true rto_min=8"
#define MOVED "0.0.0.0/0 192.0.2.1 " TUNED "\n"

/* What an administrator does to a tuned profile, and what it has after a revert and after the next
 * apply. */
typedef struct {
    const char *routes;  /* that were set; NULL: not touched */
    const char *gateway; /* that was set */
    const char *reverted_routes;
    const char *reverted_gateway;
    const char *applied_routes;
} Edit;

static void
edit(NMConnection *connection, const Edit *edit)
{
    if (edit->routes)
        test_edit_routes(connection, AF_INET, edit->routes);
    if (edit->gateway)
        g_object_set(test_setting(connection, AF_INET), NM_SETTING_IP_CONFIG_GATEWAY, edit->gateway,
                     NULL);
}

static void
assert_edits(NMConnection *before, const char *policy, const Edit *edits, gsize n_edits)
{
    for (gsize i = 0; i < n_edits; i++) {
        g_autoptr(NMConnection) tuned = test_apply(before, policy);
        g_autoptr(NMConnection) reverted = NULL;
        g_autoptr(NMConnection) applied = NULL;
        g_autoptr(NMConnection) reverted_again = NULL;

        edit(tuned, &edits[i]);
        reverted = test_revert(tuned);
        assert_routes(reverted, AF_INET, edits[i].reverted_routes);
        assert_gateway(reverted, AF_INET, edits[i].reverted_gateway);
        assert_stamp(reverted, "stamp", NULL);
        applied = test_apply(tuned, policy);
        assert_routes(applied, AF_INET, edits[i].applied_routes);
        reverted_again = test_revert(applied);
        assert_profile_equal(reverted_again, reverted);
    }
}

static void
test_edited_routes(void **state)
{
    static const Edit edits[] = {
        /* nothing */
        {NULL, NULL, "10.0.0.0/8 192.0.2.9 50 mtu=9000\n10.1.0.0/16 192.0.2.9\n", NULL,
         "10.0.0.0/8 192.0.2.9 50 mtu=9000 " TUNED "\n10.1.0.0/16 192.0.2.9 " TUNED "\n"},
        /* another value, a new attribute, one taken away */
        {"10.0.0.0/8 192.0.2.9 50 mtu=9000 quickack=true rto_min=30\n"
         "10.1.0.0/16 192.0.2.9 initcwnd=20 rto_min=8\n",
         NULL, "10.0.0.0/8 192.0.2.9 50 mtu=9000 rto_min=30\n10.1.0.0/16 192.0.2.9 initcwnd=20\n",
         NULL,
         "10.0.0.0/8 192.0.2.9 50 mtu=9000 " TUNED "\n10.1.0.0/16 192.0.2.9 initcwnd=20 " TUNED
         "\n"},
        /* another order, a new route in between */
        {"10.1.0.0/16 192.0.2.9 " TUNED "\n10.2.0.0/16 192.0.2.9\n"
         "10.0.0.0/8 192.0.2.9 50 mtu=9000 " TUNED "\n",
         NULL, "10.1.0.0/16 192.0.2.9\n10.2.0.0/16 192.0.2.9\n10.0.0.0/8 192.0.2.9 50 mtu=9000\n",
         NULL,
         "10.1.0.0/16 192.0.2.9 " TUNED "\n10.2.0.0/16 192.0.2.9 " TUNED "\n"
         "10.0.0.0/8 192.0.2.9 50 mtu=9000 " TUNED "\n"},
        /* a route deleted, the other of another metric and table */
        {"10.0.0.0/8 192.0.2.9 60 mtu=9000 " TUNED " table=100\n", NULL,
         "10.0.0.0/8 192.0.2.9 60 mtu=9000 table=100\n", NULL,
         "10.0.0.0/8 192.0.2.9 60 mtu=9000 table=100\n"},
        /* another next hop: another route, and whoever wrote it wrote its attributes */
        {"10.0.0.0/8 192.0.2.7 50 mtu=9000 rto_min=8\n10.1.0.0/16 192.0.2.9 " TUNED "\n", NULL,
         "10.0.0.0/8 192.0.2.7 50 mtu=9000 rto_min=8\n10.1.0.0/16 192.0.2.9\n", NULL,
         "10.0.0.0/8 192.0.2.7 50 mtu=9000 " TUNED "\n10.1.0.0/16 192.0.2.9 " TUNED "\n"},
        /* everything deleted */
        {"", NULL, "", NULL, ""},
        /* a gateway where there was none */
        {NULL, "192.0.2.1", "10.0.0.0/8 192.0.2.9 50 mtu=9000\n10.1.0.0/16 192.0.2.9\n",
         "192.0.2.1",
         MOVED "10.0.0.0/8 192.0.2.9 50 mtu=9000 " TUNED "\n10.1.0.0/16 192.0.2.9 " TUNED "\n"},
    };
    g_autoptr(NMConnection) before =
        test_profile_routes("route1=10.0.0.0/8,192.0.2.9,50\nroute1_options=mtu=9000\n"
                            "route2=10.1.0.0/16,192.0.2.9\n");

    assert_edits(before, TEST_POLICY_ANY, edits, G_N_ELEMENTS(edits));
}

static void
test_edited_default(void **state)
{
    static const Edit edits[] = {
        {NULL, NULL, "10.0.0.0/8 192.0.2.9\n", "192.0.2.1", MOVED "10.0.0.0/8 192.0.2.9\n"},
        /* behind another route: still the one that we made */
        {"10.0.0.0/8 192.0.2.9\n" MOVED, NULL, "10.0.0.0/8 192.0.2.9\n", "192.0.2.1",
         MOVED "10.0.0.0/8 192.0.2.9\n"},
        /* another value: it is theirs now */
        {"0.0.0.0/0 192.0.2.1 rto_min=30 quickack=true\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.1 rto_min=30\n10.0.0.0/8 192.0.2.9\n", NULL,
         MOVED "10.0.0.0/8 192.0.2.9\n"},
        {"0.0.0.0/0 192.0.2.1 initcwnd=20 " TUNED "\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.1 initcwnd=20\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.1 initcwnd=20 " TUNED "\n10.0.0.0/8 192.0.2.9\n"},
        {"0.0.0.0/0 192.0.2.1 600 " TUNED "\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.1 600\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.1 600 " TUNED "\n10.0.0.0/8 192.0.2.9\n"},
        /* our values deleted: what is left is what the gateway was */
        {"0.0.0.0/0 192.0.2.1\n10.0.0.0/8 192.0.2.9\n", NULL, "10.0.0.0/8 192.0.2.9\n", "192.0.2.1",
         MOVED "10.0.0.0/8 192.0.2.9\n"},
        /* another next hop, or no default any more: the gateway is not to come back */
        {"0.0.0.0/0 192.0.2.7\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.7\n10.0.0.0/8 192.0.2.9\n", NULL,
         "0.0.0.0/0 192.0.2.7 " TUNED "\n10.0.0.0/8 192.0.2.9\n"},
        {"10.0.0.0/8 192.0.2.9\n", NULL, "10.0.0.0/8 192.0.2.9\n", NULL, "10.0.0.0/8 192.0.2.9\n"},
        {"", NULL, "", NULL, ""},
        /* the gateway set again */
        {NULL, "192.0.2.2", "10.0.0.0/8 192.0.2.9\n", "192.0.2.2",
         "0.0.0.0/0 192.0.2.2 " TUNED "\n10.0.0.0/8 192.0.2.9\n"},
        {NULL, "192.0.2.1", "10.0.0.0/8 192.0.2.9\n", "192.0.2.1", MOVED "10.0.0.0/8 192.0.2.9\n"},
        {"10.0.0.0/8 192.0.2.9\n", "192.0.2.2", "10.0.0.0/8 192.0.2.9\n", "192.0.2.2",
         "0.0.0.0/0 192.0.2.2 " TUNED "\n10.0.0.0/8 192.0.2.9\n"},
        {"0.0.0.0/0 192.0.2.1 " TUNED " src=192.0.2.10\n", "192.0.2.2",
         "0.0.0.0/0 192.0.2.1 src=192.0.2.10\n", "192.0.2.2",
         "0.0.0.0/0 192.0.2.2 " TUNED "\n0.0.0.0/0 192.0.2.1 " TUNED " src=192.0.2.10\n"},
    };
    g_autoptr(NMConnection) before = test_profile_manual("route1=10.0.0.0/8,192.0.2.9\n");

    assert_edits(before, TEST_POLICY, edits, G_N_ELEMENTS(edits));
}

/* Field case 26: the route was there before us, and stays. */
static void
test_edited_copy(void **state)
{
    static const Edit edits[] = {
        {NULL, NULL, "0.0.0.0/0 192.0.2.1 rto_min=50\n", "192.0.2.1", MOVED},
        {"0.0.0.0/0 192.0.2.1 rto_min=30 quickack=true\n", NULL, "0.0.0.0/0 192.0.2.1 rto_min=30\n",
         "192.0.2.1", MOVED},
        {"", NULL, "", NULL, ""},
        {NULL, "192.0.2.2", "0.0.0.0/0 192.0.2.1 rto_min=50\n", "192.0.2.2",
         "0.0.0.0/0 192.0.2.2 " TUNED "\n" MOVED},
    };
    g_autoptr(NMConnection) before =
        test_profile_manual("route1=0.0.0.0/0,192.0.2.1\nroute1_options=rto_min=50\n");

    assert_edits(before, TEST_POLICY, edits, G_N_ELEMENTS(edits));
}

static void
test_stale_gateway(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) plan = NULL;
    g_autoptr(TtProfilePlan) next = NULL;

    g_object_set(test_setting(tuned, AF_INET), NM_SETTING_IP_CONFIG_GATEWAY, "192.0.2.2", NULL);
    plan = test_plan(tuned, TEST_POLICY);
    assert_string_equal(plan->stale, "ipv4.gateway was set to 192.0.2.2");
    assert_routes(plan->after, AF_INET, "0.0.0.0/0 192.0.2.2 " TUNED "\n");
    assert_gateway(plan->after, AF_INET, NULL);
    assert_stamp(plan->after, "ipv4-gateway", "192.0.2.2");
    assert_report(plan, "0.0.0.0/0 192.0.2.2 native\n0.0.0.0/0 192.0.2.1 native, taken back\n");
    next = test_plan(plan->after, TEST_POLICY);
    assert_null(next->stale);
}

static void
test_stale_method(void **state)
{
    static const char *const methods[] = {"auto", "link-local", "shared", "disabled"};
    g_autoptr(NMConnection) before = test_profile_manual("");

    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
        g_autofree char *stale = g_strconcat("ipv4.method was set to ", methods[i], NULL);
        g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
        g_autoptr(TtProfilePlan) plan = NULL;

        g_object_set(test_setting(tuned, AF_INET), NM_SETTING_IP_CONFIG_METHOD, methods[i], NULL);
        nm_setting_ip_config_clear_addresses(test_setting(tuned, AF_INET));
        plan = test_plan(tuned, TEST_POLICY);
        assert_string_equal(plan->stale, stale);
        assert_routes(plan->after, AF_INET, "");
        assert_gateway(plan->after, AF_INET, NULL);
        assert_stamp(plan->after, "stamp", NULL);
    }
}

static void
test_stale_never_default(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("route1=0.0.0.0/0,192.0.2.7,50\n");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) plan = NULL;
    g_autoptr(NMConnection) back = NULL;

    g_object_set(test_setting(tuned, AF_INET), NM_SETTING_IP_CONFIG_NEVER_DEFAULT, TRUE, NULL);
    plan = test_plan(tuned, TEST_POLICY);
    assert_string_equal(plan->stale, "ipv4.never-default was set");
    /* A default that was written into the list is not concerned (NetworkManager 1.22). */
    assert_routes(plan->after, AF_INET, "0.0.0.0/0 192.0.2.7 50 " TUNED "\n");
    assert_gateway(plan->after, AF_INET, NULL);
    back = test_revert(tuned);
    assert_routes(back, AF_INET, "0.0.0.0/0 192.0.2.7 50\n");
    assert_gateway(back, AF_INET, NULL);
}

static void
test_stale_both(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile("[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n"
                     "[ipv6]\nmethod=manual\naddress1=2001:db8:1::10/64\ngateway=fe80::1\n");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) plan = NULL;

    g_object_set(test_setting(tuned, AF_INET), NM_SETTING_IP_CONFIG_GATEWAY, "192.0.2.2", NULL);
    g_object_set(test_setting(tuned, AF_INET6), NM_SETTING_IP_CONFIG_NEVER_DEFAULT, TRUE, NULL);
    plan = test_plan(tuned, NULL);
    assert_string_equal(plan->stale,
                        "ipv4.gateway was set to 192.0.2.2, ipv6.never-default was set");
    assert_routes(plan->after, AF_INET, "");
    assert_routes(plan->after, AF_INET6, "");
    assert_gateway(plan->after, AF_INET, "192.0.2.2");
}

/* Other settings that were changed in between stay changed. */
static void
test_other_settings(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("dns=192.0.2.53\n[user]\nmy.key=a\n");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(NMConnection) back = NULL;
    NMSettingUser *user = NM_SETTING_USER(nm_connection_get_setting(tuned, NM_TYPE_SETTING_USER));

    g_object_set(nm_connection_get_setting_connection(tuned), NM_SETTING_CONNECTION_ID, "moved",
                 NULL);
    g_object_set(test_setting(tuned, AF_INET), NM_SETTING_IP_CONFIG_ROUTE_METRIC, (gint64) 7, NULL);
    nm_setting_user_set_data(user, "other.key", "b", NULL);
    nm_setting_user_set_data(user, "tcptune-nm.not-ours", "c", NULL);
    back = test_revert(tuned);
    assert_string_equal(nm_connection_get_id(back), "moved");
    assert_int_equal(nm_setting_ip_config_get_route_metric(test_setting(back, AF_INET)), 7);
    user = NM_SETTING_USER(nm_connection_get_setting(back, NM_TYPE_SETTING_USER));
    assert_string_equal(nm_setting_user_get_data(user, "my.key"), "a");
    assert_string_equal(nm_setting_user_get_data(user, "other.key"), "b");
    assert_stamp(back, "not-ours", "c");
    assert_gateway(back, AF_INET, "192.0.2.1");
}

static void
test_revert_untouched(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual(
        "route1=10.0.0.0/8,192.0.2.9\nroute1_options=rto_min=8,quickack=true\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, NULL);

    assert_null(plan->after);
    assert_report(plan, "");
    assert_int_equal(plan->native->len, 0);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edited_routes),    cmocka_unit_test(test_edited_default),
        cmocka_unit_test(test_edited_copy),      cmocka_unit_test(test_stale_gateway),
        cmocka_unit_test(test_stale_method),     cmocka_unit_test(test_stale_never_default),
        cmocka_unit_test(test_stale_both),       cmocka_unit_test(test_other_settings),
        cmocka_unit_test(test_revert_untouched),
    };

    return run_profile_tests(tests);
}
