/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dispatcher/kernel-events.h"
#include "fake-netlink.h"
#include "tt-test.h"

#include <errno.h>
#include <linux/rtnetlink.h>

static int
setup(void **state)
{
    TtPolicyReach reach = {.family = {true, true}, .connected = true};

    fake_netlink_reset();
    *state = tt_kernel_events_new(&reach, 1, NULL);
    return *state ? 0 : -1;
}

static int
teardown(void **state)
{
    tt_kernel_events_free(*state);
    fake_netlink_reset();
    return 0;
}

/* "all", or the devices. */
static void
assert_hints(TtKernelEvents *events, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    TtHints hints = {0};

    tt_kernel_events_read(events, &hints);
    if (hints.all)
        g_string_append(text, "all");
    for (guint i = 0; i < hints.n_devices && !hints.all; i++)
        g_string_append_printf(text, "%s%d", i ? " " : "", hints.ifindex[i]);
    assert_string_equal(text->str, expected);
}

static void
test_routes(void **state)
{
    assert_hints(*state, "");
    fake_netlink_route_event("inet default via 192.0.2.1 dev 3", RTM_NEWROUTE, 0, 0);
    fake_netlink_fail_event(EINTR);
    fake_netlink_route_event("inet6 default nexthop via fe80::1 dev 4 nexthop via fe80::1 dev 5",
                             RTM_DELROUTE, 0, 0);
    assert_hints(*state, "3 4 5");
    fake_netlink_route_event("inet default type 6", RTM_NEWROUTE, 0, 0); /* blackhole */
    assert_hints(*state, "all");
}

static void
send_link(guint16 type, const char *name)
{
    struct {
        struct ifinfomsg info;
        struct nlattr attr;
        char name[8];
    } body = {
        .info = {.ifi_index = 3},
        .attr = {.nla_len = sizeof body.attr + sizeof body.name, .nla_type = IFLA_IFNAME},
    };

    g_strlcpy(body.name, name, sizeof body.name);
    fake_netlink_event(fake_netlink_message(type, 0, &body, sizeof body));
}

/* Only a new name counts, and that it is gone. */
static void
test_links(void **state)
{
    send_link(RTM_NEWLINK, "eth0");
    send_link(RTM_NEWLINK, "eth0");
    assert_hints(*state, "");
    send_link(RTM_NEWLINK, "lan0");
    assert_hints(*state, "3");
    send_link(RTM_DELLINK, "lan0");
    assert_hints(*state, "3");
    send_link(RTM_NEWLINK, "eth0");
    assert_hints(*state, "");
}

static void
test_addresses(void **state)
{
    struct ifaddrmsg ifa = {.ifa_family = AF_INET, .ifa_index = 7};

    fake_netlink_event(fake_netlink_message(RTM_NEWADDR, 0, &ifa, sizeof ifa));
    assert_hints(*state, "7");
    fake_netlink_event(fake_netlink_message(RTM_DELADDR, 0, &ifa, sizeof ifa));
    assert_hints(*state, "7");
    fake_netlink_event(fake_netlink_message(RTM_NEWNEIGH, 0, &ifa, sizeof ifa));
    assert_hints(*state, "");
}

/* What does not hold what it should is none of the kernel's. */
static void
test_too_short(void **state)
{
    static const guint16 types[] = {RTM_NEWROUTE, RTM_DELROUTE, RTM_NEWLINK,
                                    RTM_DELLINK,  RTM_NEWADDR,  RTM_DELADDR};

    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        fake_netlink_event(fake_netlink_message(types[i], 0, "\7\7\7\7", 4));
    assert_hints(*state, "");
}

static void
test_lost(void **state)
{
    g_autofree guint8 *body = g_malloc0(10000);

    fake_netlink_fail_event(ENOBUFS);
    fake_netlink_route_event("inet default via 192.0.2.1 dev 3", RTM_NEWROUTE, 0, 0);
    assert_hints(*state, "all");
    /* Longer than the buffer: a route with hundreds of hops. */
    fake_netlink_event(fake_netlink_message(RTM_NEWROUTE, 0, body, 10000));
    assert_hints(*state, "all");
    fake_netlink_fail_event(EIO);
    assert_hints(*state, "all");
    assert_hints(*state, "");
}

#define with_events(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_events(test_routes),    with_events(test_links), with_events(test_addresses),
        with_events(test_too_short), with_events(test_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
