/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of profiles. The tests run as root: what others own is not believed. */
#include "core/nm-state.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define UUID "7b0a2b6c-5c28-4a5e-9a93-0a3f9a1b2c3d"

typedef struct {
    char *dir;
    char *run_dir;
    char *path; /* of the profile */
    char *folder;
    char *note;
} Fixture;

static int
setup(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);

    fixture->dir = g_dir_make_tmp("tcptune-profile-XXXXXX", NULL);
    fixture->run_dir = g_build_filename(fixture->dir, "run", NULL);
    fixture->path = g_build_filename(fixture->dir, "eth0.nmconnection", NULL);
    fixture->folder = g_build_filename(fixture->run_dir, "profiles", NULL);
    fixture->note = g_build_filename(fixture->folder, UUID, NULL);
    *state = fixture;
    return fixture->dir ? 0 : -1;
}

static int
teardown(void **state)
{
    Fixture *fixture = *state;

    g_unlink(fixture->path);
    g_unlink(fixture->note);
    g_rmdir(fixture->folder);
    g_rmdir(fixture->run_dir);
    g_rmdir(fixture->dir);
    g_free(fixture->dir);
    g_free(fixture->run_dir);
    g_free(fixture->path);
    g_free(fixture->folder);
    g_free(fixture->note);
    g_free(fixture);
    return 0;
}

static void
write_profile(const Fixture *fixture, const char *ipv4)
{
    g_autofree char *text =
        g_strdup_printf("[ipv4]\n%s\n[user]\ntcptune-nm.ipv4-gateway=192.0.2.1\n", ipv4);

    assert_true(g_file_set_contents(fixture->path, text, -1, NULL));
    assert_int_equal(g_chmod(fixture->path, 0600), 0);
}

static void
note(const Fixture *fixture, const char *uuid, const char *path, bool activated)
{
    g_autoptr(GError) error = NULL;

    assert_true(tt_nm_state_note_profile(fixture->run_dir, uuid, path, activated, &error));
    assert_no_error(error);
}

static void
assert_note(const Fixture *fixture, const char *expected)
{
    g_autofree char *text = NULL;
    g_autofree char *whole = expected ? g_strdup_printf("%s\n%s\n", fixture->path, expected) : NULL;

    g_file_get_contents(fixture->note, &text, NULL, NULL);
    if (g_strcmp0(text, whole))
        fail_msg("'%s' instead of '%s'", text, whole);
    assert_int_equal(tt_nm_state_has_profiles(fixture->run_dir), expected != NULL);
}

static void
test_note(void **state)
{
    const Fixture *fixture = *state;
    GStatBuf before, after;

    assert_note(fixture, NULL);
    note(fixture, UUID, fixture->path, true); /* there is no such file */
    assert_note(fixture, NULL);
    write_profile(fixture, "method=manual");
    note(fixture, UUID, fixture->path, false);
    assert_note(fixture, "never-default");
    assert_int_equal(g_stat(fixture->note, &before), 0);
    note(fixture, UUID, fixture->path, true);
    assert_int_equal(g_stat(fixture->note, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino); /* not written again */
    assert_true(g_file_set_contents(fixture->path, "[user]\norg.example=1\n", -1, NULL));
    note(fixture, UUID, fixture->path, false);
    assert_note(fixture, NULL);
}

/* It counts from the next activation on, and no longer than the profile says it. */
static void
test_never_default(void **state)
{
    const Fixture *fixture = *state;

    write_profile(fixture, "method=manual\nnever-default=true");
    note(fixture, UUID, fixture->path, false);
    assert_note(fixture, "never-default");
    note(fixture, UUID, fixture->path, true);
    assert_note(fixture, "never-default ipv4");
    write_profile(fixture, "method=manual");
    note(fixture, UUID, fixture->path, false);
    assert_note(fixture, "never-default ipv4");
    note(fixture, UUID, fixture->path, true);
    assert_note(fixture, "never-default");
}

static void
test_strange_hints(void **state)
{
    const Fixture *fixture = *state;

    write_profile(fixture, "method=manual");
    note(fixture, "../x", fixture->path, true);
    note(fixture, "", fixture->path, true);
    note(fixture, UUID ".new", fixture->path, true);
    assert_note(fixture, NULL);
    note(fixture, UUID, fixture->path, true);
    assert_note(fixture, "never-default");
    note(fixture, UUID, "eth0.nmconnection", true);
    assert_note(fixture, NULL);
    note(fixture, UUID, fixture->path, true);
    note(fixture, UUID, "/a\nb", true);
    assert_note(fixture, NULL);
    note(fixture, UUID, NULL, true);
    assert_note(fixture, NULL);
}

static const TtMovedGateway *
load(const Fixture *fixture, TtFacts *facts, int family)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = 3;
    link->connection_uuid = g_strdup(UUID);
    g_hash_table_insert(facts->links, GINT_TO_POINTER(3), link);
    tt_nm_state_load_profiles(fixture->run_dir, facts);
    return tt_facts_moved_gateway(facts, 3, family);
}

static void
test_load(void **state)
{
    const Fixture *fixture = *state;
    g_autoptr(TtFacts) facts = tt_facts_new();
    const TtMovedGateway *moved;

    assert_null(load(fixture, facts, AF_INET));
    write_profile(fixture, "method=manual\nnever-default=true");
    note(fixture, UUID, fixture->path, false);
    moved = load(fixture, facts, AF_INET);
    assert_int_equal(moved->stale, TT_STALE_NEVER_DEFAULT);
    assert_false(moved->never_default_in_force);
    assert_null(load(fixture, facts, AF_INET6));
    assert_null(tt_facts_moved_gateway(facts, 4, AF_INET));
    note(fixture, UUID, fixture->path, true);
    assert_true(load(fixture, facts, AF_INET)->never_default_in_force);
    write_profile(fixture, "method=auto");
    moved = load(fixture, facts, AF_INET);
    assert_int_equal(moved->stale, TT_STALE_METHOD);
    assert_false(moved->never_default_in_force);
}

static void
test_tidy(void **state)
{
    const Fixture *fixture = *state;
    g_autoptr(GError) error = NULL;

    assert_true(tt_nm_state_tidy_profiles(fixture->run_dir, &error)); /* no such folder */
    write_profile(fixture, "method=manual");
    note(fixture, UUID, fixture->path, true);
    assert_true(tt_nm_state_tidy_profiles(fixture->run_dir, &error));
    assert_note(fixture, "never-default");
    assert_int_equal(g_unlink(fixture->path), 0);
    assert_true(tt_nm_state_tidy_profiles(fixture->run_dir, &error));
    assert_note(fixture, NULL);
    assert_true(g_file_set_contents(fixture->note, "/no/path\n", -1, NULL));
    assert_true(tt_nm_state_tidy_profiles(fixture->run_dir, &error));
    assert_note(fixture, NULL);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_fixture(test_note), with_fixture(test_never_default), with_fixture(test_strange_hints),
        with_fixture(test_load), with_fixture(test_tidy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
