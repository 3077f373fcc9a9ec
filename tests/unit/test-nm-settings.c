/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "helper/nm-settings.h"
#include "profile-world.h"

#include <stdbool.h>

/* As a daemon sends it, with what this libnm has never heard of, and with the old forms of
 * addresses and routes. */
static GVariant *
sent(NMConnection *connection)
{
    g_autoptr(GVariant) known =
        g_variant_ref_sink(nm_connection_to_dbus(connection, NM_CONNECTION_SERIALIZE_ALL));
    GVariantBuilder settings, values;
    GVariantIter iter;
    char *name;
    GVariant *dict;

    g_variant_builder_init(&settings, NM_VARIANT_TYPE_CONNECTION);
    g_variant_iter_init(&iter, known);
    while (g_variant_iter_loop(&iter, "{s@a{sv}}", &name, &dict)) {
        GVariantIter inner;
        GVariant *entry;

        g_variant_builder_init(&values, NM_VARIANT_TYPE_SETTING);
        g_variant_iter_init(&inner, dict);
        while ((entry = g_variant_iter_next_value(&inner))) {
            g_variant_builder_add_value(&values, entry);
            g_variant_unref(entry);
        }
        if (strcmp(name, "ipv4") == 0) {
            g_variant_builder_add_parsed(&values, "{'addresses', <[[uint32 1, 24, 2]]>}");
            g_variant_builder_add_parsed(&values, "{'from-the-future', <'x'>}");
        }
        g_variant_builder_add(&settings, "{s@a{sv}}", name, g_variant_builder_end(&values));
    }
    g_variant_builder_add_parsed(&settings, "{'new-setting', {'a': <uint32 7>}}");
    return g_variant_ref_sink(g_variant_builder_end(&settings));
}

static GVariant *
value_of(GVariant *settings, const char *setting, const char *name)
{
    g_autoptr(GVariant) values = g_variant_lookup_value(settings, setting, NM_VARIANT_TYPE_SETTING);

    return values ? g_variant_lookup_value(values, name, NULL) : NULL;
}

static bool
has(GVariant *settings, const char *setting, const char *name)
{
    g_autoptr(GVariant) value = value_of(settings, setting, name);

    return value != NULL;
}

static void
test_merge(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("route1=10.0.0.0/8,192.0.2.9\n");
    g_autoptr(NMConnection) after = nm_simple_connection_new_clone(before);
    g_autoptr(GVariant) settings = sent(before);
    g_autoptr(GVariant) merged = NULL;
    NMSetting *user = nm_setting_user_new();

    g_object_set(nm_connection_get_setting_ip4_config(after), NM_SETTING_IP_CONFIG_GATEWAY, NULL,
                 NULL);
    nm_setting_user_set_data(NM_SETTING_USER(user), "our.key", "1", NULL);
    nm_connection_add_setting(after, user);
    merged = tt_nm_settings_merge(settings, before, after);

    assert_true(has(settings, "ipv4", "gateway"));
    assert_false(has(merged, "ipv4", "gateway"));
    /* The daemon would look for a gateway there. */
    assert_false(has(merged, "ipv4", "addresses"));
    assert_true(has(merged, "ipv4", "address-data"));
    assert_true(has(merged, "ipv4", "route-data"));
    assert_true(has(merged, "ipv4", "from-the-future"));
    assert_true(has(merged, "new-setting", "a"));
    assert_true(has(merged, "user", "data"));
}

/* What does not differ is not touched, whatever it says. */
static void
test_untouched(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("");
    g_autoptr(GVariant) settings = sent(before);
    g_autoptr(GVariant) merged = tt_nm_settings_merge(settings, before, before);

    assert_true(g_variant_equal(settings, merged));
}

static void
test_setting_goes(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("[user]\nour.key=1\n");
    g_autoptr(NMConnection) after = nm_simple_connection_new_clone(before);
    g_autoptr(GVariant) settings = sent(before);
    g_autoptr(GVariant) merged = NULL;

    nm_connection_remove_setting(after, NM_TYPE_SETTING_USER);
    merged = tt_nm_settings_merge(settings, before, after);
    assert_true(has(settings, "user", "data"));
    assert_false(has(merged, "user", "data"));
    assert_true(has(merged, "ipv4", "addresses"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_setting_goes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
