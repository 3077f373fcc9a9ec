/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "temp-root.h"

#include "core/error.h"
#include "core/host-notes.h"

#include <sys/stat.h>
#include <unistd.h>

static TtHostNotes *
load(const char *dir)
{
    g_autoptr(GError) error = NULL;
    TtHostNotes *notes = tt_host_notes_load(dir, &error);

    assert_no_error(error);
    return notes;
}

static void
save(TtHostNotes *notes, const char *dir)
{
    g_autoptr(GError) error = NULL;

    assert_true(tt_host_notes_save(notes, dir, &error));
    assert_no_error(error);
}

static char *
text_of(const char *dir)
{
    g_autofree char *path = g_build_filename(dir, "host", NULL);
    char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

static void
test_all_comes_back(void **state)
{
    g_autoptr(TtHostNotes) notes = load(*state);
    g_autoptr(TtHostNotes) back = NULL;

    assert_false(tt_host_notes_exist(*state));
    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "2", "0", 1000);
    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "0", "1", 2000);
    tt_host_notes_touch(notes, TT_HOST_DEFAULT_QDISC, "pfifo_fast", "fq_codel", 3000);
    tt_host_notes_set_lacks(notes, true);
    save(notes, *state);
    assert_false(notes->changed);
    assert_true(tt_host_notes_exist(*state));
    back = load(*state);
    assert_false(back->changed);
    assert_true(back->lacks_loopback);
    assert_true(back->note[TT_HOST_TCP_TW_REUSE].noted);
    assert_int_equal(back->note[TT_HOST_TCP_TW_REUSE].since, 1000);
    assert_string_equal(back->note[TT_HOST_TCP_TW_REUSE].before, "2");
    assert_string_equal(back->note[TT_HOST_TCP_TW_REUSE].set, "1");
    assert_string_equal(back->note[TT_HOST_TCP_TW_REUSE].prior, "0");
    assert_string_equal(back->note[TT_HOST_DEFAULT_QDISC].before, "pfifo_fast");
    assert_false(back->note[TT_HOST_RTO_MIN].noted);
}

static void
test_nothing_is_no_file(void **state)
{
    g_autoptr(TtHostNotes) notes = load(*state);

    tt_host_notes_touch(notes, TT_HOST_RTO_MIN, "200000", "50000", 1);
    save(notes, *state);
    assert_true(tt_host_notes_exist(*state));
    tt_host_notes_forget(notes, TT_HOST_RTO_MIN);
    save(notes, *state);
    assert_false(tt_host_notes_exist(*state));
}

/* A run that changes nothing writes nothing (I3). */
static void
test_unchanged(void **state)
{
    g_autoptr(TtHostNotes) notes = load(*state);
    g_autofree char *path = g_build_filename(*state, "host", NULL);
    struct stat before, after;

    tt_host_notes_touch(notes, TT_HOST_RTO_MIN, "200000", "50000", 1);
    save(notes, *state);
    assert_int_equal(stat(path, &before), 0);
    tt_host_notes_touch(notes, TT_HOST_RTO_MIN, "50000", "50000", 2);
    tt_host_notes_settle(notes, TT_HOST_RTO_MIN);
    tt_host_notes_settle(notes, TT_HOST_TCP_TW_REUSE);
    tt_host_notes_forget(notes, TT_HOST_TCP_TW_REUSE);
    tt_host_notes_set_lacks(notes, false);
    assert_false(notes->changed);
    save(notes, *state);
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino);
}

static void
test_settle(void **state)
{
    g_autoptr(TtHostNotes) notes = load(*state);
    TtHostNote *note = &notes->note[TT_HOST_TCP_TW_REUSE];

    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "2", "0", 1);
    assert_true(tt_host_note_is_ours(note, "0"));
    assert_false(tt_host_note_is_ours(note, "2"));
    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "0", "1", 1);
    assert_true(tt_host_note_is_ours(note, "0"));
    assert_true(tt_host_note_is_ours(note, "1"));
    assert_true(tt_host_note_is_ours(note, TT_KNOB_NO_VALUE));
    tt_host_notes_settle(notes, TT_HOST_TCP_TW_REUSE);
    assert_false(tt_host_note_is_ours(note, "0"));
    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "1", "2", 1);
    tt_host_notes_settle(notes, TT_HOST_TCP_TW_REUSE);
    assert_false(note->noted);
    assert_false(tt_host_note_is_ours(note, "2"));
}

/* The folder may be shared with other network namespaces, whose notes stay. */
static void
test_other_namespaces(void **state)
{
    g_autoptr(TtHostNotes) notes = NULL;
    g_autofree char *text = NULL;

    tt_temp_put(*state, "/host",
                "tcptune-nm host 1\ntcp_tw_reuse 1 5 2 0 0\nhystart_detect 0 5 3 2 2\n");
    notes = load(*state);
    assert_false(notes->note[TT_HOST_TCP_TW_REUSE].noted);
    assert_true(notes->note[TT_HOST_HYSTART_DETECT].noted);
    tt_host_notes_touch(notes, TT_HOST_TCP_TW_REUSE, "1", "0", 6);
    tt_host_notes_forget(notes, TT_HOST_HYSTART_DETECT);
    save(notes, *state);
    text = text_of(*state);
    assert_non_null(strstr(text, "\ntcp_tw_reuse 1 5 2 0 0\n"));
    assert_non_null(strstr(text, " 6 1 0 0\n"));
    assert_null(strstr(text, "hystart"));
    tt_host_notes_forget(notes, TT_HOST_TCP_TW_REUSE);
    save(notes, *state);
    assert_true(tt_host_notes_exist(*state));
}

static void
test_damaged(void **state)
{
    static const char *const texts[] = {
        "",
        "tcptune-nm host 2\n",
        "tcptune-nm host 1",
        "tcptune-nm host 1\ntcp_tw_reuse 0 5 2 0 0",
        "tcptune-nm host 1\ntcp_tw_reuse 0 5 2 0\n",
        "tcptune-nm host 1\ntcp_tw_reuse 0 5 2 0 0 0\n",
        "tcptune-nm host 1\ntcp_tw_reuse 0 5  0 0\n",
        "tcptune-nm host 1\ntcp_tw_reuse x 5 2 0 0\n",
        "tcptune-nm host 1\ntcp_tw_reuse 0 -5 2 0 0\n",
        "tcptune-nm host 1\ntcp_tw_reus 0 5 2 0 0\n",
        "tcptune-nm host 1\ntcp_tw_reuse 0 5 2 0 01234567890123456789012345678901\n",
        "tcptune-nm host 1\n\n",
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;

        tt_temp_put(*state, "/host", texts[i]);
        assert_null(tt_host_notes_load(*state, &error));
        assert_error(error, TT_ERROR_STATE, "/host is damaged");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tt_temp_root_new, tt_temp_root_free)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_all_comes_back), TEST(test_nothing_is_no_file), TEST(test_unchanged),
        TEST(test_settle),         TEST(test_other_namespaces),   TEST(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
