/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/route.h"
#include "route-text.h"
#include "tt-test.h"

static void
test_format(void **state)
{
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        {"inet default via 192.0.2.1 dev 1 proto 16 metric 100 src 192.0.2.7 rto_min 8 lock 13",
         "default via 192.0.2.1 dev lo proto dhcp src 192.0.2.7 metric 100 rto_min lock 8ms"},
        {"inet 10.0.0.0/8 dev 1 scope 253 proto 2 table 1000",
         "10.0.0.0/8 dev lo table 1000 proto kernel scope link"},
        {"inet 10.1.1.1 via fe80::1 dev 1 proto 4 flags 4",
         "10.1.1.1 via inet6 fe80::1 dev lo proto static onlink"},
        {"inet6 default via fe80::1 dev 1 proto 9 metric 1024 pref 1 from 2001:db8::/64",
         "default from 2001:db8::/64 via fe80::1 dev lo proto ra metric 1024 pref high"},
        {"inet default tos 16 proto 77 metric 5 nexthop via 192.0.2.1 dev 1 weight 3 nexthop via "
         "192.0.2.2 dev 1 flags 4",
         "default tos 0x10 proto 77 metric 5 nexthop via 192.0.2.1 dev lo weight 3 nexthop via "
         "192.0.2.2 dev lo weight 1 onlink"},
        {"inet 10.0.0.0/8 type 6", "blackhole 10.0.0.0/8 proto static"},
        {"inet default nhid 7 via 192.0.2.1 dev 1", "default nhid 7 proto static"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TtRoute) route = route_from_text(cases[i].text);
        g_autofree char *text = tt_route_format(route, true);

        assert_string_equal(text, cases[i].expected);
    }
}

static void
test_key(void **state)
{
    g_autoptr(TtRoute) a = route_from_text("inet default via 192.0.2.1 dev 3 metric 100");
    g_autoptr(TtRoute) b = route_from_text("inet default via 192.0.2.9 dev 4 metric 100 proto 16");
    g_autoptr(TtRoute) c = route_from_text("inet default via 192.0.2.1 dev 3 metric 101");
    g_autoptr(TtRoute) d = route_from_text("inet default via 192.0.2.1 dev 3 metric 100 tos 8");

    assert_true(tt_route_same_key(a, b));
    assert_int_equal(tt_route_key_hash(a), tt_route_key_hash(b));
    assert_false(tt_route_same_key(a, c));
    assert_false(tt_route_same_key(a, d));
}

static void
test_kinds(void **state)
{
    g_autoptr(TtRoute) kernel_ra =
        route_from_text("inet6 default via fe80::1 dev 3 proto 9 expires 30");
    g_autoptr(TtRoute) nm_ra = route_from_text("inet6 default via fe80::1 dev 3 proto 9");
    g_autoptr(TtRoute) from = route_from_text("inet6 default via fe80::1 dev 3 from 2001:db8::/64");

    assert_true(tt_route_is_kernel_ra(kernel_ra));
    assert_false(tt_route_is_kernel_ra(nm_ra));
    assert_false(tt_route_is_ecmp_capable(kernel_ra));
    assert_true(tt_route_is_ecmp_capable(nm_ra));
    assert_true(tt_route_is_default(nm_ra));
    assert_false(tt_route_is_default(from));
    assert_true(tt_route_uses_device(nm_ra, 3));
    assert_false(tt_route_uses_device(nm_ra, 4));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
