/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcptune-nm.conf(5) names every key of the policy, and no other. */
#include "core/match.h"
#include "core/policy-internal.h"
#include "tt-test.h"

/* Section of the page -> its keys: the ".It Cm NAME Ns =" below its heading. */
static GHashTable *
read_keys(const char *heading, const char *until)
{
    GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *page = NULL;
    g_auto(GStrv) lines = NULL;
    bool inside = false;

    assert_true(g_file_get_contents(TT_MANUAL "/tcptune-nm.conf.5", &page, NULL, NULL));
    lines = g_strsplit(page, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (g_str_equal(*line, until))
            inside = false;
        if (g_str_equal(*line, heading))
            inside = true;
        if (inside && g_str_has_prefix(*line, ".It Cm ") && strstr(*line, " Ns = Ns ")) {
            g_auto(GStrv) words = g_strsplit(*line, " ", 4);

            g_hash_table_add(keys, g_strdup(words[2]));
        }
    }
    return keys;
}

static void
take(GHashTable *keys, const char *name)
{
    if (!g_hash_table_remove(keys, name))
        fail_msg("tcptune-nm.conf(5) lacks %s", name);
}

static void
assert_empty(GHashTable *keys)
{
    GHashTableIter iter;
    gpointer name;

    g_hash_table_iter_init(&iter, keys);
    if (g_hash_table_iter_next(&iter, &name, NULL))
        fail_msg("tcptune-nm.conf(5) has %s, which the policy does not know", (char *) name);
}

static void
test_main_keys(void **state)
{
    g_autoptr(GHashTable) keys =
        read_keys(".Sh SECTION [main]", ".Sh SECTIONS [route] AND [route-NAME]");

    for (TtMainKey key = 0; key < _TT_MAIN_N; key++)
        take(keys, tt_main_key_name(key));
    assert_empty(keys);
}

static void
test_route_keys(void **state)
{
    g_autoptr(GHashTable) keys =
        read_keys(".Sh SECTIONS [route] AND [route-NAME]", ".Sh SECTION [host]");

    for (TtMatchKey key = 0; key < _TT_KEY_N; key++)
        take(keys, tt_match_key_name(key));
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++)
        take(keys, tt_attr_info(attr)->name);
    take(keys, "stop-match");
    take(keys, "lock");
    assert_empty(keys);
}

static void
test_host_keys(void **state)
{
    g_autoptr(GHashTable) keys = read_keys(".Sh SECTION [host]", ".Sh FILES");

    for (TtHostKey key = 0; key < _TT_HOST_N; key++)
        take(keys, tt_host_key_name(key));
    assert_empty(keys);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_main_keys),
        cmocka_unit_test(test_route_keys),
        cmocka_unit_test(test_host_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
