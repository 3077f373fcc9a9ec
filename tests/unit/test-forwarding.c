/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "helper/forwarding.h"
#include "route-text.h"

#define ETH0 3
#define ETH1 4
#define BOTH 3u

#define A "inet default via 192.0.2.1 dev 3 metric 100 proto 4"
#define B "inet default via 198.51.100.1 dev 4 metric 100 proto 4"
#define C "inet default via 198.51.100.1 dev 4 metric 200 proto 4"
#define SIX "inet6 default via fe80::1 dev 3 metric 100 proto 9"

static TtForwarding *
forwarding(const char *const *routes)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify) tt_route_free);
    g_autoptr(GHashTable) devices = g_hash_table_new(NULL, NULL);

    g_hash_table_add(devices, GINT_TO_POINTER(ETH0));
    for (; *routes; routes++)
        g_ptr_array_add(list, route_from_text(*routes));
    return tt_forwarding_new(list, devices);
}

#define FORWARDING(...) forwarding((const char *const[]){__VA_ARGS__, NULL})

/* `expected` NULL: the same; else the beginning of what differs. */
static void
assert_diff(TtForwarding *before, TtForwarding *after, guint families, const char *expected)
{
    g_autofree char *diff = tt_forwarding_diff(before, after, ETH0, families);

    if (!expected)
        assert_null(diff);
    else if (!diff || !g_str_has_prefix(diff, expected))
        fail_msg("expected \"%s\", got \"%s\"", expected, diff);
    tt_forwarding_free(before);
    tt_forwarding_free(after);
}

static void
test_same(void **state)
{
    assert_diff(FORWARDING(A, B, SIX), FORWARDING(A, B, SIX), BOTH, NULL);
    assert_diff(FORWARDING(A), FORWARDING(A " rto_min 8 lock 13 quickack 1"), BOTH, NULL);
    assert_diff(FORWARDING(A), FORWARDING("inet default via 192.0.2.1 dev 3 metric 100 proto 16"),
                BOTH, NULL);
    assert_diff(FORWARDING(SIX), FORWARDING(SIX " expires 1800"), BOTH, NULL);
}

static void
test_copies(void **state)
{
    assert_diff(FORWARDING(A), FORWARDING(A " rto_min 8", A), BOTH, NULL);
    assert_diff(FORWARDING(A, B), FORWARDING(A, B, A), BOTH, NULL);
    assert_diff(FORWARDING(A, B), FORWARDING(B, A), BOTH, "the order");
}

static void
test_other_devices(void **state)
{
    assert_diff(FORWARDING(A), FORWARDING(A, C), BOTH, NULL);
    assert_diff(FORWARDING(A, C), FORWARDING(A), BOTH, NULL);
    assert_diff(FORWARDING(A), FORWARDING(A, B), BOTH, "+ default via 198.51.100.1");
}

static void
test_differences(void **state)
{
    assert_diff(FORWARDING(A, SIX), FORWARDING(A), BOTH, "- default via fe80::1");
    assert_diff(FORWARDING(A, SIX), FORWARDING(A), 1u << 0, NULL);
    assert_diff(FORWARDING(A, SIX), FORWARDING(SIX), 1u << 1, NULL);
    assert_diff(FORWARDING(A), FORWARDING("inet default via 192.0.2.2 dev 3 metric 100"), BOTH,
                "- default via 192.0.2.1");
    assert_diff(FORWARDING(A), FORWARDING("inet default via 192.0.2.1 dev 3 metric 101"), BOTH,
                "-");
    assert_diff(FORWARDING(A), FORWARDING(A " table 7"), BOTH, "-");
    assert_diff(FORWARDING(A), FORWARDING(A " src 192.0.2.10"), BOTH, "-");
    assert_diff(FORWARDING(A), FORWARDING("inet default via 192.0.2.1 dev 4 metric 100"), BOTH,
                "-");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_other_devices),
        cmocka_unit_test(test_differences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
