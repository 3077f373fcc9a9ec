/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What becomes of a plan where the kernel refuses an edit, or others are faster. */
#include "core/execute.h"
#include "fake-netlink.h"
#include "plan-world.h"
#include "tt-test.h"

#include <errno.h>
#include <linux/netlink.h>

typedef struct {
    World *world;
    TtRtnl *rtnl;
    GString *told; /* a line for each event or report */
} Fixture;

static int
setup(void **state)
{
    Fixture *fixture = g_new0(Fixture, 1);
    void *world;

    fake_netlink_reset();
    world_setup(&world);
    fixture->world = world;
    fixture->rtnl = tt_rtnl_new(NULL);
    fixture->told = g_string_new(NULL);
    *state = fixture;
    return fixture->rtnl && tt_rtnl_watch(fixture->rtnl, NULL) ? 0 : -1;
}

static int
teardown(void **state)
{
    Fixture *fixture = *state;
    void *world = fixture->world;

    tt_rtnl_free(fixture->rtnl);
    world_teardown(&world);
    g_string_free(fixture->told, TRUE);
    g_free(fixture);
    fake_netlink_reset();
    return 0;
}

static void
assert_told(Fixture *fixture, const char *expected)
{
    assert_string_equal(fixture->told->str, expected);
    g_string_truncate(fixture->told, 0);
}

static void
tell_report(const TtEditReport *report, gpointer data)
{
    static const char *const kinds[] = {
        [TT_EDIT_REPLACE] = "replace",
        [TT_EDIT_APPEND] = "append",
        [TT_EDIT_DELETE] = "delete",
    };

    g_string_append_printf(((Fixture *) data)->told, "%s %u: %d%s%s\n", kinds[report->edit->kind],
                           report->edit->route->hops[0].gateway.bytes[3], report->error,
                           report->text ? " " : "", report->text ? report->text : "");
}

static TtExecution
execute(Fixture *fixture, bool last_round)
{
    g_autoptr(TtPlan) plan = world_build(fixture->world);

    return tt_execute(fixture->rtnl, plan, last_round, tell_report, fixture);
}

static void
assert_execution(Fixture *fixture, bool last_round, guint n_failed, bool outdated)
{
    TtExecution execution = execute(fixture, last_round);

    assert_int_equal(execution.n_failed, n_failed);
    assert_int_equal(execution.outdated, outdated);
}

/* Two defaults, to be replaced at once. */
static void
add_defaults(Fixture *fixture)
{
    world_add_route(fixture->world, "inet default via 192.0.2.1 dev 3");
    world_add_route(fixture->world, "inet default via 198.51.100.2 dev 4 metric 7");
}

static void
test_replace(void **state)
{
    Fixture *fixture = *state;

    add_defaults(fixture);
    assert_execution(fixture, false, 0, false);
    assert_told(fixture, "replace 1: 0\nreplace 2: 0\n");
}

static void
test_refused(void **state)
{
    Fixture *fixture = *state;

    add_defaults(fixture);
    fake_netlink_answer(fake_netlink_verdict(-EINVAL, "Invalid metric", false));
    assert_execution(fixture, false, 1, false);
    assert_told(fixture, "replace 1: -22 Invalid metric\nreplace 2: 0\n");
}

/* A route that went meanwhile is no failure: the next look tells. */
static void
test_gone(void **state)
{
    Fixture *fixture = *state;

    add_defaults(fixture);
    fake_netlink_answer(fake_netlink_verdict(-ENOENT, NULL, false));
    assert_execution(fixture, true, 0, true);
    assert_told(fixture, "replace 2: 0\n");
    assert_int_equal(fake_netlink_sent()->len, 1);
}

/* Nor is a device that goes, unless there is no next look. */
static void
test_device_gone(void **state)
{
    Fixture *fixture = *state;

    add_defaults(fixture);
    fake_netlink_answer(fake_netlink_verdict(-ENETUNREACH, NULL, false));
    assert_execution(fixture, false, 0, true);
    assert_told(fixture, "replace 2: 0\n");
    fake_netlink_answer(fake_netlink_verdict(-ENETUNREACH, NULL, false));
    assert_execution(fixture, true, 1, true);
    assert_told(fixture, "replace 1: -101\nreplace 2: 0\n");
}

/* Somebody changes a route of a key that is still to be edited: the plan is history. */
static void
test_others(void **state)
{
    Fixture *fixture = *state;

    add_defaults(fixture);
    fake_netlink_route_event("inet default via 198.51.100.3 dev 4 metric 7", RTM_NEWROUTE,
                             NLM_F_CREATE, 0);
    assert_execution(fixture, false, 0, true);
    assert_told(fixture, "");
    /* Another key, and nobody cares. */
    fake_netlink_route_event("inet default via 198.51.100.3 dev 4 metric 8", RTM_NEWROUTE,
                             NLM_F_CREATE, 0);
    assert_execution(fixture, false, 0, false);
    assert_told(fixture, "replace 1: 0\nreplace 2: 0\n");
    fake_netlink_fail_event(ENOBUFS);
    assert_execution(fixture, false, 0, true);
    assert_told(fixture, "");
}

/* Two routes behind another of their key: both are appended anew, and the old ones deleted from
 * behind. */
static void
add_behind(Fixture *fixture)
{
    world_set_policy(fixture->world, "[route-a]\ngateway=192.0.2.2,192.0.2.3\nmtu=1400\n");
    world_add_route(fixture->world, "inet default via 192.0.2.1 dev 3");
    world_add_route(fixture->world, "inet default via 192.0.2.2 dev 3");
    world_add_route(fixture->world, "inet default via 192.0.2.3 dev 3");
}

static void
answer(guint n_accepted, int code)
{
    while (n_accepted-- > 0)
        fake_netlink_answer(fake_netlink_verdict(0, NULL, false));
    fake_netlink_answer(fake_netlink_verdict(code, NULL, false));
}

/* Type of the request, and the last byte of the gateway. */
static void
assert_sent(guint i, guint16 type, guint8 gateway)
{
    const GByteArray *message = fake_netlink_sent()->pdata[i];
    const struct nlmsghdr *header = (const struct nlmsghdr *) (const void *) message->data;

    assert_int_equal(header->nlmsg_type, type);
    assert_non_null(memmem(message->data, message->len, (guint8[]){192, 0, 2, gateway}, 4));
}

static void
test_behind(void **state)
{
    Fixture *fixture = *state;

    add_behind(fixture);
    assert_execution(fixture, false, 0, false);
    assert_told(fixture, "append 2: 0\nappend 3: 0\ndelete 3: 0\ndelete 2: 0\n");
}

/* Nothing was deleted for the copies yet: they go. */
static void
test_append_refused(void **state)
{
    Fixture *fixture = *state;

    add_behind(fixture);
    answer(1, -ENOMEM);
    assert_execution(fixture, false, 1, false);
    assert_told(fixture, "append 2: 0\nappend 3: -12\n");
    assert_int_equal(fake_netlink_sent()->len, 3);
    assert_sent(2, RTM_DELROUTE, 2);
}

/* The old copy that stays is in front of the new ones: so must those be that stood before it. */
static void
test_delete_refused(void **state)
{
    Fixture *fixture = *state;

    add_behind(fixture);
    answer(2, -ENOMEM);
    assert_execution(fixture, false, 1, false);
    assert_told(fixture, "append 2: 0\nappend 3: 0\ndelete 3: -12\n");
    assert_int_equal(fake_netlink_sent()->len, 3);
}

/* Somebody deleted the route while it was moved: its successor goes as well. */
static void
test_delete_gone(void **state)
{
    Fixture *fixture = *state;

    add_behind(fixture);
    answer(2, -ESRCH);
    assert_execution(fixture, false, 0, true);
    assert_told(fixture, "append 2: 0\nappend 3: 0\ndelete 2: 0\n");
    assert_int_equal(fake_netlink_sent()->len, 5);
    assert_sent(2, RTM_DELROUTE, 3);
    assert_sent(3, RTM_DELROUTE, 3);
    assert_sent(4, RTM_DELROUTE, 2);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_fixture(test_replace),        with_fixture(test_refused),
        with_fixture(test_gone),           with_fixture(test_device_gone),
        with_fixture(test_others),         with_fixture(test_behind),
        with_fixture(test_append_refused), with_fixture(test_delete_refused),
        with_fixture(test_delete_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
