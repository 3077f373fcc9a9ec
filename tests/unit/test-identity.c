/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/identity.h"
#include "route-text.h"
#include "tt-test.h"

/* Equal in all that forwards, whatever the metrics and the flags that the kernel reports. */
static void
test_same_identity(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"inet default via 192.0.2.1 dev 3 metric 100",
         "inet default via 192.0.2.1 dev 3 metric 100 rto_min 8 lock 13", true},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 flags 16", true},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 flags 4", false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.2 dev 3", false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 4", false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 proto 16", false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 realm 5", false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 src 192.0.2.2",
         false},
        {"inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 metric 1", false},
        {"inet default nhid 4 via 192.0.2.1 dev 3", "inet default nhid 4 via 192.0.2.9 dev 5",
         true},
        {"inet default nexthop via 192.0.2.1 dev 3 nexthop via 192.0.2.2 dev 3",
         "inet default nexthop via 192.0.2.1 dev 3 flags 16 nexthop via 192.0.2.2 dev 3", true},
        {"inet default nexthop via 192.0.2.1 dev 3 nexthop via 192.0.2.2 dev 3",
         "inet default nexthop via 192.0.2.1 dev 3 weight 2 nexthop via 192.0.2.2 dev 3", false},
        {"inet6 default via fe80::1 dev 3 pref 0", "inet6 default via fe80::1 dev 3 pref 1", false},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TtRoute) a = route_from_text(cases[i].a);
        g_autoptr(TtRoute) b = route_from_text(cases[i].b);

        if (tt_route_same_identity(a, b) != cases[i].same)
            fail_msg("%s / %s: expected %d", cases[i].a, cases[i].b, cases[i].same);
    }
}

static void
assert_same(const char *a_text, const char *b_text, bool same)
{
    g_autoptr(TtRoute) a = route_from_text(a_text);
    g_autoptr(TtRoute) b = route_from_text(b_text);
    TtIdentity a_identity = tt_identity_of(a), b_identity = tt_identity_of(b);

    if (tt_identity_equal(&a_identity, &b_identity) != same)
        fail_msg("%s / %s", a_text, b_text);
    if (same)
        assert_int_equal(tt_identity_hash(&a_identity), tt_identity_hash(&b_identity));
}

static void
test_value(void **state)
{
    assert_same("inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.1 dev 3 quickack 1",
                true);
    assert_same("inet default via 192.0.2.1 dev 3", "inet default via 192.0.2.2 dev 3", false);
    /* Hops of an IPv6 route come and go. */
    assert_same("inet6 default via fe80::1 dev 3 metric 9",
                "inet6 default metric 9 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 3", true);
    assert_same("inet6 default via fe80::1 dev 3 metric 9",
                "inet6 default via fe80::1 dev 3 metric 10", false);
    /* A route without a gateway stands beside, and is another. */
    assert_same("inet6 default via fe80::1 dev 3", "inet6 default dev 3", false);
}

static void
test_text(void **state)
{
    static const struct {
        const char *route, *expected;
    } cases[] = {
        {"inet 10.0.0.0/8 via 192.0.2.1 dev 3 metric 100", "inet 0a000000/8 table 254 metric 100 "},
        {"inet6 default via fe80::1 dev 3 table 7 from 2001:db8::/32",
         "inet6 00000000000000000000000000000000/0 from 20010db8000000000000000000000000/32 "
         "table 7 metric 0 any"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TtRoute) route = route_from_text(cases[i].route);
        TtIdentity identity = tt_identity_of(route), again;
        g_autoptr(GString) text = g_string_new(NULL);
        const char *at;

        tt_identity_append(&identity, text);
        if (!g_str_has_prefix(text->str, cases[i].expected))
            fail_msg("%s instead of %s", text->str, cases[i].expected);
        at = text->str;
        assert_true(tt_identity_take(&at, &again));
        assert_string_equal(at, "");
        assert_true(tt_identity_equal(&identity, &again));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_identity),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
