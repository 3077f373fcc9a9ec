/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dispatcher/fights.h"
#include "tt-test.h"

#define S G_USEC_PER_SEC
#define A 1
#define B 2

/* One write to the route of this number. */
static bool
note_one(TtFights *fights, guint route, gint64 at_us)
{
    TtIdentity identity = {.family = AF_INET, .priority = route};

    return tt_fights_note(fights, &identity, at_us);
}

/* Notes `n` writes, `every_us` apart; how many of them began a truce. */
static guint
note(TtFights *fights, guint route, guint n, gint64 from_us, gint64 every_us)
{
    guint n_truces = 0;

    for (guint i = 0; i < n; i++)
        n_truces += note_one(fights, route, from_us + i * every_us);
    return n_truces;
}

/* The first write is the tuning itself, five undoings are borne, the sixth is a fight. */
static void
test_limit(void **state)
{
    g_autoptr(TtFights) fights = tt_fights_new();
    TtIdentity a = {.family = AF_INET, .priority = A};

    assert_int_equal(note(fights, A, 6, 0, S), 0);
    assert_true(note_one(fights, A, 6 * S));
    assert_true(g_hash_table_contains(tt_fights_avoided(fights, 6 * S), &a));
}

/* An advertisement every 3 s, for an hour. */
static void
test_router_advertisements(void **state)
{
    g_autoptr(TtFights) fights = tt_fights_new();

    assert_int_equal(note(fights, A, 1200, 0, 3 * S), 0);
}

static void
test_routes_are_apart(void **state)
{
    g_autoptr(TtFights) fights = tt_fights_new();

    for (int i = 0; i < 6; i++) {
        assert_false(note_one(fights, A, i * S));
        assert_false(note_one(fights, B, i * S));
    }
}

static void
test_truce_ends(void **state)
{
    g_autoptr(TtFights) fights = tt_fights_new();

    assert_int_equal(tt_fights_next_end_us(fights), 0);
    assert_int_equal(note(fights, A, 7, 0, S), 1);
    assert_int_equal(note(fights, B, 7, 10 * S, S), 1);
    assert_int_equal(tt_fights_next_end_us(fights), (6 + TT_FIGHT_TRUCE_S) * S);
    assert_int_equal(g_hash_table_size(tt_fights_avoided(fights, 65 * S)), 2);
    assert_int_equal(g_hash_table_size(tt_fights_avoided(fights, 66 * S)), 1);
    assert_int_equal(tt_fights_next_end_us(fights), (16 + TT_FIGHT_TRUCE_S) * S);
    /* And it counts from the start again. */
    assert_int_equal(note(fights, A, 6, 66 * S, S), 0);
}

/* A routing daemon's thousands of routes do not add up, and do not hide a fight among them. */
static void
test_many_routes(void **state)
{
    g_autoptr(TtFights) fights = tt_fights_new();
    guint n_truces = 0;

    for (guint i = 0; i < 2000; i++) {
        assert_false(note_one(fights, B + i, i * S / 100));
        if (i % 100 == 0)
            n_truces += note_one(fights, A, i * S / 100);
    }
    assert_int_equal(n_truces, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_router_advertisements),
        cmocka_unit_test(test_routes_are_apart),
        cmocka_unit_test(test_truce_ends),
        cmocka_unit_test(test_many_routes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
