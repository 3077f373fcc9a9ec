/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a policy makes of the routes and the gateway of a profile. */
#include "tt-test.h"

#include "profile-world.h"

#define TUNED "quickack=true rto_min=8\n"
#define V6 "[ipv6]\nmethod=manual\naddress1=2001:db8:1::10/64\n"

static void
test_routes_in_place(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_routes("route1=10.0.0.0/8,192.0.2.9,50\nroute2=10.1.0.0/16,192.0.2.9\n"
                            "route3=10.2.0.0/16,192.0.2.9\nroute3_options=mtu=1400\n");
    g_autoptr(TtProfilePlan) plan =
        test_plan(before, "[route-a]\ndestination=10.0.0.0/8,10.2.0.0/16\nrto_min=8ms\n");
    g_autoptr(NMConnection) back = NULL;

    assert_routes(plan->after, AF_INET,
                  "10.0.0.0/8 192.0.2.9 50 rto_min=8\n10.1.0.0/16 192.0.2.9\n"
                  "10.2.0.0/16 192.0.2.9 mtu=1400 rto_min=8\n");
    assert_stamp(plan->after, "ipv4-routes",
                 "10.0.0.0/8 192.0.2.9 50, rto_min=8; 10.2.0.0/16 192.0.2.9, rto_min=8");
    assert_stamp(plan->after, "ipv4-gateway", NULL);
    assert_stamp(plan->after, "stamp", "1");
    assert_report(plan, "10.0.0.0/8 192.0.2.9 50 native\n10.2.0.0/16 192.0.2.9 native\n");
    back = test_revert(plan->after);
    assert_profile_equal(back, before);
}

static void
test_every_attribute(void **state)
{
    static const char policy[] =
        "[route-a]\ndestination=any\nrto_min=8ms\nquickack=yes\nadvmss=1400\ninitcwnd=20\n"
        "initrwnd=30\nwindow=65536\nmtu=1450\nlock=mtu\n";
    g_autoptr(NMConnection) before = test_profile(
        "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\nroute1=10.0.0.0/8,192.0.2.9\n" V6
        "route1=2001:db8:2::/48,fe80::1\n");
    g_autoptr(NMConnection) after = test_apply(before, policy);
    g_autoptr(NMConnection) back = test_revert(after);

    assert_routes(after, AF_INET,
                  "10.0.0.0/8 192.0.2.9 advmss=1400 initcwnd=20 initrwnd=30 lock-mtu=true mtu=1450 "
                  "quickack=true rto_min=8 window=65536\n");
    assert_routes(after, AF_INET6,
                  "2001:db8:2::/48 fe80::1 advmss=1400 initcwnd=20 initrwnd=30 lock-mtu=true "
                  "mtu=1450 quickack=true rto_min=8 window=65536\n");
    assert_profile_equal(back, before);
}

/* libnm compares types: a wrong one would be a difference for ever. */
static void
test_exact_types(void **state)
{
    static const struct {
        const char *name;
        const char *type;
    } attributes[] = {
        {"rto_min", "u"}, {"advmss", "u"}, {"initcwnd", "u"}, {"initrwnd", "u"},
        {"window", "u"},  {"mtu", "u"},    {"quickack", "b"}, {"lock-mtu", "b"},
    };
    g_autoptr(NMConnection) before = test_profile_routes("route1=10.0.0.0/8,192.0.2.9\n");
    g_autoptr(NMConnection) after =
        test_apply(before, "[route-a]\ndestination=any\nrto_min=1s\nquickack=yes\nadvmss=1400\n"
                           "initcwnd=20\ninitrwnd=30\nwindow=65536\nmtu=1450\nlock=mtu\n");
    NMIPRoute *route = nm_setting_ip_config_get_route(test_setting(after, AF_INET), 0);

    for (gsize i = 0; i < G_N_ELEMENTS(attributes); i++) {
        GVariant *value = nm_ip_route_get_attribute(route, attributes[i].name);

        assert_non_null(value);
        assert_string_equal(g_variant_get_type_string(value), attributes[i].type);
    }
    assert_int_equal(g_variant_get_uint32(nm_ip_route_get_attribute(route, "rto_min")), 1000);
}

static void
test_values_before(void **state)
{
    static const char policy[] =
        "[route-a]\ndestination=any\nrto_min=8ms\nquickack=no\nmtu=1400\ninitcwnd=none\n";
    g_autoptr(NMConnection) before = test_profile_routes(
        "route1=10.0.0.0/8,192.0.2.9\n"
        "route1_options=rto_min=50,quickack=true,mtu=9000,lock-mtu=true,initcwnd=30,window=20000\n"
        "route2=10.1.0.0/16,192.0.2.9\nroute2_options=quickack=false,rto_min=8,mtu=1400\n");
    g_autoptr(NMConnection) after = test_apply(before, policy);
    g_autoptr(NMConnection) back = test_revert(after);

    assert_routes(after, AF_INET,
                  "10.0.0.0/8 192.0.2.9 initcwnd=30 lock-mtu=true mtu=1400 rto_min=8 window=20000\n"
                  "10.1.0.0/16 192.0.2.9 mtu=1400 quickack=false rto_min=8\n");
    assert_stamp(
        after, "ipv4-routes",
        "10.0.0.0/8 192.0.2.9, rto_min=8 was 50, quickack=none was true, mtu=1400 was 9000");
    assert_profile_equal(back, before);
}

/* Without an mtu there is nothing to lock. */
static void
test_lock(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_routes("route1=10.0.0.0/8,192.0.2.9\nroute2=10.1.0.0/16,192.0.2.9\n"
                            "route2_options=mtu=9000,lock-mtu=false\n");
    g_autoptr(NMConnection) after = test_apply(before, "[route-a]\ndestination=any\nlock=mtu\n");
    g_autoptr(NMConnection) back = test_revert(after);

    assert_routes(after, AF_INET,
                  "10.0.0.0/8 192.0.2.9\n10.1.0.0/16 192.0.2.9 lock-mtu=true mtu=9000\n");
    assert_stamp(after, "ipv4-routes", "10.1.0.0/16 192.0.2.9, lock-mtu=true was false");
    assert_profile_equal(back, before);
}

static void
test_foreign_attributes(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("route1=10.0.0.0/8,192.0.2.9\n");
    g_autoptr(TtProfilePlan) some = test_plan(
        before, "[route-a]\ndestination=10.0.0.0/8\nhoplimit=64\ncongctl=cubic\nrto_min=8ms\n");
    g_autoptr(TtProfilePlan) only =
        test_plan(before, "[route]\nhoplimit=64\nfeatures=ecn\nfastopen_no_cookie=yes\n");
    g_autoptr(TtProfilePlan) lock = test_plan(before, "[route]\nlock=congctl\n");

    assert_routes(some->after, AF_INET, "10.0.0.0/8 192.0.2.9 rto_min=8\n");
    assert_report(
        some,
        "10.0.0.0/8 192.0.2.9 native: hoplimit, congctl: NetworkManager has no such attribute\n");
    assert_null(only->after);
    assert_report(only, "0.0.0.0/0 192.0.2.1 kernel: hoplimit, features, fastopen_no_cookie: "
                        "NetworkManager has no such attribute\n");
    assert_null(lock->after);
    assert_report(
        lock, "0.0.0.0/0 192.0.2.1 kernel: lock=congctl: NetworkManager has no such attribute\n");
}

static void
test_gateway_moves(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_manual("address2=198.51.100.10/24\nroute1=10.0.0.0/8,192.0.2.9\n"
                            "route2=0.0.0.0/0,192.0.2.7,50\nroute-metric=300\ndns=192.0.2.53\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY);
    g_autoptr(NMConnection) back = test_revert(plan->after);

    assert_routes(plan->after, AF_INET,
                  "0.0.0.0/0 192.0.2.1 " TUNED
                  "10.0.0.0/8 192.0.2.9\n0.0.0.0/0 192.0.2.7 50 " TUNED);
    assert_gateway(plan->after, AF_INET, NULL);
    assert_stamp(plan->after, "ipv4-gateway", "192.0.2.1");
    assert_stamp(plan->after, "ipv4-routes",
                 "0.0.0.0/0 192.0.2.1, added, rto_min=8, quickack=true; "
                 "0.0.0.0/0 192.0.2.7 50, rto_min=8, quickack=true");
    assert_report(plan, "0.0.0.0/0 192.0.2.1 native\n0.0.0.0/0 192.0.2.7 50 native\n");
    assert_null(plan->stale);
    assert_profile_equal(back, before);
}

static void
test_gateway_moves_6(void **state)
{
    static const char *const gateways[] = {"2001:db8:1::1", "fe80::1"};

    for (gsize i = 0; i < G_N_ELEMENTS(gateways); i++) {
        g_autofree char *text = g_strconcat(V6 "gateway=", gateways[i], "\n", NULL);
        g_autofree char *expected = g_strconcat("::/0 ", gateways[i], " " TUNED, NULL);
        g_autoptr(NMConnection) before = test_profile(text);
        g_autoptr(NMConnection) after = test_apply(before, TEST_POLICY);
        g_autoptr(NMConnection) back = test_revert(after);

        assert_routes(after, AF_INET6, expected);
        assert_gateway(after, AF_INET6, NULL);
        assert_stamp(after, "ipv6-gateway", gateways[i]);
        assert_profile_equal(back, before);
    }
}

static void
test_both_families(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile("[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n" V6
                     "gateway=fe80::1\n");
    g_autoptr(TtProfilePlan) both = test_plan(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) one = test_plan(both->after, "[route-a]\nfamily=ipv6\nrto_min=8ms\n");
    g_autoptr(NMConnection) back = test_revert(one->after);

    assert_report(both, "0.0.0.0/0 192.0.2.1 native\n::/0 fe80::1 native\n");
    assert_gateway(one->after, AF_INET, "192.0.2.1");
    assert_routes(one->after, AF_INET, "");
    assert_routes(one->after, AF_INET6, "::/0 fe80::1 rto_min=8\n");
    assert_stamp(one->after, "ipv4-gateway", NULL);
    assert_stamp(one->after, "ipv4-routes", NULL);
    assert_report(one, "0.0.0.0/0 192.0.2.1 native, taken back\n::/0 fe80::1 native\n");
    assert_profile_equal(back, before);
}

static void
test_gateway_stays(void **state)
{
    static const struct {
        const char *profile;
        const char *policy;
        const char *report;
    } cases[] = {
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n",
         "[main]\ngateway=keep\n" TEST_POLICY, "0.0.0.0/0 192.0.2.1 kernel: gateway=keep\n"},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/32\ngateway=192.0.2.1\n", TEST_POLICY,
         "0.0.0.0/0 192.0.2.1 kernel: the gateway is on no subnet of the profile\n"},
        {"[ipv4]\nmethod=disabled\n" V6 "gateway=2001:db8:2::1\n", TEST_POLICY,
         "::/0 2001:db8:2::1 kernel: the gateway is on no subnet of the profile\n"},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/0\ngateway=192.0.2.1\n", TEST_POLICY,
         "0.0.0.0/0 192.0.2.1 kernel: the gateway is on no subnet of the profile\n"},
        {"[ipv4]\nmethod=auto\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n", TEST_POLICY,
         "0.0.0.0/0 192.0.2.1 kernel: only the gateway of a manual profile becomes a route\n"},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n",
         "[route]\nquickack=no\n", "0.0.0.0/0 192.0.2.1 kernel: there is nothing to set\n"},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n",
         "[route]\nrto_min=none\n", ""},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n",
         "[route-a]\ngateway=192.0.2.2\nrto_min=8ms\n", ""},
        {"[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\nroute-table=100\n",
         TEST_POLICY, ""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(NMConnection) before = test_profile(cases[i].profile);
        g_autoptr(TtProfilePlan) plan = test_plan(before, cases[i].policy);

        assert_null(plan->after);
        assert_null(plan->left);
        assert_report(plan, cases[i].report);
    }
}

static void
test_tables(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual(
        "route-table=100\nroute1=10.0.0.0/8,192.0.2.9\nroute2=10.1.0.0/16,192.0.2.9\n"
        "route2_options=table=254\n");
    g_autoptr(NMConnection) main_only =
        test_apply(before, "[route-a]\ndestination=any\nrto_min=8ms\n");
    g_autoptr(NMConnection) other =
        test_apply(before, "[route-a]\ndestination=any\ntable=100\nrto_min=8ms\n");
    g_autoptr(NMConnection) back = test_revert(other);

    assert_routes(main_only, AF_INET,
                  "10.0.0.0/8 192.0.2.9\n10.1.0.0/16 192.0.2.9 rto_min=8 table=254\n");
    assert_gateway(main_only, AF_INET, "192.0.2.1");
    assert_routes(other, AF_INET,
                  "0.0.0.0/0 192.0.2.1 rto_min=8\n10.0.0.0/8 192.0.2.9 rto_min=8\n"
                  "10.1.0.0/16 192.0.2.9 table=254\n");
    assert_profile_equal(back, before);
}

/* Field case 26: the gateway is in the list already. */
static void
test_gateway_twice(void **state)
{
    static const char *const options[] = {"", "route2_options=rto_min=50\n",
                                          "route2_options=rto_min=8,quickack=true\n"};
    static const char *const metrics[] = {"route2=0.0.0.0/0,192.0.2.1\n",
                                          "route2=0.0.0.0/0,192.0.2.1,300\nroute-metric=300\n"};

    for (gsize i = 0; i < 6; i++) {
        g_autofree char *more =
            g_strconcat("route1=10.0.0.0/8,192.0.2.9\n", metrics[i / 3], options[i % 3], NULL);
        g_autoptr(NMConnection) before = test_profile_manual(more);
        g_autoptr(NMConnection) after = test_apply(before, TEST_POLICY);
        g_autoptr(NMConnection) back = test_revert(after);

        assert_gateway(after, AF_INET, NULL);
        assert_routes(after, AF_INET,
                      i / 3 ? "10.0.0.0/8 192.0.2.9\n0.0.0.0/0 192.0.2.1 300 " TUNED
                            : "10.0.0.0/8 192.0.2.9\n0.0.0.0/0 192.0.2.1 " TUNED);
        assert_stamp(after, "ipv4-gateway", "192.0.2.1");
        assert_profile_equal(back, before);
    }
}

/* The gateway's route stood before all of the list: another default may not come to its place. */
static void
test_gateway_twice_behind(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_manual("route1=0.0.0.0/0,192.0.2.7\nroute2=0.0.0.0/0,192.0.2.1\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY);
    g_autoptr(NMConnection) back = NULL;

    assert_gateway(plan->after, AF_INET, "192.0.2.1");
    assert_routes(plan->after, AF_INET, "0.0.0.0/0 192.0.2.7 " TUNED "0.0.0.0/0 192.0.2.1\n");
    assert_report(plan, "0.0.0.0/0 192.0.2.1 kernel: the profile has the gateway's route again, "
                        "behind another default\n"
                        "0.0.0.0/0 192.0.2.7 native\n"
                        "0.0.0.0/0 192.0.2.1 kernel: the profile's gateway is the same route\n");
    back = test_revert(plan->after);
    assert_profile_equal(back, before);
}

static void
test_gateway_three_times(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_manual("route1=0.0.0.0/0,192.0.2.1\nroute2=0.0.0.0/0,192.0.2.1\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY);

    assert_null(plan->after);
    assert_report(plan, "0.0.0.0/0 192.0.2.1 kernel: the profile has this route twice\n"
                        "0.0.0.0/0 192.0.2.1 kernel: the profile has this route twice\n"
                        "0.0.0.0/0 192.0.2.1 kernel: the profile has this route twice\n");
}

/* Not the same route to the kernel: a source, another metric, another table. */
static void
test_gateway_almost_twice(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_manual("route1=0.0.0.0/0,192.0.2.1\nroute1_options=src=192.0.2.10\n"
                            "route2=0.0.0.0/0,192.0.2.1,50\nroute3=0.0.0.0/0,192.0.2.1\n"
                            "route3_options=table=100\n");
    g_autoptr(NMConnection) after = test_apply(before, TEST_POLICY);
    g_autoptr(NMConnection) back = test_revert(after);

    assert_routes(after, AF_INET,
                  "0.0.0.0/0 192.0.2.1 " TUNED
                  "0.0.0.0/0 192.0.2.1 quickack=true rto_min=8 src=192.0.2.10\n"
                  "0.0.0.0/0 192.0.2.1 50 " TUNED "0.0.0.0/0 192.0.2.1 table=100\n");
    assert_profile_equal(back, before);
}

static void
test_never_tuned(void **state)
{
    g_autoptr(NMConnection) before = test_profile_routes(
        "route1=224.0.0.0/4,192.0.2.9\nroute2=169.254.0.0/16,192.0.2.9\n"
        "route3=192.0.2.99/32\nroute3_options=type=local,scope=254,table=255\n");
    g_autoptr(TtProfilePlan) plan =
        test_plan(before, "[route-a]\ndestination=any\ntable=any\nrto_min=8ms\n");

    assert_null(plan->after);
    assert_report(plan, "");
}

/* The same twice in one list cannot be told apart afterwards. */
static void
test_copies(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_routes("route1=10.0.0.0/8,192.0.2.9\nroute2=10.1.0.0/16,192.0.2.9\n"
                            "route3=10.0.0.0/8,192.0.2.9\nroute3_options=mtu=1400\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY_ANY);

    assert_routes(plan->after, AF_INET,
                  "10.0.0.0/8 192.0.2.9\n10.1.0.0/16 192.0.2.9 " TUNED
                  "10.0.0.0/8 192.0.2.9 mtu=1400\n");
    assert_report(plan, "10.0.0.0/8 192.0.2.9 kernel: the profile has this route twice\n"
                        "10.1.0.0/16 192.0.2.9 native\n"
                        "10.0.0.0/8 192.0.2.9 kernel: the profile has this route twice\n");
}

static void
test_learned(void **state)
{
    g_autoptr(NMConnection) before = test_profile("[ipv4]\nmethod=auto\n[ipv6]\nmethod=auto\n");
    g_autoptr(NMConnection) never =
        test_profile("[ipv4]\nmethod=auto\nnever-default=true\n[ipv6]\nmethod=link-local\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) ra = test_plan(before, "[route-a]\nprotocol=any\nrto_min=8ms\n");
    g_autoptr(TtProfilePlan) none = test_plan(never, "[route-a]\nprotocol=any\nrto_min=8ms\n");

    assert_null(plan->after);
    assert_null(plan->left);
    assert_report(plan, "0.0.0.0/0 kernel: learned, not in the profile\n");
    assert_report(ra, "0.0.0.0/0 kernel: learned, not in the profile\n"
                      "::/0 kernel: learned, not in the profile\n");
    assert_report(none, "");
}

static void
test_connected(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile_routes("route1=192.0.2.0/24\nroute2=198.51.100.0/24\n");
    g_autoptr(NMConnection) after =
        test_apply(before, "[route-a]\ndestination=connected\nrto_min=8ms\n");

    assert_routes(after, AF_INET, "192.0.2.0/24 rto_min=8\n198.51.100.0/24\n");
}

/* A policy that asks for less takes back the rest, and one that asks for more goes on from what
 * was there at first. */
static void
test_policy_changes(void **state)
{
    static const char *const policies[] = {
        "[route-a]\ndestination=any\nrto_min=8ms\nmtu=1400\n",
        "[route-a]\ndestination=any\nrto_min=20ms\nquickack=yes\n",
        "[route-a]\ndestination=any\nmtu=none\nadvmss=1300\n",
        "[route-a]\ndestination=default\nadvmss=1300\n",
        "[main]\ngateway=keep\n[route-a]\ndestination=any\nrto_min=8ms\n",
        "[route-a]\nmatch-device=eth9\nrto_min=8ms\n",
    };
    g_autoptr(NMConnection) before =
        test_profile_manual("route1=10.0.0.0/8,192.0.2.9\nroute1_options=mtu=9000,rto_min=50\n");
    g_autoptr(NMConnection) now = test_profile_clone(before);

    for (gsize i = 0; i < 3 * G_N_ELEMENTS(policies); i++) {
        const char *policy = policies[(i * 5 + i / 6) % G_N_ELEMENTS(policies)];
        g_autoptr(NMConnection) direct = test_apply(before, policy);
        g_autoptr(NMConnection) next = test_apply(now, policy);
        g_autoptr(NMConnection) back = test_revert(next);

        assert_profile_equal(next, direct);
        assert_profile_equal(back, before);
        g_object_unref(now);
        now = g_steal_pointer(&next);
    }
}

/* Two routes of each of which the policy has an opinion of its own, and a profile without any. */
static void
test_gateway_key(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual("route1=0.0.0.0/0,192.0.2.7,50\n");
    g_autoptr(NMConnection) after =
        test_apply(before, "[route-a]\ngateway=192.0.2.7\nrto_min=9ms\n[route]\nmtu=1400\n");

    assert_routes(after, AF_INET,
                  "0.0.0.0/0 192.0.2.1 mtu=1400\n0.0.0.0/0 192.0.2.7 50 mtu=1400 rto_min=9\n");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes_in_place),
        cmocka_unit_test(test_every_attribute),
        cmocka_unit_test(test_exact_types),
        cmocka_unit_test(test_values_before),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_foreign_attributes),
        cmocka_unit_test(test_gateway_moves),
        cmocka_unit_test(test_gateway_moves_6),
        cmocka_unit_test(test_both_families),
        cmocka_unit_test(test_gateway_stays),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_gateway_twice),
        cmocka_unit_test(test_gateway_twice_behind),
        cmocka_unit_test(test_gateway_three_times),
        cmocka_unit_test(test_gateway_almost_twice),
        cmocka_unit_test(test_never_tuned),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_learned),
        cmocka_unit_test(test_connected),
        cmocka_unit_test(test_policy_changes),
        cmocka_unit_test(test_gateway_key),
    };

    return run_profile_tests(tests);
}
