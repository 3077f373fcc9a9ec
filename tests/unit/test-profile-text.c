/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stamps, diffs, nmcli commands and keyfiles: the texts that a plan comes with. */
#include "tt-test.h"

#include "core/error.h"
#include "helper/profile-keyfile.h"
#include "profile-world.h"

#define VALUE_MAX (8 * 1024)

static NMSettingUser *
user_of(NMConnection *connection)
{
    return NM_SETTING_USER(nm_connection_get_setting(connection, NM_TYPE_SETTING_USER));
}

static NMConnection *
with_many_routes(guint n)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(GString) routes = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(routes, "10.%u.%u.0/24 192.0.2.9 %u mtu=9000 tos=8\n", i / 250,
                               i % 250, 1000 + i);
    test_edit_routes(before, AF_INET, routes->str);
    return g_steal_pointer(&before);
}

/* nm_setting_user_check_val() refuses what is longer. */
static void
test_chunks(void **state)
{
    static const guint counts[] = {1, 100, 101, 300, 2000};

    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(NMConnection) before = with_many_routes(counts[i]);
        g_autoptr(NMConnection) after = test_apply(before, TEST_POLICY_ANY "mtu=1400\n");
        g_autoptr(NMConnection) fewer = test_apply(after, TEST_POLICY "mtu=1400\n");
        g_autoptr(NMConnection) back = test_revert(after);
        g_autofree char *text = test_profile_text(after);
        g_autoptr(NMConnection) read_again = test_profile(text);
        guint n_keys, n_chunks = 0;
        gsize len = 0;
        const char *const *keys = nm_setting_user_get_keys(user_of(after), &n_keys);

        for (guint k = 0; k < n_keys; k++) {
            const char *value = nm_setting_user_get_data(user_of(after), keys[k]);

            assert_true(strlen(value) <= VALUE_MAX);
            n_chunks += g_str_has_prefix(keys[k], "tcptune-nm.ipv4-routes");
            len += strlen(value);
        }
        /* As few as there can be, an entry at the end of each aside. */
        assert_true(n_chunks <= len / (VALUE_MAX - 200) + 1);
        assert_int_equal(n_keys, n_chunks + 2);
        assert_profile_equal(read_again, after);
        nm_setting_user_get_keys(user_of(fewer), &n_keys);
        assert_int_equal(n_keys, 3);
        assert_profile_equal(back, before);
    }
}

static void
test_no_room(void **state)
{
    g_autoptr(NMConnection) before = with_many_routes(300);
    g_autoptr(TtProfilePlan) plan = NULL;
    NMSettingUser *user = NM_SETTING_USER(nm_setting_user_new());

    nm_connection_add_setting(before, NM_SETTING(user));
    for (guint i = 0; i < 254; i++) {
        g_autofree char *key = g_strdup_printf("my.key%u", i);

        assert_true(nm_setting_user_set_data(user, key, "", NULL));
    }
    plan = test_plan(before, TEST_POLICY_ANY);
    assert_null(plan->after);
    assert_non_null(strstr(plan->left, "it would not be valid: "));
}

static void
test_empty_user(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("[user]\n");
    g_autoptr(NMConnection) after = NULL;
    g_autoptr(NMConnection) other = NULL;
    g_autoptr(NMConnection) back = NULL;

    assert_non_null(user_of(before));
    after = test_apply(before, TEST_POLICY);
    other = test_apply(after, "[route]\nmtu=1400\n");
    back = test_revert(other);
    assert_stamp(other, "stamp", "1 on an empty [user]");
    assert_profile_equal(back, before);
}

/* Somebody wrote into it: what can be read counts, and nothing is lost. */
static void
test_damaged_stamps(void **state)
{
    static const char *const stamps[] = {
        "",
        "; ; ;",
        "0.0.0.0/0 192.0.2.1",
        "0.0.0.0/0 192.0.2.1, added, rto_min=, quickack=maybe, =, was, x=1, rto_min=8 was",
        "0.0.0.0/0 192.0.2.1, added, rto_min=99999999999999999999, mtu=-1",
        ", , ,",
        "\xc3\xa4 was \xc3\xb6, rto_min=8",
    };
    g_autoptr(NMConnection) before = test_profile_manual("");

    for (gsize i = 0; i < G_N_ELEMENTS(stamps); i++) {
        g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
        g_autoptr(NMConnection) back = NULL;

        nm_setting_user_set_data(user_of(tuned), "tcptune-nm.ipv4-routes", stamps[i], NULL);
        back = test_revert(tuned);
        assert_stamp(back, "stamp", NULL);
        assert_stamp(back, "ipv4-routes", NULL);
        assert_true(nm_connection_verify(back, NULL));
    }
}

static void
test_diff(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual(
        "route1=10.0.0.0/8,192.0.2.9\nroute2=10.1.0.0/16,192.0.2.9\nroute2_options=mtu=9000\n"
        "route3=10.2.0.0/16,192.0.2.9\n[user]\nmy.key=a\n");
    g_autoptr(TtProfilePlan) plan =
        test_plan(before, "[route-a]\ndestination=default,10.1.0.0/16\nrto_min=8ms\n");
    g_autoptr(TtProfilePlan) back = test_plan(plan->after, NULL);
    g_autofree char *diff = tt_profile_diff(plan);
    g_autofree char *diff_back = tt_profile_diff(back);

    assert_string_equal(diff,
                        "-ipv4.gateway: 192.0.2.1\n"
                        "+ipv4.routes: 0.0.0.0/0 192.0.2.1 rto_min=8\n"
                        "-ipv4.routes: 10.1.0.0/16 192.0.2.9 mtu=9000\n"
                        "+ipv4.routes: 10.1.0.0/16 192.0.2.9 mtu=9000 rto_min=8\n"
                        "+user.tcptune-nm.ipv4-gateway: 192.0.2.1\n"
                        "+user.tcptune-nm.ipv4-routes: 0.0.0.0/0 192.0.2.1, added, rto_min=8; "
                        "10.1.0.0/16 192.0.2.9, rto_min=8\n"
                        "+user.tcptune-nm.stamp: 1\n");
    assert_int_equal(strlen(diff_back), strlen(diff));
    assert_true(strstr(diff_back, "+ipv4.gateway") < strstr(diff_back, "-user."));
    assert_non_null(strstr(diff_back, "+ipv4.gateway: 192.0.2.1\n"));
}

static void
assert_nmcli(const TtProfilePlan *plan, const char *expected)
{
    g_autoptr(GPtrArray) commands = tt_profile_nmcli(plan);

    assert_int_equal(commands->len, expected ? 1 : 0);
    if (expected)
        assert_string_equal(commands->pdata[0], expected);
}

#define NMCLI "nmcli connection modify uuid 83037490-1d17-4986-a397-01f1db3a7fc2"

static void
test_nmcli(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile("[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n"
                     "route1=10.0.0.0/8,0.0.0.0,50\n"
                     "[ipv6]\nmethod=manual\naddress1=2001:db8:1::10/64\ngateway=fe80::1\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) back = test_plan(plan->after, NULL);
    g_autoptr(TtProfilePlan) again = test_plan(plan->after, TEST_POLICY);

    assert_nmcli(plan,
                 NMCLI " ipv4.gateway ''"
                       " ipv4.routes '0.0.0.0/0 192.0.2.1 quickack=true rto_min=8, 10.0.0.0/8 50'"
                       " ipv6.gateway '' ipv6.routes '::/0 fe80::1 quickack=true rto_min=8'");
    assert_nmcli(back, NMCLI " ipv4.gateway 192.0.2.1 ipv4.routes '10.0.0.0/8 50'"
                             " ipv6.gateway fe80::1 ipv6.routes ''");
    assert_nmcli(again, NULL);
}

static char *
tune_keyfile(const char *policy_text, const char *keyfile, const char *note)
{
    g_autoptr(TtPolicy) policy = test_policy(policy_text);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    char *text = tt_profile_keyfile_tune(policy, keyfile, notes, &error);

    assert_no_error(error);
    if (note ? notes->len != 1 || !strstr(notes->pdata[0], note) : notes->len != 0)
        fail_msg("%u notes: %s", notes->len, notes->len ? (char *) notes->pdata[0] : "");
    return text;
}

#define KEYFILE                                                                                    \
    "[connection]\nid=office\nuuid=83037490-1d17-4986-a397-01f1db3a7fc2\ntype=ethernet\n"          \
    "# a comment\n\n[ipv4]\nmethod=manual\naddress1=192.0.2.10/24,192.0.2.1\n"                     \
    "[ipv6]\nmethod=disabled\n"

static void
test_keyfile(void **state)
{
    g_autofree char *tuned = tune_keyfile(TEST_POLICY, KEYFILE, NULL);
    g_autofree char *again = tune_keyfile(TEST_POLICY, tuned, NULL);
    g_autofree char *untouched =
        tune_keyfile("[route-a]\ndestination=any\nfamily=ipv6\nmtu=1400\n", KEYFILE, NULL);
    g_autofree char *undecided =
        tune_keyfile("[route-a]\nmatch-device=eth0\nmtu=1400\n", KEYFILE, "left alone");
    g_autofree char *foreign = tune_keyfile("[route-a]\nhoplimit=64\n", KEYFILE,
                                            "0.0.0.0/0 192.0.2.1: left to the running system: ");
    g_autofree char *unknown =
        tune_keyfile(TEST_POLICY, KEYFILE "[ipv4]\naddress2=x\n", "address2");

    assert_non_null(strstr(tuned, "route1=0.0.0.0/0,192.0.2.1\n"));
    assert_non_null(strstr(tuned, "\ntcptune-nm.ipv4-gateway=192.0.2.1\n"));
    assert_null(strstr(tuned, "192.0.2.10/24,"));
    assert_string_equal(again, tuned);
    /* Nothing to do: comments and all. */
    assert_string_equal(untouched, KEYFILE);
    assert_string_equal(undecided, KEYFILE);
    assert_string_equal(foreign, KEYFILE);
    assert_string_not_equal(unknown, KEYFILE);
}

static void
test_bad_keyfiles(void **state)
{
    static const char *const bad[] = {
        "",
        "no keyfile",
        "[connection]\nid=a\n",
        "[connection]\nid=a\ntype=ethernet\n[ipv4]\nmethod=manual\n",
    };
    g_autoptr(TtPolicy) policy = test_policy(TEST_POLICY);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(tt_profile_keyfile_tune(policy, bad[i], notes, &error));
        assert_non_null(error);
    }
}

/* As nmcli --offline, it gives a profile without a uuid one. */
static void
test_keyfile_without_uuid(void **state)
{
    g_autofree char *tuned = tune_keyfile(
        TEST_POLICY,
        "[connection]\nid=office\ntype=ethernet\n[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\n"
        "gateway=192.0.2.1\n[ipv6]\nmethod=disabled\n",
        NULL);

    assert_non_null(strstr(tuned, "\nuuid="));
    assert_non_null(strstr(tuned, "rto_min=8"));
}

static void
test_odd_names(void **state)
{
    g_autofree char *id = g_strdup("a;b=c [x] # \xc3\xa4 'quoted' \"too\" \\n");
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(TtProfilePlan) plan = NULL;
    g_autoptr(NMConnection) back = NULL;
    g_autofree char *text = NULL;
    g_autoptr(NMConnection) read_again = NULL;

    g_object_set(nm_connection_get_setting_connection(before), NM_SETTING_CONNECTION_ID, id, NULL);
    plan = test_plan(before, TEST_POLICY);
    assert_nmcli(plan, NMCLI " ipv4.gateway '' ipv4.routes "
                             "'0.0.0.0/0 192.0.2.1 quickack=true rto_min=8'");
    text = test_profile_text(plan->after);
    read_again = test_profile(text);
    back = test_revert(read_again);
    assert_profile_equal(back, before);
    assert_string_equal(nm_connection_get_id(back), id);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_empty_user),
        cmocka_unit_test(test_damaged_stamps),
        cmocka_unit_test(test_diff),
        cmocka_unit_test(test_nmcli),
        cmocka_unit_test(test_keyfile),
        cmocka_unit_test(test_bad_keyfiles),
        cmocka_unit_test(test_keyfile_without_uuid),
        cmocka_unit_test(test_odd_names),
    };

    return run_profile_tests(tests);
}
