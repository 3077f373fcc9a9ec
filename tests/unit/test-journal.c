/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/error.h"
#include "core/journal.h"
#include "core/state-file.h"
#include "route-text.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define RTO_MIN TT_METRIC_BIT(RTAX_RTO_MIN)
#define QUICKACK TT_METRIC_BIT(RTAX_QUICKACK)

static int
setup(void **state)
{
    *state = g_dir_make_tmp("tcptune-nm-journal-XXXXXX", NULL);
    return *state ? 0 : -1;
}

static int
teardown(void **state)
{
    static const char *const names[] = {"journal", "journal.new"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(*state, names[i], NULL);

        g_unlink(path);
    }
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static TtMetrics
metrics_of(const char *text)
{
    g_autofree char *whole = g_strconcat("inet default dev 1 ", text, NULL);
    g_autoptr(TtRoute) route = route_from_text(whole);

    return route->metrics;
}

/* The route of most tests, by what it is. */
static const TtIdentity id = {.family = AF_INET, .table = RT_TABLE_MAIN, .rest = 1};

static void
touch(TtJournal *journal, const char *now, const char *set, guint32 named)
{
    TtMetrics before = metrics_of(now);
    TtMetrics after = metrics_of(set);

    tt_journal_touch(journal, &id, &before, &after, named, 1000);
}

/* What was there before the first touch stays `before`, however often we touch. */
static void
test_first_touch_counts(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    const TtJournalEntry *entry;

    touch(journal, "quickack 1", "rto_min 8 lock 13 quickack 1", RTO_MIN);
    touch(journal, "rto_min 8 lock 13 quickack 1", "rto_min 20 lock 13", RTO_MIN | QUICKACK);
    entry = tt_journal_get(journal, &id);
    assert_false(tt_metrics_has(&entry->before, RTAX_RTO_MIN));
    assert_true(tt_metrics_has(&entry->before, RTAX_QUICKACK));
    assert_int_equal(entry->set.value[RTAX_RTO_MIN], 20);
    assert_int_equal(entry->named, RTO_MIN | QUICKACK);
}

/* A value that somebody else put there since is the new `before`. */
static void
test_others_value_is_before(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();

    touch(journal, "", "rto_min 8 lock 13", RTO_MIN);
    touch(journal, "rto_min 70 lock 13", "rto_min 9 lock 13", RTO_MIN);
    assert_int_equal(tt_journal_get(journal, &id)->before.value[RTAX_RTO_MIN], 70);
}

/* A run that was killed between journal and kernel leaves the value of the run before. */
static void
test_prior_value_is_ours(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    TtMetrics old = metrics_of("rto_min 8 lock 13");
    TtMetrics unlocked = metrics_of("rto_min 8");

    touch(journal, "", "rto_min 8 lock 13", RTO_MIN);
    touch(journal, "rto_min 8 lock 13", "rto_min 20 lock 13", RTO_MIN);
    assert_true(tt_journal_entry_is_ours(tt_journal_get(journal, &id), &old, RTAX_RTO_MIN));
    assert_false(tt_journal_entry_is_ours(tt_journal_get(journal, &id), &unlocked, RTAX_RTO_MIN));
    tt_journal_settle(journal, &id);
    assert_false(tt_journal_entry_is_ours(tt_journal_get(journal, &id), &old, RTAX_RTO_MIN));
}

static void
test_forget(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    TtIdentity other = {.family = AF_INET, .table = RT_TABLE_MAIN, .rest = 2};

    touch(journal, "", "rto_min 8 lock 13 quickack 1", RTO_MIN | QUICKACK);
    tt_journal_forget(journal, &id, QUICKACK);
    assert_int_equal(tt_journal_get(journal, &id)->named, RTO_MIN);
    tt_journal_forget(journal, &other, RTO_MIN);
    tt_journal_forget(journal, &id, RTO_MIN);
    assert_null(tt_journal_get(journal, &id));
    touch(journal, "", "rto_min 8 lock 13", RTO_MIN);
    tt_journal_keep_only(journal, NULL, 1000);
    assert_int_equal(tt_journal_size(journal), 0);
}

/* A dump of IPv6 may leave out what is there: once is no proof. */
static void
test_inet6_is_missed_first(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autoptr(GArray) seen = g_array_new(FALSE, FALSE, sizeof(TtIdentity));
    TtIdentity inet6 = {.family = AF_INET6, .table = RT_TABLE_MAIN};
    TtMetrics none = {0}, set = metrics_of("rto_min 8 lock 13");

    tt_journal_touch(journal, &inet6, &none, &set, RTO_MIN, 1000);
    tt_journal_keep_only(journal, NULL, 1000);
    tt_journal_keep_only(journal, NULL, 1059);
    assert_int_equal(tt_journal_size(journal), 1);
    g_array_append_val(seen, inet6);
    tt_journal_keep_only(journal, seen, 1059);
    tt_journal_keep_only(journal, NULL, 1070);
    assert_int_equal(tt_journal_size(journal), 1);
    tt_journal_keep_only(journal, NULL, 1130);
    assert_int_equal(tt_journal_size(journal), 0);
}

static void
test_file(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autoptr(TtJournal) copy = NULL;
    g_autoptr(TtJournal) again = NULL;
    g_autoptr(GError) error = NULL;

    touch(journal, "mtu 1400 congctl reno", "rto_min 8 lock 13 lock 2", RTO_MIN | 1 << RTAX_MTU);
    touch(journal, "congctl reno", "congctl cubic", 1 << RTAX_CC_ALGO);
    assert_true(tt_journal_save(journal, *state, &error));
    again = tt_journal_load(*state, &error);
    assert_no_error(error);
    assert_true(tt_journal_equal(journal, again));
    copy = tt_journal_copy(again);
    assert_true(tt_journal_equal(copy, journal));
    tt_journal_forget(copy, &id, RTO_MIN);
    assert_false(tt_journal_equal(copy, journal));
    assert_true(tt_journal_only_defaults(again));
    assert_true(tt_journal_only_main(again));
    assert_true(tt_journal_has_family(again, AF_INET));
    assert_false(tt_journal_has_family(again, AF_INET6));
}

static void
test_empty_is_no_file(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autoptr(TtJournal) again = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_build_filename(*state, "journal", NULL);

    touch(journal, "", "rto_min 8 lock 13", RTO_MIN);
    assert_true(tt_journal_save(journal, *state, &error));
    assert_int_equal(access(path, F_OK), 0);
    tt_journal_forget(journal, &id, RTO_MIN);
    assert_true(tt_journal_save(journal, *state, &error));
    assert_int_equal(access(path, F_OK), -1);
    again = tt_journal_load(*state, &error);
    assert_no_error(error);
    assert_int_equal(tt_journal_size(again), 0);
}

#define HEADER "tcptune-nm journal 3\n"
#define ROUTE "route inet 00000000/0 table 254 metric 0 0123456789abcdef"

static void
test_damaged(void **state)
{
    static const char *const texts[] = {
        "rubbish",
        "tcptune-nm journal 2\n",
        HEADER "route x",
        HEADER "route inet 00000000/0 table 254 metric 0",
        HEADER "route inet 00000000/33 table 254 metric 0 any 1000 1 0\n",
        HEADER "route inet 0000000x/0 table 254 metric 0 any 1000 1 0\n",
        HEADER ROUTE " 1000 1",
        HEADER ROUTE " 1000 1 0\nmetric 13 - 8*",
        HEADER ROUTE " 1000 1 0\nmetric 32 - 8* 8*\n",
        HEADER ROUTE " 1000 1 0\nmetric 13 - 8x 8*\n",
        HEADER ROUTE " 1000 1 0\nmetric 13 - 4294967296 8*\n",
        HEADER ROUTE " 1000 1 0\nmetric 16 - =aaaaaaaaaaaaaaaa -\n",
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;

        assert_true(tt_state_file_write(*state, "journal", texts[i], strlen(texts[i]), &error));
        assert_null(tt_journal_load(*state, &error));
        assert_error(error, TT_ERROR_STATE, "journal is damaged");
    }
}

/* Half a file aside, as a killed run leaves it, does not count and is overwritten. */
static void
test_killed_while_writing(void **state)
{
    g_autoptr(TtJournal) journal = tt_journal_new();
    g_autoptr(TtJournal) again = NULL;
    g_autoptr(GError) error = NULL;

    touch(journal, "", "rto_min 8 lock 13", RTO_MIN);
    assert_true(tt_state_file_write(*state, "journal.new", "[jour", 5, &error));
    again = tt_journal_load(*state, &error);
    assert_int_equal(tt_journal_size(again), 0);
    assert_true(tt_journal_save(journal, *state, &error));
    tt_journal_free(again);
    again = tt_journal_load(*state, &error);
    assert_true(tt_journal_equal(journal, again));
}

#define with_dir(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_touch_counts),
        cmocka_unit_test(test_others_value_is_before),
        cmocka_unit_test(test_prior_value_is_ours),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_inet6_is_missed_first),
        with_dir(test_file),
        with_dir(test_empty_is_no_file),
        with_dir(test_damaged),
        with_dir(test_killed_while_writing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
