/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lowered.h"
#include "plan-world.h"
#include "tt-test.h"

#include <glib/gstdio.h>

#define ROUTE "inet default via 192.0.2.1 dev 3 metric 100"

typedef struct {
    char *dir;
    void *world;
} Fixture;

static int
setup(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->dir = g_dir_make_tmp("tcptune-nm-lowered-XXXXXX", NULL);
    *state = f;
    return f->dir ? world_setup(&f->world) : -1;
}

static char *
path_of(const Fixture *f)
{
    return g_build_filename(f->dir, "lowered", NULL);
}

static int
teardown(void **state)
{
    Fixture *f = *state;
    g_autofree char *path = path_of(f);

    g_unlink(path);
    g_rmdir(f->dir);
    g_free(f->dir);
    world_teardown(&f->world);
    g_free(f);
    return 0;
}

/* Notes what a run would do, and does it. */
static void
run(Fixture *f)
{
    g_autoptr(TtPlan) plan = world_build(f->world);
    g_autoptr(GError) error = NULL;

    assert_true(tt_lowered_note(f->dir, plan, &error));
    assert_no_error(error);
    world_run(f->world, false);
}

static guint
lowered_to(const Fixture *f)
{
    World *world = f->world;
    g_autoptr(GHashTable) lowered = tt_lowered_load(f->dir);
    TtIdentity identity = tt_identity_of(world->routes->pdata[0]);

    return GPOINTER_TO_UINT(g_hash_table_lookup(lowered, &identity));
}

static void
test_the_least_stays(void **state)
{
    Fixture *f = *state;
    static const struct {
        const char *policy;
        guint expected;
    } steps[] = {
        {"[route]\nrto_min=50\n", 50},
        {"[route]\nrto_min=8\n", 8},
        {"[route]\nrto_min=20\n", 8},
        {NULL, 8},
    };

    world_add_route(f->world, ROUTE);
    assert_int_equal(lowered_to(f), 0);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        world_set_policy(f->world, steps[i].policy);
        run(f);
        assert_int_equal(lowered_to(f), steps[i].expected);
    }
}

static void
test_nothing_new_writes_nothing(void **state)
{
    Fixture *f = *state;
    g_autofree char *path = path_of(f);

    world_add_route(f->world, ROUTE);
    world_set_policy(f->world, "[route]\nquickack=yes\n");
    run(f);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    world_set_policy(f->world, "[route]\nrto_min=8\n");
    run(f);
    assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
    assert_int_equal(g_unlink(path), 0);
    run(f); /* nothing differs any more */
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* What is not known closes no connection. */
static void
test_damaged(void **state)
{
    Fixture *f = *state;
    g_autofree char *path = path_of(f);
    static const char *const texts[] = {
        "",
        "8 x\n",
        "tcptune-nm lowered 1\n\n8\nx y\n-8 y\n0 y\n99999999999 y\n",
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GHashTable) lowered = NULL;

        assert_true(g_file_set_contents(path, texts[i], -1, NULL));
        lowered = tt_lowered_load(f->dir);
        assert_int_equal(g_hash_table_size(lowered), 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_least_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_new_writes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
