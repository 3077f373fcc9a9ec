/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be written and what is to be noted, without a kernel. */
#include "tt-test.h"

#include "core/host-plan.h"

#define KEY TT_HOST_TCP_TW_REUSE

/* One knob, and what is on disk about it. */
typedef struct {
    TtKnobReading readings[_TT_HOST_N];
    TtHostWish wishes[_TT_HOST_N];
    TtHostNotes notes;
    TtHostPlan plan;
    bool in_namespace;
} World;

static void
set_kernel(World *world, TtHostKey key, const char *value)
{
    world->readings[key] = (TtKnobReading){.status = TT_KNOB_HERE};
    g_strlcpy(world->readings[key].value, value, TT_KNOB_VALUE_LEN);
}

static World
make_world(const char *value)
{
    World world = {0};

    set_kernel(&world, KEY, value);
    return world;
}

static void
want(World *world, TtHostKey key, guint32 number)
{
    world->wishes[key] = (TtHostWish){.kind = TT_WISH_SET, .number = number};
}

static const TtHostItem *
plan(World *world, bool undo)
{
    TtHostPlanInput input = {
        .wishes = undo ? NULL : world->wishes,
        .readings = world->readings,
        .notes = &world->notes,
        .in_namespace = world->in_namespace,
    };

    tt_host_plan_build(&input, &world->plan);
    return world->plan.n_items ? &world->plan.items[0] : NULL;
}

/* How far a run gets before it is killed. */
typedef enum { PLANNED, NOTED, WRITTEN, DONE } Step;

static void
run(World *world, bool undo, Step last)
{
    const TtHostItem *item = plan(world, undo);

    if (item && item->state == TT_HOST_DIFFERS && last >= NOTED)
        tt_host_plan_note_intent(item, 1, &world->notes);
    if (item && item->state == TT_HOST_DIFFERS && last >= WRITTEN)
        set_kernel(world, KEY, item->target);
    if (last < DONE)
        return;
    plan(world, undo);
    tt_host_plan_note_done(&world->plan, &world->notes);
}

static void
assert_kernel(const World *world, const char *value)
{
    assert_string_equal(world->readings[KEY].value, value);
}

static void
test_apply_and_undo(void **state)
{
    World world = make_world("2");

    want(&world, KEY, 0);
    assert_int_equal(plan(&world, false)->state, TT_HOST_DIFFERS);
    assert_string_equal(plan(&world, false)->target, "0");
    run(&world, false, DONE);
    assert_kernel(&world, "0");
    assert_string_equal(world.notes.note[KEY].before, "2");
    assert_int_equal(plan(&world, false)->state, TT_HOST_OK);
    assert_int_equal(plan(&world, false)->since, 1);
    assert_int_equal(plan(&world, true)->state, TT_HOST_DIFFERS);
    assert_false(tt_host_item_has_say(plan(&world, true)));
    run(&world, true, DONE);
    assert_kernel(&world, "2");
    assert_false(world.notes.note[KEY].noted);
    assert_null(plan(&world, true));
}

static void
test_right_already(void **state)
{
    World world = make_world("0");

    want(&world, KEY, 0);
    assert_int_equal(plan(&world, false)->state, TT_HOST_OK);
    run(&world, false, DONE);
    assert_false(world.notes.changed);
    assert_false(world.notes.note[KEY].noted);
}

/* A policy that asks for less undoes the rest (I4); `none` is less. */
static void
test_policy_asks_for_less(void **state)
{
    for (int none = 0; none < 2; none++) {
        World world = make_world("2");

        want(&world, KEY, 1);
        run(&world, false, DONE);
        world.wishes[KEY].kind = none ? TT_WISH_NONE : TT_WISH_UNSET;
        run(&world, false, DONE);
        assert_kernel(&world, "2");
        assert_false(world.notes.note[KEY].noted);
    }
}

/* What somebody else wrote meanwhile is theirs: an undo leaves it, and later gives it back. */
static void
test_foreign_value(void **state)
{
    World world = make_world("2");

    want(&world, KEY, 0);
    run(&world, false, DONE);
    set_kernel(&world, KEY, "1");
    assert_int_equal(plan(&world, false)->state, TT_HOST_DIFFERS);
    run(&world, true, DONE);
    assert_kernel(&world, "1");
    assert_false(world.notes.note[KEY].noted);
    run(&world, false, DONE);
    assert_kernel(&world, "0");
    run(&world, true, DONE);
    assert_kernel(&world, "1");
}

/* Back to what was found: nothing to undo. */
static void
test_policy_asks_for_what_was(void **state)
{
    World world = make_world("2");

    want(&world, KEY, 0);
    run(&world, false, DONE);
    want(&world, KEY, 2);
    run(&world, false, DONE);
    assert_kernel(&world, "2");
    assert_false(world.notes.note[KEY].noted);
}

static void
test_not_to_be_had(void **state)
{
    static const TtKnobStatus gone[] = {TT_KNOB_ABSENT, TT_KNOB_NOT_LOADED};
    static const TtKnobStatus unseen[] = {TT_KNOB_ELSEWHERE, TT_KNOB_HIDDEN, TT_KNOB_UNREADABLE};

    for (guint i = 0; i < G_N_ELEMENTS(gone); i++) {
        World world = make_world("2");

        want(&world, KEY, 0);
        run(&world, false, DONE);
        world.readings[KEY] = (TtKnobReading){.status = gone[i]};
        assert_int_equal(plan(&world, false)->state, TT_HOST_UNAVAILABLE);
        run(&world, true, DONE);
        assert_false(world.notes.note[KEY].noted);
    }
    for (guint i = 0; i < G_N_ELEMENTS(unseen); i++) {
        World world = make_world("2");

        want(&world, KEY, 0);
        run(&world, false, DONE);
        world.readings[KEY] = (TtKnobReading){.status = unseen[i]};
        assert_int_not_equal(plan(&world, true)->state, TT_HOST_DIFFERS);
        run(&world, true, DONE);
        set_kernel(&world, KEY, "0");
        run(&world, true, DONE);
        assert_kernel(&world, "2");
    }
}

/* The kernel refused it: nothing of it is left in the notes. */
static void
test_write_failed(void **state)
{
    World world = make_world("2");

    want(&world, KEY, 0);
    run(&world, false, NOTED);
    plan(&world, false);
    tt_host_plan_note_done(&world.plan, &world.notes);
    assert_false(world.notes.note[KEY].noted);
}

static void
test_lacks_loopback(void **state)
{
    World world = make_world("0");

    want(&world, KEY, 2);
    assert_true(tt_host_item_asks_for_loopback(plan(&world, false)));
    tt_host_notes_set_lacks(&world.notes, true);
    assert_int_equal(plan(&world, false)->state, TT_HOST_UNAVAILABLE);
    assert_true(plan(&world, false)->lacks);
    run(&world, false, DONE);
    assert_true(world.notes.lacks_loopback);
    assert_kernel(&world, "0");
    /* Nobody asks any more: nobody needs to know. */
    want(&world, KEY, 1);
    assert_false(tt_host_item_asks_for_loopback(plan(&world, false)));
    run(&world, false, DONE);
    assert_kernel(&world, "1");
    assert_false(world.notes.lacks_loopback);
    /* What was set before is undone. */
    want(&world, KEY, 2);
    tt_host_notes_set_lacks(&world.notes, true);
    assert_int_equal(plan(&world, false)->state, TT_HOST_DIFFERS);
    assert_string_equal(plan(&world, false)->target, "0");
    run(&world, false, DONE);
    assert_kernel(&world, "0");
    assert_int_equal(plan(&world, false)->state, TT_HOST_UNAVAILABLE);
    assert_false(world.notes.note[KEY].noted);
}

/* Killed while it tried whether the kernel knows loopback. */
static void
test_left_at_no_value(void **state)
{
    World world = make_world("0");

    want(&world, KEY, 2);
    run(&world, false, NOTED);
    set_kernel(&world, KEY, TT_KNOB_NO_VALUE);
    run(&world, true, DONE);
    assert_kernel(&world, "0");
}

static void
test_host_wide(void **state)
{
    World world = {.in_namespace = true};

    set_kernel(&world, TT_HOST_HYSTART_DETECT, "3");
    set_kernel(&world, TT_HOST_RTO_MIN, "200000");
    want(&world, TT_HOST_HYSTART_DETECT, 2);
    want(&world, TT_HOST_RTO_MIN, 50000);
    plan(&world, false);
    assert_int_equal(world.plan.n_items, 2);
    assert_true(tt_host_plan_find(&world.plan, TT_HOST_HYSTART_DETECT)->whole_host);
    assert_false(tt_host_plan_find(&world.plan, TT_HOST_RTO_MIN)->whole_host);
    assert_null(tt_host_plan_find(&world.plan, TT_HOST_TCP_TW_REUSE));
    assert_true(tt_host_plan_writes(&world.plan));
    world.in_namespace = false;
    plan(&world, false);
    assert_false(tt_host_plan_find(&world.plan, TT_HOST_HYSTART_DETECT)->whole_host);
}

/* Whatever happens, and wherever runs are killed: an undo gives back what others wrote last (I7).
 */
static void
test_killed_anywhere(void **state)
{
    GRand *rand = g_rand_new_with_seed(7);

    for (guint round = 0; round < 20000; round++) {
        static const char *const values[] = {"0", "1", "2", "3"};
        const char *theirs = values[g_rand_int_range(rand, 0, 4)];
        World world = make_world(theirs);

        for (guint i = 0; i < 6; i++) {
            const char *value = values[g_rand_int_range(rand, 0, 4)];
            bool ours = tt_host_note_is_ours(&world.notes.note[KEY], value);

            if (g_rand_boolean(rand))
                want(&world, KEY, (guint32) g_rand_int_range(rand, 0, 3));
            else if (g_rand_boolean(rand))
                world.wishes[KEY].kind = TT_WISH_UNSET;
            /* What looks like our own work is taken for it. */
            if (!ours && g_rand_int_range(rand, 0, 4) == 0) {
                set_kernel(&world, KEY, value);
                theirs = value;
            }
            run(&world, g_rand_int_range(rand, 0, 4) == 0, (Step) g_rand_int_range(rand, 0, 4));
        }
        run(&world, true, DONE);
        assert_kernel(&world, theirs);
        assert_false(world.notes.note[KEY].noted);
    }
    g_rand_free(rand);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apply_and_undo),
        cmocka_unit_test(test_right_already),
        cmocka_unit_test(test_policy_asks_for_less),
        cmocka_unit_test(test_foreign_value),
        cmocka_unit_test(test_policy_asks_for_what_was),
        cmocka_unit_test(test_not_to_be_had),
        cmocka_unit_test(test_write_failed),
        cmocka_unit_test(test_lacks_loopback),
        cmocka_unit_test(test_left_at_no_value),
        cmocka_unit_test(test_host_wide),
        cmocka_unit_test(test_killed_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
