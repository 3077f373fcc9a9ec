/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's answers to edits and look-ups, its refusals, and its notifications. */
#include "core/error.h"
#include "core/rtnl.h"
#include "fake-netlink.h"
#include "route-text.h"
#include "tt-test.h"

#include <errno.h>
#include <linux/netlink.h>

static int
setup(void **state)
{
    fake_netlink_reset();
    *state = tt_rtnl_new(NULL);
    return *state && tt_rtnl_watch(*state, NULL) ? 0 : -1;
}

static int
teardown(void **state)
{
    tt_rtnl_free(*state);
    fake_netlink_reset();
    return 0;
}

static struct nlmsghdr *
header_of(GByteArray *message)
{
    return (struct nlmsghdr *) (void *) message->data;
}

/*
 * Edits.
 */

static void
assert_edit(TtRtnl *rtnl, int expected, const char *expected_text)
{
    g_autoptr(GByteArray) message = route_message_from_text("inet default via 192.0.2.1 dev 3");
    g_autofree char *text = NULL;

    assert_int_equal(tt_rtnl_edit(rtnl, message, &text), expected);
    assert_int_equal(g_strcmp0(text, expected_text), 0);
}

static void
test_edit(void **state)
{
    assert_edit(*state, 0, NULL);
    fake_netlink_answer(fake_netlink_verdict(-EEXIST, NULL, true));
    assert_edit(*state, -EEXIST, NULL);
    fake_netlink_answer(fake_netlink_verdict(-EINVAL, "Invalid metric", true));
    assert_edit(*state, -EINVAL, "Invalid metric");
    fake_netlink_answer(fake_netlink_verdict(-EINVAL, "Invalid metric", false));
    assert_edit(*state, -EINVAL, "Invalid metric");
    assert_int_equal(fake_netlink_sent()->len, 4);
    assert_true(header_of(fake_netlink_sent()->pdata[3])->nlmsg_flags & NLM_F_ACK);
}

/* Words of the kernel that nobody asked for are let go. */
static void
test_edit_without_text(void **state)
{
    g_autoptr(GByteArray) message = route_message_from_text("inet default via 192.0.2.1 dev 3");

    fake_netlink_answer(fake_netlink_verdict(-EINVAL, "Invalid metric", false));
    assert_int_equal(tt_rtnl_edit(*state, message, NULL), -EINVAL);
}

/* What is left of an earlier request does not count for this one. */
static void
test_stale_answer(void **state)
{
    fake_netlink_answer_stale(fake_netlink_verdict(-EPERM, "too late", false));
    fake_netlink_answer(fake_netlink_verdict(-EEXIST, NULL, false));
    assert_edit(*state, -EEXIST, NULL);
}

static void
test_interrupted(void **state)
{
    fake_netlink_fail_send(EINTR);
    fake_netlink_fail(EINTR);
    fake_netlink_fail(EINTR);
    assert_edit(*state, 0, NULL);
    assert_int_equal(fake_netlink_sent()->len, 1);
}

static void
test_no_answer(void **state)
{
    fake_netlink_fail(ENOBUFS);
    assert_edit(*state, -ENOBUFS, NULL);
    fake_netlink_fail_send(EPERM);
    assert_edit(*state, -EPERM, NULL);
}

/*
 * Look-ups.
 */

static TtRoute *
look_up(TtRtnl *rtnl, GError **error)
{
    TtAddress address = {.bytes = {192, 0, 2, 7}};

    return tt_rtnl_lookup(rtnl, AF_INET, &address, 0, error);
}

static void
test_lookup(void **state)
{
    static const int no_route[] = {-ENETUNREACH, -EHOSTUNREACH, -ENODEV, -EACCES, -EINVAL};
    g_autoptr(GError) error = NULL;
    g_autoptr(TtRoute) route = NULL;

    fake_netlink_answer(route_message_from_text("inet 192.0.2.0/24 dev 3"));
    route = look_up(*state, &error);
    assert_no_error(error);
    assert_int_equal(route->dst_len, 24);
    for (guint i = 0; i < G_N_ELEMENTS(no_route); i++) {
        fake_netlink_answer(fake_netlink_verdict(no_route[i], NULL, false));
        assert_null(look_up(*state, &error));
        assert_no_error(error);
    }
    fake_netlink_answer(fake_netlink_verdict(-EPERM, NULL, false));
    assert_null(look_up(*state, &error));
    assert_error(error, TT_ERROR_PERMISSION, "cannot ask for a route");
    fake_netlink_fail_send(ENOBUFS);
    assert_null(look_up(*state, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot ask for a route");
}

/*
 * Notifications.
 */

static void
tell_event(TtRoute **route, bool deleted, bool own_write, gpointer data)
{
    g_autofree char *text = tt_route_format(*route, false);

    g_string_append_printf(data, "%s%s%s\n", deleted ? "deleted " : "", own_write ? "own " : "",
                           text);
}

static void
test_drain(void **state)
{
    g_autoptr(GString) told = g_string_new(NULL);

    assert_true(tt_rtnl_drain(*state, tell_event, told));
    fake_netlink_route_event("inet default nhid 8", RTM_NEWROUTE, 0, 0);
    fake_netlink_fail_event(EINTR);
    fake_netlink_route_event("inet default nhid 9", RTM_DELROUTE, 0, tt_rtnl_port(*state));
    fake_netlink_route_event("inet6 2001:db8::1/128 dev 3 flags 512", RTM_NEWROUTE, 0,
                             0); /* cloned */
    assert_true(tt_rtnl_drain(*state, tell_event, told));
    assert_string_equal(told->str, "default nhid 8 proto static\n"
                                   "deleted own default nhid 9 proto static\n");
}

/* What was not lost is delivered all the same. */
static void
test_lost(void **state)
{
    g_autoptr(GString) told = g_string_new(NULL);

    fake_netlink_fail_event(ENOBUFS);
    fake_netlink_route_event("inet default nhid 9", RTM_NEWROUTE, 0, 0);
    assert_false(tt_rtnl_drain(*state, tell_event, told));
    assert_string_equal(told->str, "default nhid 9 proto static\n");
    fake_netlink_fail_event(EBADF);
    assert_false(tt_rtnl_drain(*state, tell_event, told));
    assert_true(tt_rtnl_drain(*state, tell_event, told));
}

/* More than the buffer holds: a route with thousands of hops. */
static void
test_too_long(void **state)
{
    g_autoptr(GString) told = g_string_new(NULL);
    g_autofree guint8 *body = g_malloc0(100000);

    fake_netlink_event(fake_netlink_message(RTM_NEWROUTE, 0, body, 100000));
    fake_netlink_route_event("inet default nhid 9", RTM_NEWROUTE, 0, 0);
    assert_false(tt_rtnl_drain(*state, tell_event, told));
    assert_string_equal(told->str, "default nhid 9 proto static\n");
}

#define with_rtnl(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_rtnl(test_edit),         with_rtnl(test_edit_without_text),
        with_rtnl(test_stale_answer), with_rtnl(test_interrupted),
        with_rtnl(test_no_answer),    with_rtnl(test_lookup),
        with_rtnl(test_drain),        with_rtnl(test_lost),
        with_rtnl(test_too_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
