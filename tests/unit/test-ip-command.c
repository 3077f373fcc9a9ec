/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/ip-command.h"
#include "route-text.h"
#include "test-routes.h"
#include "tt-test.h"

#define PLAIN "default via 192.0.2.1 dev lo proto dhcp metric 100"

static void
assert_command(TtEditKind kind, TtRoute *route, guint32 absent, const char *expected)
{
    const TtEdit edit = {.kind = kind, .route = route, .absent = absent, .pair = -1};
    g_autofree char *text = tt_ip_command(&edit);

    assert_string_equal(text, expected);
}

static void
test_verbs(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);

    assert_command(TT_EDIT_REPLACE, &route, 0, "ip route change " PLAIN);
    assert_command(TT_EDIT_APPEND, &route, 0, "ip route append " PLAIN);
    assert_command(TT_EDIT_DELETE, &route, 0, "ip route del " PLAIN);
}

/* ip takes "lock" behind every metric but rto_min, which it always locks. */
static void
test_locks(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);

    test_metric(&route.metrics, RTAX_MTU, 1400, true);
    test_metric(&route.metrics, RTAX_RTO_MIN, 8, true);
    test_metric(&route.metrics, RTAX_QUICKACK, 1, false);
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip route change " PLAIN " mtu lock 1400 rto_min 8ms quickack 1");
}

/* All else has to stand before the first nexthop. */
static void
test_multipath(void **state)
{
    TtHop hops[] = {test_hop("2001:db8::1"), test_hop("2001:db8::2")};
    TtRoute route = test_default(AF_INET6, hops, 2);

    hops[1].weight = 4;
    hops[1].flags = RTNH_F_ONLINK | RTNH_F_LINKDOWN;
    route.expires = 90;
    test_metric(&route.metrics, RTAX_RTO_MIN, 50, true);
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip -6 route change default proto dhcp metric 100 expires 90 rto_min 50ms"
                   " nexthop via 2001:db8::1 dev lo weight 1"
                   " nexthop via 2001:db8::2 dev lo weight 5 onlink");
}

static void
test_nexthop_object(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);

    route.nh_id = 7;
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip route change default nhid 7 proto dhcp metric 100 quickack 0");
    test_metric(&route.metrics, RTAX_QUICKACK, 1, false);
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip route change default nhid 7 proto dhcp metric 100 quickack 1");
}

/* ip would take scope link. */
static void
test_scope(void **state)
{
    TtHop hop = test_hop(NULL);
    TtRoute route = test_default(AF_INET, &hop, 1);

    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip route change default dev lo proto dhcp scope global metric 100");
    route.scope = RT_SCOPE_LINK;
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "ip route change default dev lo proto dhcp scope link metric 100");
}

static void
test_realms(void **state)
{
    g_autoptr(TtRoute) route =
        route_from_text("inet default via 192.0.2.1 dev 1 metric 100 proto 16 realm 196612");
    g_autoptr(TtRoute) hops = route_from_text(
        "inet default metric 100 proto 16 nexthop via 192.0.2.1 dev 1 nexthop via 192.0.2.2 dev 1");

    assert_command(TT_EDIT_REPLACE, route, 0, "ip route change " PLAIN " realms 3/4");
    assert_command(TT_EDIT_REPLACE, hops, 0,
                   "ip route change default proto dhcp metric 100"
                   " nexthop via 192.0.2.1 dev lo weight 1 nexthop via 192.0.2.2 dev lo weight 1");
}

static void
test_absent(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);
    guint32 rto_min = TT_METRIC_BIT(RTAX_RTO_MIN);

    assert_command(TT_EDIT_DELETE, &route, rto_min | TT_METRIC_BIT(RTAX_QUICKACK),
                   "ip route del " PLAIN " quickack 0");
    assert_command(TT_EDIT_DELETE, &route, rto_min,
                   "# ip cannot do this (it cannot name a route by the rto_min that it lacks):"
                   " del " PLAIN);
}

/* The old copy stands before its successor: it needs no more words. */
static void
test_absent_with_successor(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);
    const TtEdit edit = {
        .kind = TT_EDIT_DELETE, .route = &route, .absent = TT_METRIC_BIT(RTAX_RTO_MIN), .pair = 0};
    g_autofree char *text = tt_ip_command(&edit);

    assert_string_equal(text, "ip route del " PLAIN);
}

static void
test_unsayable(void **state)
{
    TtHop hop = test_hop("192.0.2.1");
    TtRoute route = test_default(AF_INET, &hop, 1);

    test_metric(&route.metrics, RTAX_RTO_MIN, 8, false);
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "# ip cannot do this (it cannot write rto_min without its lock):"
                   " change " PLAIN " rto_min 8ms");
    route.metrics = (TtMetrics){0};
    test_metric(&route.metrics, 30, 1, false);
    assert_command(TT_EDIT_REPLACE, &route, 0,
                   "# ip cannot do this (it cannot repeat all metrics of the route exactly):"
                   " change " PLAIN " metric 30 1");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verbs),     cmocka_unit_test(test_locks),
        cmocka_unit_test(test_multipath), cmocka_unit_test(test_nexthop_object),
        cmocka_unit_test(test_scope),     cmocka_unit_test(test_realms),
        cmocka_unit_test(test_absent),    cmocka_unit_test(test_absent_with_successor),
        cmocka_unit_test(test_unsayable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
