/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile-world.h"

#include "helper/profile-internal.h"
#include "tt-test.h"

#define CONNECTION                                                                                 \
    "[connection]\nid=office\nuuid=83037490-1d17-4986-a397-01f1db3a7fc2\ntype=ethernet\n"          \
    "interface-name=eth0\n"

NMConnection *
test_profile(const char *keyfile)
{
    bool is_whole = strstr(keyfile, "[connection]") != NULL;
    g_autofree char *text = g_strconcat(is_whole ? "" : CONNECTION, keyfile, NULL);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) error = NULL;
    NMConnection *connection;

    g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &error);
    assert_no_error(error);
    connection = nm_keyfile_read(file, "/", NM_KEYFILE_HANDLER_FLAGS_NONE, NULL, NULL, &error);
    assert_no_error(error);
    nm_connection_normalize(connection, NULL, NULL, &error);
    assert_no_error(error);
    return connection;
}

char *
test_profile_text(NMConnection *connection)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GKeyFile) file =
        nm_keyfile_write(connection, NM_KEYFILE_HANDLER_FLAGS_NONE, NULL, NULL, &error);

    assert_no_error(error);
    return g_key_file_to_data(file, NULL, NULL);
}

NMConnection *
test_profile_manual(const char *more)
{
    g_autofree char *text = g_strconcat(
        "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n", more, "\n", NULL);

    return test_profile(text);
}

void
assert_profile_equal(NMConnection *connection, NMConnection *expected)
{
    g_autofree char *text = test_profile_text(connection);
    g_autofree char *expected_text = test_profile_text(expected);

    assert_string_equal(text, expected_text);
    if (!nm_connection_compare(connection, expected, NM_SETTING_COMPARE_FLAG_EXACT))
        fail_msg("not equal in every property: %s", text);
}

TtPolicy *
test_policy(const char *text)
{
    g_autoptr(GError) error = NULL;
    TtPolicy *policy = tt_policy_parse("a.conf", text, strlen(text), &error);

    assert_no_error(error);
    return policy;
}

TtProfilePlan *
test_plan_with(NMConnection *connection, const TtProfileInput *input)
{
    g_autoptr(GError) error = NULL;
    TtProfilePlan *plan = tt_profile_plan(connection, input, &error);

    assert_no_error(error);
    assert_non_null(plan);
    assert_ptr_equal(plan->before, connection);
    return plan;
}

TtProfilePlan *
test_plan(NMConnection *connection, const char *policy_text)
{
    g_autoptr(TtPolicy) policy = policy_text ? test_policy(policy_text) : NULL;
    const TtProfileInput input = {.policy = policy};

    return test_plan_with(connection, &input);
}

NMConnection *
test_result(const TtProfilePlan *plan)
{
    return plan->after ? plan->after : plan->before;
}

char *
test_routes(NMConnection *connection, int family)
{
    NMSettingIPConfig *setting = family == AF_INET
                                     ? nm_connection_get_setting_ip4_config(connection)
                                     : nm_connection_get_setting_ip6_config(connection);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < nm_setting_ip_config_get_num_routes(setting); i++) {
        g_autofree char *route =
            tt_profile_route_text(nm_setting_ip_config_get_route(setting, (int) i));

        g_string_append_printf(text, "%s\n", route);
    }
    return g_string_free(text, FALSE);
}

const char *
test_gateway(NMConnection *connection, int family)
{
    return nm_setting_ip_config_get_gateway(family == AF_INET
                                                ? nm_connection_get_setting_ip4_config(connection)
                                                : nm_connection_get_setting_ip6_config(connection));
}

const char *
test_stamp(NMConnection *connection, const char *key)
{
    NMSettingUser *user =
        NM_SETTING_USER(nm_connection_get_setting(connection, NM_TYPE_SETTING_USER));

    return user ? nm_setting_user_get_data(user, key) : NULL;
}

char *
test_report(const TtProfilePlan *plan)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < plan->routes->len; i++) {
        const TtProfileRoute *route = plan->routes->pdata[i];

        g_string_append_printf(text, "%s %s%s%s\n", route->route,
                               route->path == TT_PATH_NATIVE ? "native" : "kernel",
                               route->why ? ": " : "", route->why ? route->why : "");
    }
    return g_string_free(text, FALSE);
}
