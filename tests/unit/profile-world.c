/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile-world.h"

#include "core/error.h"
#include "helper/profile-internal.h"
#include "tt-test.h"

#include <stdlib.h>

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

static NMConnection *
profile_of_eth0(const char *gateway, const char *more)
{
    g_autofree char *text =
        g_strconcat("[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\n", gateway, more, "\n", NULL);

    return test_profile(text);
}

NMConnection *
test_profile_manual(const char *more)
{
    return profile_of_eth0("gateway=192.0.2.1\n", more);
}

NMConnection *
test_profile_routes(const char *more)
{
    return profile_of_eth0("", more);
}

NMConnection *
test_profile_clone(NMConnection *connection)
{
    return nm_simple_connection_new_clone(connection);
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

NMSettingIPConfig *
test_setting(NMConnection *connection, int family)
{
    return family == AF_INET ? nm_connection_get_setting_ip4_config(connection)
                             : nm_connection_get_setting_ip6_config(connection);
}

void
assert_routes(NMConnection *connection, int family, const char *expected)
{
    NMSettingIPConfig *setting = test_setting(connection, family);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < nm_setting_ip_config_get_num_routes(setting); i++) {
        g_autofree char *route =
            tt_profile_route_text(nm_setting_ip_config_get_route(setting, (int) i));

        g_string_append_printf(text, "%s\n", route);
    }
    assert_string_equal(text->str, expected);
}

static void
assert_text(const char *text, const char *expected)
{
    if (g_strcmp0(text, expected) != 0)
        fail_msg("'%s' and not '%s'", text ? text : "(none)", expected ? expected : "(none)");
}

void
assert_gateway(NMConnection *connection, int family, const char *expected)
{
    assert_text(nm_setting_ip_config_get_gateway(test_setting(connection, family)), expected);
}

void
assert_stamp(NMConnection *connection, const char *key, const char *expected)
{
    g_autofree char *whole = g_strconcat("tcptune-nm.", key, NULL);
    NMSetting *user = nm_connection_get_setting(connection, NM_TYPE_SETTING_USER);

    assert_text(user ? nm_setting_user_get_data(NM_SETTING_USER(user), whole) : NULL, expected);
}

void
assert_report(const TtProfilePlan *plan, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < plan->routes->len; i++) {
        const TtProfileRoute *route = plan->routes->pdata[i];

        assert_int_equal(route->family, strchr(route->route, ':') ? AF_INET6 : AF_INET);
        g_string_append_printf(text, "%s %s%s%s%s\n", route->route,
                               route->path == TT_PATH_NATIVE ? "native" : "kernel",
                               route->taken_back ? ", taken back" : "", route->why ? ": " : "",
                               route->why ? route->why : "");
    }
    assert_string_equal(text->str, expected);
}

TtPolicy *
test_policy(const char *text)
{
    g_autoptr(GError) error = NULL;
    TtPolicy *policy = tt_policy_parse("a.conf", text, strlen(text), &error);

    assert_no_error(error);
    return policy;
}

/* Planned again, the result is as it shall be. */
static void
assert_idempotent(const TtProfilePlan *plan, const TtProfileInput *input)
{
    g_autoptr(TtProfilePlan) again = NULL;
    g_autofree char *diff = NULL;

    if (!plan->after)
        return;
    again = tt_profile_plan(plan->after, input, NULL);
    diff = tt_profile_diff(again);
    if (again->after)
        fail_msg("planned again it changes: %s", diff);
    assert_string_equal(diff, "");
}

TtProfilePlan *
test_plan_with(NMConnection *connection, const TtProfileInput *input)
{
    g_autoptr(GError) error = NULL;
    TtProfilePlan *plan = tt_profile_plan(connection, input, &error);

    assert_no_error(error);
    assert_non_null(plan);
    assert_ptr_equal(plan->before, connection);
    if (plan->after)
        assert_true(nm_connection_verify(plan->after, NULL));
    if (plan->after
        && nm_connection_compare(plan->after, connection, NM_SETTING_COMPARE_FLAG_EXACT))
        fail_msg("after is what was before");
    assert_idempotent(plan, input);
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
test_apply(NMConnection *connection, const char *policy)
{
    g_autoptr(TtProfilePlan) plan = test_plan(connection, policy);

    assert_null(plan->left);
    return test_profile_clone(plan->after ? plan->after : connection);
}

NMConnection *
test_revert(NMConnection *connection)
{
    return test_apply(connection, NULL);
}

static TtLink *
new_link(int ifindex, const char *name)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = ifindex;
    link->type = TT_LINK_ETHERNET;
    g_strlcpy(link->name, name, sizeof(link->name));
    g_strlcpy(link->driver, "virtio_net", sizeof(link->driver));
    return link;
}

GPtrArray *
test_links(const char *first, const char *second)
{
    GPtrArray *links = g_ptr_array_new_with_free_func((GDestroyNotify) tt_link_free);

    g_ptr_array_add(links, new_link(7, first));
    if (second)
        g_ptr_array_add(links, new_link(8, second));
    return links;
}

/* "10.0.0.0/8 192.0.2.9 50 mtu=1400" */
static NMIPRoute *
parse_route(int family, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_auto(GStrv) prefix = g_strsplit(words[0], "/", 2);
    const char *next_hop = NULL;
    gint64 metric = -1;
    NMIPRoute *route;

    for (char **word = words + 1; *word && !strchr(*word, '='); word++) {
        if (strpbrk(*word, ".:"))
            next_hop = *word;
        else
            metric = g_ascii_strtoll(*word, NULL, 10);
    }
    route = nm_ip_route_new(family, prefix[0], (guint) atoi(prefix[1]), next_hop, metric, NULL);
    assert_non_null(route);
    for (char **word = words + 1; *word; word++) {
        g_autoptr(GHashTable) attributes = NULL;
        GHashTableIter iter;
        gpointer name, value;

        if (!strchr(*word, '='))
            continue;
        attributes = nm_utils_parse_variant_attributes(
            *word, ' ', '=', FALSE, nm_ip_route_get_variant_attribute_spec(), NULL);
        assert_non_null(attributes);
        g_hash_table_iter_init(&iter, attributes);
        while (g_hash_table_iter_next(&iter, &name, &value))
            nm_ip_route_set_attribute(route, name, g_variant_ref_sink(value));
    }
    return route;
}

void
test_edit_routes(NMConnection *connection, int family, const char *routes)
{
    g_auto(GStrv) lines = g_strsplit(routes, "\n", -1);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify) nm_ip_route_unref);

    for (char **line = lines; *line && **line; line++)
        g_ptr_array_add(list, parse_route(family, *line));
    g_object_set(test_setting(connection, family), NM_SETTING_IP_CONFIG_ROUTES, list, NULL);
}

static void
assert_refused(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(TtPolicy) policy = test_policy(TEST_POLICY);
    const TtProfileInput input = {.policy = policy};
    g_autoptr(GError) error = NULL;

    assert_null(tt_profile_plan(before, &input, &error));
    assert_error(error, TT_ERROR_NOT_FOUND, "does not know rto_min");
}

int
test_refusal(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(assert_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
