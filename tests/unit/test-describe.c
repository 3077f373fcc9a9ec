/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/describe.h"
#include "test-routes.h"
#include "tt-test.h"

typedef struct {
    TtHop hop;
    TtRoute route;
    TtPlanItem item;
    TtWish rto_min;
    TtWish quickack;
    TtSection section;
} Fixture;

/* A default route of which [route-lan] wants rto_min 8ms. */
static int
set_up(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->hop = test_hop("192.0.2.1");
    f->route = test_default(AF_INET, &f->hop, 1);
    f->section = (TtSection){.name = "route-lan", .origin = {"/etc/x.conf", 3}};
    f->rto_min = (TtWish){.kind = TT_WISH_SET, .value.number = 8};
    f->quickack = (TtWish){.kind = TT_WISH_REMOVE};
    f->item = (TtPlanItem){.route = &f->route, .wanted.match = TT_MATCH_YES};
    f->item.wanted.wish[TT_ATTR_RTO_MIN] = &f->rto_min;
    f->item.wanted.section[TT_ATTR_RTO_MIN] = &f->section;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    g_free(*state);
    return 0;
}

/* The text is the callee's to free. */
static void
assert_text(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    g_free(text);
}

static void
test_route(void **state)
{
    Fixture *f = *state;
    TtHop hops[] = {test_hop("2001:db8::1"), test_hop("2001:db8::2")};
    TtRoute two = test_default(AF_INET6, hops, 2);

    assert_text(tt_describe_route(&f->route), "default via 192.0.2.1 metric 100");
    assert_text(tt_describe_devices(&f->route), "lo");
    f->route.table = 77;
    f->route.tos = 8;
    assert_text(tt_describe_route(&f->route), "default via 192.0.2.1 tos 0x08 table 77 metric 100");
    assert_text(tt_describe_route(&two), "default via 2001:db8::1,2001:db8::2 metric 100");
    assert_text(tt_describe_devices(&two), "lo,lo");
}

static void
test_route_without_gateway(void **state)
{
    TtHop hop = test_hop(NULL);
    TtRoute route = test_default(AF_INET6, &hop, 1);

    assert_text(tt_describe_route(&route), "::/0 metric 100");
    route.family = AF_INET;
    assert_text(tt_describe_route(&route), "default metric 100");
    route.n_hops = 0;
    assert_text(tt_describe_devices(&route), "");
}

static void
test_ok(void **state)
{
    Fixture *f = *state;

    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    test_metric(&f->route.metrics, RTAX_MTU, 1400, true);
    f->item.target = f->route.metrics;
    f->item.state = TT_STATE_OK;
    assert_text(tt_describe_wanted(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_kernel(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_state(&f->item), "ok");
    assert_false(tt_describe_is_difference(&f->item));
}

static void
test_differs(void **state)
{
    Fixture *f = *state;

    test_metric(&f->item.target, RTAX_RTO_MIN, 8, true);
    f->item.state = TT_STATE_DIFFERS;
    assert_text(tt_describe_wanted(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_kernel(&f->item), "none");
    assert_text(tt_describe_state(&f->item), "differs");
    assert_true(tt_describe_is_difference(&f->item));
}

static void
test_unlocked(void **state)
{
    Fixture *f = *state;

    test_metric(&f->item.target, RTAX_RTO_MIN, 8, true);
    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, false);
    f->item.state = TT_STATE_DIFFERS;
    f->item.ineffective = TT_METRIC_BIT(RTAX_RTO_MIN);
    assert_text(tt_describe_kernel(&f->item), "rto_min 8ms");
    assert_text(tt_describe_state(&f->item), "not effective (unlocked)");
}

static void
test_removal_wanted(void **state)
{
    Fixture *f = *state;

    f->item.wanted.wish[TT_ATTR_QUICKACK] = &f->quickack;
    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    f->item.target = f->route.metrics;
    test_metric(&f->route.metrics, RTAX_QUICKACK, 1, false);
    f->item.state = TT_STATE_DIFFERS;
    assert_text(tt_describe_wanted(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_kernel(&f->item), "rto_min lock 8ms quickack 1");
}

static void
test_undo(void **state)
{
    Fixture *f = *state;

    f->item.wanted = (TtWanted){.match = TT_MATCH_NO};
    test_metric(&f->route.metrics, RTAX_RTO_MIN, 8, true);
    f->item.state = TT_STATE_DIFFERS;
    assert_text(tt_describe_wanted(&f->item), "none");
    assert_text(tt_describe_kernel(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_state(&f->item), "to be undone");
    assert_text(tt_describe_sections(&f->item.wanted), "");
}

static void
test_left(void **state)
{
    Fixture *f = *state;

    f->item.state = TT_STATE_LEFT;
    f->item.left = TT_LEFT_NEEDS_MONITOR;
    assert_text(tt_describe_wanted(&f->item), "rto_min lock 8ms");
    assert_text(tt_describe_kernel(&f->item), "none");
    assert_text(tt_describe_state(&f->item),
                "needs monitor: learned, and this NetworkManager may change it without an event");
    assert_true(tt_describe_is_difference(&f->item));
    f->item.left = TT_LEFT_KERNEL_RA;
    assert_text(tt_describe_state(&f->item),
                "left alone: the kernel keeps it from router advertisements");
    assert_true(tt_describe_is_difference(&f->item));
    f->item.left = TT_LEFT_NEVER;
    assert_false(tt_describe_is_difference(&f->item));
}

static void
test_orphan_and_twin(void **state)
{
    Fixture *f = *state;

    f->item.state = TT_STATE_DIFFERS;
    f->item.leaves = true;
    f->item.reason = TT_REASON_ORPHAN;
    assert_text(tt_describe_state(&f->item),
                "tuned, but NetworkManager no longer uses it: to be removed");
    f->item.reason = TT_REASON_TWIN;
    assert_text(tt_describe_state(&f->item), "second copy of a route: to be removed");
}

static void
test_sections(void **state)
{
    Fixture *f = *state;
    TtSection other = {.name = "route", .origin = {"/etc/x.conf", 9}};

    assert_text(tt_describe_sections(&f->item.wanted), "[route-lan] /etc/x.conf:3");
    f->item.wanted.section[TT_ATTR_QUICKACK] = &f->section;
    f->item.wanted.section[TT_ATTR_MTU] = &other;
    assert_text(tt_describe_sections(&f->item.wanted),
                "[route-lan] /etc/x.conf:3, [route] /etc/x.conf:9");
    f->item.wanted = (TtWanted){.match = TT_MATCH_PARTIAL, .partial = &other};
    assert_text(tt_describe_sections(&f->item.wanted), "[route] /etc/x.conf:9");
}

static void
test_age(void **state)
{
    assert_text(tt_describe_age(1000, 0), "");
    assert_text(tt_describe_age(1000, 1000), "0s");
    assert_text(tt_describe_age(1000, 2000), "0s");
    assert_text(tt_describe_age(1059, 1000), "59s");
    assert_text(tt_describe_age(1060, 1000), "1m");
    assert_text(tt_describe_age(1000 + 7200, 1000), "2h");
    assert_text(tt_describe_age(1000 + 86400 * 12, 1000), "12d");
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        test(test_route),
        test(test_route_without_gateway),
        test(test_ok),
        test(test_differs),
        test(test_unlocked),
        test(test_removal_wanted),
        test(test_undo),
        test(test_left),
        test(test_orphan_and_twin),
        test(test_sections),
        test(test_age),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
