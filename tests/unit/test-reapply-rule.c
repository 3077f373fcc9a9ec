/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "helper/nm-objects.h"
#include "helper/reapply-rule.h"
#include "profile-world.h"

#define V4_MANUAL "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\n"
#define V4_AUTO "[ipv4]\nmethod=auto\n"
#define ROUTE "route1=0.0.0.0/0,192.0.2.1\n"
#define V6_IGNORE "[ipv6]\nmethod=ignore\n"
#define V6_DISABLED "[ipv6]\nmethod=disabled\n"
#define V6_AUTO "[ipv6]\nmethod=auto\n"
#define V6_LL "[ipv6]\nmethod=link-local\n"
#define V6_MANUAL "[ipv6]\nmethod=manual\naddress1=2001:db8::10/64\n"
#define ROUTE6 "route1=::/0,2001:db8::1\n"
#define USER "[user]\nours.key=1\n"

#define BOTH (TT_INTERRUPT_IPV4 | TT_INTERRUPT_IPV6)

typedef struct {
    const char *before;
    const char *after;
    guint on_1_42; /* what is interrupted there, */
    guint on_1_54; /* from there on, */
    guint tuned;   /* and there with IPv6 routes that were tuned in the kernel */
} Case;

static const Case cases[] = {
    {V4_MANUAL V6_IGNORE, V4_MANUAL ROUTE V6_IGNORE, 0, 0, 0},
    {V4_MANUAL V6_DISABLED, V4_MANUAL ROUTE V6_DISABLED, 0, 0, 0},
    {V4_MANUAL V6_AUTO, V4_MANUAL ROUTE V6_AUTO, TT_INTERRUPT_IPV6, 0, TT_INTERRUPT_IPV6},
    {V4_MANUAL V6_LL, V4_MANUAL ROUTE V6_LL, TT_INTERRUPT_IPV6, 0, TT_INTERRUPT_IPV6},
    {V4_MANUAL V6_MANUAL, V4_MANUAL ROUTE V6_MANUAL, TT_INTERRUPT_IPV6, 0, TT_INTERRUPT_IPV6},
    {V4_MANUAL V6_MANUAL, V4_MANUAL V6_MANUAL ROUTE6, TT_INTERRUPT_IPV6, TT_INTERRUPT_IPV6,
     TT_INTERRUPT_IPV6},
    {V4_AUTO V6_IGNORE, V4_AUTO ROUTE V6_IGNORE, TT_INTERRUPT_IPV4, TT_INTERRUPT_IPV4,
     TT_INTERRUPT_IPV4},
    {V4_AUTO V6_AUTO, V4_AUTO ROUTE V6_AUTO, BOTH, TT_INTERRUPT_IPV4, BOTH},
    /* The stamp alone. */
    {V4_AUTO V6_AUTO, V4_AUTO V6_AUTO USER, TT_INTERRUPT_IPV6, 0, TT_INTERRUPT_IPV6},
    {V4_AUTO V6_IGNORE, V4_AUTO V6_IGNORE USER, 0, 0, 0},
};

static guint
interrupts(const Case *c, guint number, bool ipv6_tuned)
{
    g_autoptr(NMConnection) before = test_profile(c->before);
    g_autoptr(NMConnection) after = test_profile(c->after);

    return tt_reapply_interrupts(before, after, &(TtReapplyFacts){number, ipv6_tuned});
}

static void
test_cases(void **state)
{
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const Case *c = &cases[i];

        print_message("case %u\n", i);
        assert_int_equal(interrupts(c, TT_NM_VERSION(1, 42, 4), false), c->on_1_42);
        assert_int_equal(interrupts(c, TT_NM_VERSION(1, 42, 4), true), c->on_1_42);
        assert_int_equal(interrupts(c, TT_NM_VERSION(1, 53, 90), false), c->on_1_42);
        assert_int_equal(interrupts(c, TT_NM_VERSION(1, 54, 0), false), c->on_1_54);
        assert_int_equal(interrupts(c, TT_NM_VERSION(1, 58, 1), true), c->tuned);
    }
}

/* Before 1.40.10 a reapply takes away what NetworkManager did not make. */
static void
test_foreign(void **state)
{
    const Case *manual = &cases[0];

    assert_int_equal(interrupts(manual, TT_NM_VERSION(1, 40, 9), false), TT_INTERRUPT_FOREIGN);
    assert_int_equal(interrupts(manual, TT_NM_VERSION(1, 40, 10), false), 0);
}

static void
test_wireguard(void **state)
{
    const Case tunnel = {
        "[connection]\nid=wg0\nuuid=83037490-1d17-4986-a397-01f1db3a7fc2\ntype=wireguard\n"
        "interface-name=wg0\n" V4_MANUAL V6_IGNORE,
        "[connection]\nid=wg0\nuuid=83037490-1d17-4986-a397-01f1db3a7fc2\ntype=wireguard\n"
        "interface-name=wg0\n" V4_MANUAL ROUTE V6_IGNORE,
    };

    assert_int_equal(interrupts(&tunnel, TT_NM_VERSION(1, 58, 1), false), BOTH);
}

static void
assert_text(guint bits, const char *expected)
{
    g_autofree char *text = tt_reapply_interrupt_text(bits);

    assert_string_equal(text, expected);
}

static void
test_text(void **state)
{
    assert_text(0, "");
    assert_text(TT_INTERRUPT_IPV6, "IPv6");
    assert_text(BOTH, "IPv4 and IPv6");
    assert_text(BOTH | TT_INTERRUPT_FOREIGN, "IPv4, IPv6 and routes of others");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_wireguard),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
