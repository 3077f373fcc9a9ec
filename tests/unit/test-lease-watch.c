/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dispatcher/lease-watch.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <poll.h>

static int
setup(void **state)
{
    *state = g_dir_make_tmp("tcptune-nm-lease-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static char *
path_of(const char *run, const char *name)
{
    return g_build_filename(run, "NetworkManager", name, NULL);
}

static void
remove_below(const char *run, const char *name)
{
    g_autofree char *path = path_of(run, name);

    assert_int_equal(g_remove(path), 0);
}

static void
make_folder(const char *run, const char *name)
{
    g_autofree char *path = path_of(run, name);

    assert_int_equal(g_mkdir(path, 0700), 0);
}

/* As NetworkManager writes one. */
static void
write_lease(const char *run, const char *name)
{
    g_autofree char *path = path_of(run, name);

    assert_true(g_file_set_contents(path, "lease", -1, NULL));
}

static int
teardown(void **state)
{
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

/* "", "all", or the devices. */
static void
assert_hints(TtLeaseWatch *watch, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    TtHints hints = {0};

    tt_lease_watch_read(watch, &hints);
    if (hints.all)
        g_string_append(text, "all");
    for (guint i = 0; i < hints.n_devices && !hints.all; i++)
        g_string_append_printf(text, "%s%d", i ? " " : "", hints.ifindex[i]);
    assert_string_equal(text->str, expected);
}

static void
test_leases(void **state)
{
    const char *run = *state;
    g_autoptr(TtLeaseWatch) watch = NULL;

    make_folder(run, "");
    make_folder(run, "devices");
    write_lease(run, "devices/2");
    watch = tt_lease_watch_new(run, NULL);
    assert_hints(watch, "");
    write_lease(run, "devices/3");
    write_lease(run, "devices/4");
    write_lease(run, "devices/state");
    assert_hints(watch, "3 4");
    /* What is made beside it wakes nobody. */
    write_lease(run, "other");
    make_folder(run, "folder");
    assert_int_equal(poll(&(struct pollfd){tt_lease_watch_fd(watch), POLLIN, 0}, 1, 0), 0);
    remove_below(run, "devices/3");
    assert_hints(watch, "3");
    remove_below(run, "folder");
    remove_below(run, "other");
    remove_below(run, "devices/2");
    remove_below(run, "devices/4");
    remove_below(run, "devices/state");
    remove_below(run, "devices");
    remove_below(run, "");
}

/* NetworkManager starts after us, and again. */
static void
test_folder_comes_late(void **state)
{
    const char *run = *state;
    g_autoptr(TtLeaseWatch) watch = tt_lease_watch_new(run, NULL);

    for (guint i = 0; i < 2; i++) {
        assert_hints(watch, "");
        make_folder(run, "");
        assert_hints(watch, "");
        make_folder(run, "devices");
        write_lease(run, "devices/3");
        /* Whether that came before or after the watch is not known. */
        assert_hints(watch, "all");
        write_lease(run, "devices/3");
        assert_hints(watch, "3");
        remove_below(run, "devices/3");
        assert_hints(watch, "3");
        remove_below(run, "devices");
        assert_hints(watch, "");
        remove_below(run, "");
        assert_hints(watch, "");
    }
}

/* Both folders at once, between two looks. */
static void
test_folders_come_at_once(void **state)
{
    const char *run = *state;
    g_autoptr(TtLeaseWatch) watch = tt_lease_watch_new(run, NULL);

    make_folder(run, "");
    make_folder(run, "devices");
    assert_hints(watch, "all");
    write_lease(run, "devices/3");
    assert_hints(watch, "3");
    remove_below(run, "devices/3");
    remove_below(run, "devices");
    remove_below(run, "");
    assert_hints(watch, "3");
}

#define with_run(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_run(test_leases),
        with_run(test_folder_comes_late),
        with_run(test_folders_come_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
