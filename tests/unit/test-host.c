/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading and writing knobs, below a root in a temporary folder. */
#include "temp-root.h"

#include "core/error.h"
#include "core/host.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define IPV4 "/proc/sys/net/ipv4/"
#define CORE "/proc/sys/net/core/"
#define CUBIC "/sys/module/tcp_cubic/parameters/"

typedef struct {
    TtHostWish wishes[_TT_HOST_N];
    TtHostResult result;
    GString *told; /* a line for each report: "KEY ERROR TEXT" */
} World;

static TtHostWish
number(guint32 value)
{
    return (TtHostWish){.kind = TT_WISH_SET, .number = value};
}

static void
take_report(const TtHostReport *report, gpointer data)
{
    g_string_append_printf(((World *) data)->told, "%s %d %s\n",
                           tt_host_key_name(report->item->key), report->error,
                           report->text ? report->text : "-");
}

/* What was told: (transfer full). */
static char *
run(const char *root, World *world, bool undo)
{
    g_autoptr(GError) error = NULL;
    TtHostOptions options = {
        .root = root,
        .run_dir = root,
        .wishes = undo ? NULL : world->wishes,
        .report = take_report,
        .data = world,
    };

    memset(&world->result, 0, sizeof world->result);
    world->told = g_string_new(NULL);
    assert_true(tt_host_run(&options, &world->result, &error));
    assert_no_error(error);
    return g_string_free(world->told, FALSE);
}

static void
assert_run(const char *root, World *world, bool undo, const char *told)
{
    g_autofree char *text = run(root, world, undo);

    assert_string_equal(text, told);
}

static void
assert_value(const char *root, TtHostKey key, const char *value)
{
    TtKnobReading reading;

    tt_knob_read(root, key, &reading);
    assert_int_equal(reading.status, TT_KNOB_HERE);
    assert_string_equal(reading.value, value);
}

static bool
is_noted(const char *root, TtHostKey key)
{
    g_autoptr(TtHostNotes) notes = tt_host_notes_load(root, NULL);

    return notes->note[key].noted;
}

static void
put_all(const char *root)
{
    tt_temp_put(root, IPV4 "tcp_thin_linear_timeouts", "0\n");
    tt_temp_put(root, IPV4 "tcp_tw_reuse", "0\n");
    tt_temp_put(root, IPV4 "tcp_rto_min_us", "200000\n");
    tt_temp_put(root, CORE "netdev_budget", "300\n");
    tt_temp_put(root, CORE "default_qdisc", "pfifo_fast\n");
    tt_temp_put(root, CUBIC "hystart_detect", "1\n");
}

static void
test_apply_and_undo(void **state)
{
    World world = {.wishes = {
                       [TT_HOST_TCP_THIN_LINEAR_TIMEOUTS] = number(1),
                       [TT_HOST_TCP_TW_REUSE] = number(1),
                       [TT_HOST_HYSTART_DETECT] = number(2),
                       [TT_HOST_DEFAULT_QDISC] = {.kind = TT_WISH_SET, .text = (char *) "fq"},
                       [TT_HOST_RTO_MIN] = number(50000),
                   }};

    put_all(*state);
    assert_run(*state, &world, false,
               "tcp_thin_linear_timeouts 0 -\ntcp_tw_reuse 0 -\nhystart_detect 0 -\n"
               "default_qdisc 0 -\nrto_min 0 -\n");
    assert_int_equal(world.result.n_changed, 5);
    assert_int_equal(world.result.n_failed, 0);
    assert_value(*state, TT_HOST_DEFAULT_QDISC, "fq");
    assert_value(*state, TT_HOST_RTO_MIN, "50000");
    assert_run(*state, &world, false, "");
    assert_int_equal(world.result.n_changed, 0);
    world.wishes[TT_HOST_RTO_MIN].kind = TT_WISH_NONE;
    assert_run(*state, &world, false, "rto_min 0 -\n");
    assert_value(*state, TT_HOST_RTO_MIN, "200000");
    free(run(*state, &world, true));
    assert_int_equal(world.result.n_changed, 4);
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "0");
    assert_value(*state, TT_HOST_HYSTART_DETECT, "1");
    assert_value(*state, TT_HOST_DEFAULT_QDISC, "pfifo_fast");
    assert_false(tt_host_notes_exist(*state));
    assert_run(*state, &world, true, "");
}

static TtKnobStatus
status_of(const char *root, TtHostKey key)
{
    TtKnobReading reading;

    tt_knob_read(root, key, &reading);
    return reading.status;
}

static void
test_where_it_is_not(void **state)
{
    assert_int_equal(status_of(*state, TT_HOST_TCP_THIN_DUPACK), TT_KNOB_HIDDEN);
    assert_int_equal(status_of(*state, TT_HOST_HYSTART_DETECT), TT_KNOB_HIDDEN);
    put_all(*state);
    assert_int_equal(status_of(*state, TT_HOST_TCP_THIN_DUPACK), TT_KNOB_ABSENT);
    assert_false(tt_knob_in_namespace(*state));
    tt_temp_remove(*state, CORE "default_qdisc");
    assert_int_equal(status_of(*state, TT_HOST_DEFAULT_QDISC), TT_KNOB_ABSENT);
    tt_temp_remove(*state, CORE "netdev_budget");
    assert_int_equal(status_of(*state, TT_HOST_DEFAULT_QDISC), TT_KNOB_ELSEWHERE);
    assert_int_equal(status_of(*state, TT_HOST_TCP_THIN_DUPACK), TT_KNOB_ABSENT);
    assert_true(tt_knob_in_namespace(*state));
    tt_temp_remove(*state, CUBIC "hystart_detect");
    assert_int_equal(status_of(*state, TT_HOST_HYSTART_DETECT), TT_KNOB_ABSENT);
    tt_temp_remove(*state, "/sys/module/tcp_cubic");
    assert_int_equal(status_of(*state, TT_HOST_HYSTART_DETECT), TT_KNOB_NOT_LOADED);
}

static void
test_no_value(void **state)
{
    static const char *const texts[] = {"", "\n", "1 2\n", "1\t\n",
                                        "01234567890123456789012345678901\n"};

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        tt_temp_put(*state, IPV4 "tcp_tw_reuse", texts[i]);
        assert_int_equal(status_of(*state, TT_HOST_TCP_TW_REUSE), TT_KNOB_UNREADABLE);
    }
    tt_temp_put(*state, IPV4 "tcp_tw_reuse", "0123456789012345678901234567890\n");
    assert_int_equal(status_of(*state, TT_HOST_TCP_TW_REUSE), TT_KNOB_HERE);
    tt_temp_put(*state, IPV4 "tcp_tw_reuse", "1");
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "1");
}

/* A folder can be opened to read, and neither read nor opened to write. */
static void
test_unreadable(void **state)
{
    World world = {
        .wishes = {[TT_HOST_TCP_TW_REUSE] = number(1), [TT_HOST_RTO_MIN] = number(8000)}};
    g_autofree char *expected = g_strdup_printf("tcp_tw_reuse %d -\nrto_min 0 -\n", -EISDIR);

    put_all(*state);
    tt_temp_remove(*state, IPV4 "tcp_tw_reuse");
    tt_temp_put(*state, IPV4 "tcp_tw_reuse/file", "");
    assert_run(*state, &world, false, expected);
    assert_int_equal(world.result.n_failed, 1);
    assert_int_equal(world.result.n_changed, 1);
    assert_false(is_noted(*state, TT_HOST_TCP_TW_REUSE));
}

/* /dev/full takes nothing; what is read from it is no value, so it is put in place later. */
static void
test_refused(void **state)
{
    World world = {.wishes = {[TT_HOST_HYSTART_DETECT] = number(2)}};
    g_autofree char *full = g_strconcat(*state, CUBIC "hystart_detect", NULL);
    int fd;

    put_all(*state);
    if (geteuid() != 0) {
        g_autofree char *expected = g_strdup_printf("hystart_detect %d -\n", -EACCES);

        chmod(full, 0444);
        assert_run(*state, &world, false, expected);
        assert_false(tt_host_notes_exist(*state));
    }
    tt_temp_remove(*state, CUBIC "hystart_detect");
    tt_temp_link(*state, CUBIC "hystart_detect", "/dev/full");
    fd = tt_knob_open(*state, TT_HOST_HYSTART_DETECT);
    assert_true(fd >= 0);
    assert_int_equal(tt_knob_write(fd, "2"), -ENOSPC);
    close(fd);
}

/* A kernel that takes one value and has another: here, with leading zeros. */
static void
test_does_not_read_back(void **state)
{
    World world = {.wishes = {[TT_HOST_HYSTART_DETECT] = number(0)}};
    g_autofree char *expected = g_strdup_printf("hystart_detect %d 00000000\n", -EAGAIN);

    put_all(*state);
    tt_temp_remove(*state, CUBIC "hystart_detect");
    tt_temp_link(*state, CUBIC "hystart_detect", "/proc/self/coredump_filter");
    assert_run(*state, &world, false, expected);
    assert_int_equal(world.result.n_failed, 1);
    assert_int_equal(world.result.n_changed, 0);
    assert_false(is_noted(*state, TT_HOST_HYSTART_DETECT));
}

/* A file is a kernel that takes every number: it cannot know loopback. */
static void
test_lacks_loopback(void **state)
{
    World world = {.wishes = {[TT_HOST_TCP_TW_REUSE] = number(2)}};

    put_all(*state);
    assert_run(*state, &world, false, "");
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "0");
    assert_int_equal(world.result.plan.items[0].state, TT_HOST_UNAVAILABLE);
    assert_int_equal(world.result.n_failed + world.result.n_changed, 0);
    assert_false(is_noted(*state, TT_HOST_TCP_TW_REUSE));
    assert_run(*state, &world, false, "");
    world.wishes[TT_HOST_TCP_TW_REUSE] = number(1);
    assert_run(*state, &world, false, "tcp_tw_reuse 0 -\n");
    world.wishes[TT_HOST_TCP_TW_REUSE] = number(2);
    assert_run(*state, &world, false, "tcp_tw_reuse 0 -\n");
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "0");
    assert_int_equal(world.result.plan.items[0].state, TT_HOST_UNAVAILABLE);
    assert_run(*state, &world, true, "");
    assert_false(tt_host_notes_exist(*state));
}

/* What cannot be noted is not written. */
static void
test_no_notes_no_write(void **state)
{
    World world = {.wishes = {[TT_HOST_TCP_TW_REUSE] = number(1)}};
    g_autofree char *gone = g_build_filename(*state, "gone", NULL);
    TtHostOptions options = {.root = *state, .run_dir = gone, .wishes = world.wishes};
    g_autoptr(GError) error = NULL;

    put_all(*state);
    assert_false(tt_host_run(&options, &world.result, &error));
    assert_error(error, TT_ERROR_STATE, "cannot write");
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "0");
}

static void
test_look(void **state)
{
    World world = {.wishes = {[TT_HOST_TCP_TW_REUSE] = number(1)}};
    TtHostOptions options = {.root = *state, .run_dir = *state, .wishes = world.wishes};
    TtHostPlan plan;

    put_all(*state);
    assert_true(tt_host_look(&options, &plan, NULL));
    assert_true(tt_host_plan_writes(&plan));
    assert_value(*state, TT_HOST_TCP_TW_REUSE, "0");
    assert_false(tt_host_notes_exist(*state));
    tt_temp_put(*state, "/host", "garbage");
    assert_false(tt_host_look(&options, &plan, NULL));
}

static void
test_is_concerned(void **state)
{
    World world = {.wishes = {[TT_HOST_RTO_MIN] = {.kind = TT_WISH_NONE}}};

    assert_false(tt_host_is_concerned(world.wishes, *state));
    assert_false(tt_host_is_concerned(NULL, *state));
    world.wishes[TT_HOST_TCP_TW_REUSE] = number(1);
    assert_true(tt_host_is_concerned(world.wishes, *state));
    tt_temp_put(*state, "/host", "tcptune-nm host 1\n");
    assert_true(tt_host_is_concerned(NULL, *state));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tt_temp_root_new, tt_temp_root_free)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_apply_and_undo),     TEST(test_where_it_is_not),   TEST(test_no_value),
        TEST(test_unreadable),         TEST(test_refused),           TEST(test_lacks_loopback),
        TEST(test_does_not_read_back), TEST(test_no_notes_no_write), TEST(test_look),
        TEST(test_is_concerned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
