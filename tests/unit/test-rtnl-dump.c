/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of routes, links and addresses: whole, broken off, refused. */
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
    return *state ? 0 : -1;
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

static void
answer_route(const char *text, guint16 flags)
{
    GByteArray *message = route_message_from_text(text);

    header_of(message)->nlmsg_flags |= NLM_F_MULTI | flags;
    fake_netlink_answer(message);
}

static GPtrArray *
dump(TtRtnl *rtnl, bool only_defaults, GError **error)
{
    TtDumpFilter filter = {
        .family = AF_INET, .table = RT_TABLE_MAIN, .only_defaults = only_defaults};
    g_autoptr(GPtrArray) routes = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);

    g_ptr_array_add(routes, route_from_text("inet6 default via fe80::1 dev 3"));
    if (!tt_rtnl_dump_routes(rtnl, &filter, routes, error))
        return NULL;
    return g_steal_pointer(&routes);
}

/* With what was there before the dump. */
static void
assert_dump(TtRtnl *rtnl, bool only_defaults, guint n_expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) routes = dump(rtnl, only_defaults, &error);

    assert_no_error(error);
    assert_int_equal(routes->len, 1 + n_expected);
    assert_int_equal(((const TtRoute *) routes->pdata[0])->family, AF_INET6);
}

static void
test_dump(void **state)
{
    answer_route("inet default via 192.0.2.1 dev 3", 0);
    answer_route("inet 192.0.2.0/24 dev 3", 0);
    answer_route("inet 192.0.2.7/32 dev 3 table 255", 0);
    answer_route("inet 198.51.100.0/24 dev 3 table 100", 0);
    answer_route("inet6 2001:db8::/32 dev 3", 0);
    fake_netlink_answer(fake_netlink_done(0));
    assert_dump(*state, false, 2);
    /* A table that was never used. */
    fake_netlink_answer(fake_netlink_done(-ENOENT));
    assert_dump(*state, false, 0);
}

/* What a dump shows of a table that changed meanwhile does not count, unless it never ends. */
static void
test_dump_broken_off(void **state)
{
    answer_route("inet default via 192.0.2.1 dev 3", NLM_F_DUMP_INTR);
    answer_route("inet default via 192.0.2.2 dev 3 metric 7", 0);
    fake_netlink_answer(fake_netlink_done(0));
    answer_route("inet default via 192.0.2.2 dev 3 metric 7", 0);
    fake_netlink_answer(fake_netlink_done(0));
    assert_dump(*state, false, 1);
    assert_int_equal(fake_netlink_sent()->len, 2);
    for (guint i = 0; i < 5; i++) {
        answer_route("inet default via 192.0.2.1 dev 3", NLM_F_DUMP_INTR);
        fake_netlink_answer(fake_netlink_done(0));
    }
    assert_dump(*state, false, 1);
    assert_int_equal(fake_netlink_sent()->len, 7);
}

static void
test_dump_fails(void **state)
{
    g_autoptr(GError) error = NULL;

    answer_route("inet default via 192.0.2.1 dev 3", 0);
    fake_netlink_answer(fake_netlink_done(-ENOBUFS));
    assert_null(dump(*state, false, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot read the kernel's tables");
    fake_netlink_answer(fake_netlink_verdict(-EPERM, NULL, false));
    assert_null(dump(*state, false, &error));
    assert_error(error, TT_ERROR_PERMISSION, "cannot read the kernel's tables");
    fake_netlink_fail(ENOMEM);
    assert_null(dump(*state, false, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot read the kernel's tables");
    fake_netlink_fail_send(ENOBUFS);
    assert_null(dump(*state, false, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot read the kernel's tables");
}

/* Reading ends at the first prefix that is no default, and a look-up tells whether that was right.
 */
static void
test_dump_stops(void **state)
{
    answer_route("inet default via 192.0.2.1 dev 3", 0);
    answer_route("inet 192.0.2.0/24 dev 3", 0);
    answer_route("inet default via 192.0.2.1 dev 3", 0);
    assert_dump(*state, true, 1);
    assert_int_equal(fake_netlink_sent()->len, 2);
    /* Another default wins: twice, and then all is read. */
    for (guint i = 0; i < 2; i++) {
        answer_route("inet 192.0.2.0/24 dev 3", 0);
        answer_route("inet default via 192.0.2.1 dev 3", 0);
    }
    answer_route("inet 192.0.2.0/24 dev 3", 0);
    answer_route("inet default via 192.0.2.1 dev 3", 0);
    fake_netlink_answer(fake_netlink_done(0));
    assert_dump(*state, true, 1);
    assert_int_equal(fake_netlink_sent()->len, 2 + 5);
}

/*
 * Links and addresses.
 */

static void
answer_link(int ifindex)
{
    struct ifinfomsg info = {.ifi_index = ifindex};

    fake_netlink_answer(fake_netlink_message(RTM_NEWLINK, 0, &info, sizeof info));
}

static void
test_links(void **state)
{
    g_autoptr(TtFacts) facts = tt_facts_new();
    g_autoptr(GHashTable) ifindexes = g_hash_table_new(NULL, NULL);
    g_autoptr(GError) error = NULL;

    g_hash_table_add(ifindexes, GINT_TO_POINTER(3));
    answer_link(3);
    assert_true(tt_rtnl_load_links(*state, ifindexes, facts, &error));
    assert_non_null(tt_facts_link(facts, 3));
    g_hash_table_remove(facts->links, GINT_TO_POINTER(3));
    /* Gone meanwhile. */
    fake_netlink_answer(fake_netlink_verdict(-ENODEV, NULL, false));
    assert_true(tt_rtnl_load_links(*state, ifindexes, facts, &error));
    assert_no_error(error);
    assert_null(tt_facts_link(facts, 3));
    fake_netlink_answer(fake_netlink_verdict(-EBUSY, NULL, false));
    assert_false(tt_rtnl_load_links(*state, ifindexes, facts, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot read a device");
    fake_netlink_fail_send(EPERM);
    assert_false(tt_rtnl_load_links(*state, ifindexes, facts, &error));
    assert_error(error, TT_ERROR_PERMISSION, "cannot read a device");
}

static void
answer_address(guint16 flags)
{
    struct {
        struct ifaddrmsg header;
        struct nlattr attr;
        guint8 address[4];
    } body = {
        .header = {.ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = 3},
        .attr = {.nla_len = sizeof body.attr + sizeof body.address, .nla_type = IFA_ADDRESS},
        .address = {192, 0, 2, 10},
    };

    fake_netlink_answer(fake_netlink_message(RTM_NEWADDR, flags, &body, sizeof body));
}

static void
test_addresses(void **state)
{
    g_autoptr(TtFacts) facts = tt_facts_new();
    g_autoptr(GError) error = NULL;

    answer_address(NLM_F_MULTI | NLM_F_DUMP_INTR);
    fake_netlink_answer(fake_netlink_done(0));
    answer_address(NLM_F_MULTI);
    fake_netlink_answer(fake_netlink_done(0));
    assert_true(tt_rtnl_load_addresses(*state, facts, &error));
    assert_int_equal(facts->addresses->len, 1);
    fake_netlink_answer(fake_netlink_done(-EIO));
    assert_false(tt_rtnl_load_addresses(*state, facts, &error));
    assert_error(error, TT_ERROR_NETLINK, "cannot read the kernel's tables");
}

#define with_rtnl(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_rtnl(test_dump),       with_rtnl(test_dump_broken_off), with_rtnl(test_dump_fails),
        with_rtnl(test_dump_stops), with_rtnl(test_links),           with_rtnl(test_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
