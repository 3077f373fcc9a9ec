/* SPDX-License-Identifier: GPL-2.0-or-later */
/* data/event/NAME.case: what the dispatcher calls the hook with, and what shall come of it. */
#include "dispatcher/event.h"
#include "tt-test.h"

#define CASES TT_TEST_DATA "/event"

static char **
get_env(GKeyFile *file)
{
    g_auto(GStrv) keys = g_key_file_get_keys(file, "env", NULL, NULL);
    GPtrArray *env = g_ptr_array_new();

    for (guint i = 0; keys && keys[i]; i++) {
        g_autofree char *value = g_key_file_get_string(file, "env", keys[i], NULL);

        g_ptr_array_add(env, g_strdup_printf("%s=%s", keys[i], value));
    }
    g_ptr_array_add(env, NULL);
    return (char **) g_ptr_array_free(env, FALSE);
}

static void
expect(GKeyFile *file, const char *name, const char *key, const char *got)
{
    g_autofree char *wanted = g_key_file_get_string(file, "expect", key, NULL);

    if (g_strcmp0(wanted, got))
        fail_msg("%s: %s is %s, expected %s", name, key, got, wanted);
}

static void
run_case(const char *name)
{
    g_autofree char *path = g_build_filename(CASES, name, NULL);
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) argv = NULL;
    g_auto(GStrv) env = NULL;
    TtEvent event;
    gsize argc;

    g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &error);
    assert_no_error(error);
    argv = g_key_file_get_string_list(file, "argv", "args", &argc, &error);
    assert_no_error(error);
    env = get_env(file);
    tt_event_parse((int) argc, argv, env, &event);
    expect(file, name, "action", tt_action_name(event.action));
    if (event.action != TT_ACTION_NOTHING)
        expect(file, name, "patience", tt_patience_name(event.patience));
    expect(file, name, "ifname", event.ifname);
    expect(file, name, "uuid", event.uuid);
    expect(file, name, "id", event.id);
    expect(file, name, "filename", event.filename);
    expect(file, name, "activated", event.activated ? "yes" : NULL);
    expect(file, name, "stands-back", event.stands_back ? "yes" : NULL);
}

static void
test_cases(void **state)
{
    g_autoptr(GDir) dir = g_dir_open(CASES, 0, NULL);
    const char *name;
    guint n = 0;

    assert_non_null(dir);
    while ((name = g_dir_read_name(dir))) {
        if (!g_str_has_suffix(name, ".case"))
            continue;
        run_case(name);
        n++;
    }
    assert_true(n >= 25);
}

static void
test_no_argv(void **state)
{
    char *none[] = {NULL};
    TtEvent event;

    tt_event_parse(0, none, NULL, &event);
    assert_int_equal(event.action, TT_ACTION_NOTHING);
    assert_null(event.ifname);
}

static void
test_huge_name(void **state)
{
    g_autofree char *name = g_strnfill(10000, 'x');
    char *argv[] = {"hook", name, "up", NULL};
    char *env[] = {name, "", "=", NULL};
    TtEvent event;

    tt_event_parse(3, argv, env, &event);
    assert_int_equal(event.action, TT_ACTION_LOOK);
    assert_ptr_equal(event.ifname, name);
    assert_null(event.id);

    argv[2] = name;
    tt_event_parse(3, argv, env, &event);
    assert_int_equal(event.action, TT_ACTION_NOTHING);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_no_argv),
        cmocka_unit_test(test_huge_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
