/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which profiles are written at all: devices, several devices, profiles that are not ours. */
#include "tt-test.h"

#include "profile-world.h"

#define MANUAL "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n"
#define UUID "uuid=83037490-1d17-4986-a397-01f1db3a7fc2\n"

static NMConnection *
profile_of(const char *connection, const char *more)
{
    g_autofree char *text =
        g_strconcat("[connection]\nid=office\n" UUID, connection, "\n" MANUAL, more, NULL);

    return test_profile(text);
}

static void
assert_path(const TtProfilePlan *plan, char path)
{
    if (plan->after && path != 'n')
        fail_msg("%c: it is written", path);
    assert_int_equal(path == 'n', plan->after != NULL);
    assert_int_equal(path == '?', plan->left != NULL);
    if (path == '?')
        assert_non_null(strstr(plan->left, "is not known while the profile is not active"));
}

/* n: native, -: does not match, ?: left alone, because it cannot be known. */
static void
test_inactive(void **state)
{
    static const struct {
        const char *connection;
        const char *more;
        const char *device;
        char path;
    } cases[] = {
        {"type=ethernet\ninterface-name=eth0", "", "eth0", 'n'},
        {"type=ethernet\ninterface-name=eth0", "", "eth1", '-'},
        {"type=ethernet\ninterface-name=eth0", "", "type:ethernet", 'n'},
        {"type=ethernet\ninterface-name=eth0", "", "type:tun", '-'},
        {"type=ethernet\ninterface-name=eth0", "", "driver:virtio_net", '?'},
        {"type=ethernet\ninterface-name=eth0", "", "except:driver:virtio_net", '?'},
        {"type=ethernet\ninterface-name=eth0", "", "eth0,driver:virtio_net", 'n'},
        {"type=ethernet\ninterface-name=eth0", "", "mac:00:22:68:1c:59:b1", '?'},
        {"type=ethernet", "[ethernet]\nmac-address=00:22:68:1C:59:B1\n", "mac:00:22:68:1c:59:b1",
         'n'},
        {"type=ethernet", "[ethernet]\nmac-address=00:22:68:1C:59:B2\n", "mac:00:22:68:1c:59:b1",
         '-'},
        {"type=ethernet", "", "eth0", '?'},
        {"type=ethernet", "", "type:ethernet", 'n'},
        {"type=ethernet", "", "except:interface-name:eth9", '?'},
        {"type=ethernet", "", "*", 'n'},
        {"type=wifi", "[wifi]\nssid=a\n", "type:wifi", 'n'},
        {"type=bond\ninterface-name=bond0", "[bond]\nmode=802.3ad\n", "type:bond", 'n'},
        {"type=bridge\ninterface-name=br0", "", "br0", 'n'},
        {"type=vlan\ninterface-name=v0", "[vlan]\nid=7\nparent=eth0\n", "type:vlan", 'n'},
        {"type=tun\ninterface-name=tun0", "[tun]\nmode=1\n", "type:tun", 'n'},
        {"type=ip-tunnel\ninterface-name=gre1", "[ip-tunnel]\nmode=2\nremote=198.51.100.1\n",
         "type:ip-tunnel", 'n'},
        {"type=dummy\ninterface-name=d0", "", "type:ethernet", '-'},
        {"type=dummy\ninterface-name=d0", "", "d0", 'n'},
        /* of these the interface-name is another device's */
        {"type=pppoe\ninterface-name=eth0", "[pppoe]\nusername=a\n", "eth0", '?'},
        {"type=gsm\ninterface-name=wwan0", "[gsm]\napn=a\n", "type:ppp", '?'},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *policy =
            g_strconcat("[route-a]\nmatch-device=", cases[i].device, "\nrto_min=8ms\n", NULL);
        g_autoptr(NMConnection) before = profile_of(cases[i].connection, cases[i].more);
        g_autoptr(TtProfilePlan) plan = test_plan(before, policy);

        if (plan->after && cases[i].path == '-')
            fail_msg("%s, %s", cases[i].connection, cases[i].device);
        assert_path(plan, cases[i].path);
    }
}

static void
test_undecided_is_named(void **state)
{
    g_autoptr(NMConnection) before = profile_of("type=ethernet", "");
    g_autoptr(NMConnection) auto_only =
        test_profile("[connection]\nid=a\n" UUID "type=ethernet\n[ipv4]\nmethod=auto\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, "[route-a]\nmatch-device=eth0\nmtu=1400\n");
    g_autoptr(TtProfilePlan) nothing =
        test_plan(auto_only, "[route-a]\nmatch-device=eth0\nmtu=1400\n");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) later = test_plan(tuned, "[route-a]\nmatch-device=eth0\nmtu=1400\n");
    g_autoptr(NMConnection) back = test_revert(tuned);

    assert_string_equal(plan->left, "[route-a] match-device: whether the device is eth0 is not "
                                    "known while the profile is not active");
    /* There is nothing in it that could be left. */
    assert_null(nothing->left);
    /* What it has of an earlier policy stays, until it is known or reverted. */
    assert_non_null(later->left);
    assert_null(later->after);
    assert_profile_equal(back, before);
}

static TtProfilePlan *
plan_on(NMConnection *connection, const char *policy_text, const GPtrArray *links)
{
    g_autoptr(TtPolicy) policy = policy_text ? test_policy(policy_text) : NULL;
    const TtProfileInput input = {.policy = policy, .links = links};

    return test_plan_with(connection, &input);
}

static void
test_active(void **state)
{
    g_autoptr(NMConnection) before = profile_of("type=ethernet", "");
    g_autoptr(GPtrArray) links = test_links("eth0", NULL);
    g_autoptr(TtProfilePlan) name =
        plan_on(before, "[route-a]\nmatch-device=eth0\nmtu=1400\n", links);
    g_autoptr(TtProfilePlan) driver =
        plan_on(before, "[route-a]\nmatch-device=driver:virtio*\nmtu=1400\n", links);
    g_autoptr(TtProfilePlan) other =
        plan_on(before, "[route-a]\nmatch-device=eth1\nmtu=1400\n", links);

    assert_path(name, 'n');
    assert_path(driver, 'n');
    assert_path(other, '-');
    assert_report(other, "");
}

static void
test_connection_keys(void **state)
{
    static const struct {
        const char *connection;
        char path;
    } cases[] = {
        {"id:office", 'n'},
        {"id:off*", 'n'},
        {"id:home", '-'},
        {"except:id:office", '-'},
        {"uuid:83037490-1D17-4986-A397-01F1DB3A7FC2", 'n'},
        {"uuid:00000000-1d17-4986-a397-01f1db3a7fc2", '-'},
    };
    g_autoptr(NMConnection) before = profile_of("type=ethernet", "");
    g_autoptr(GPtrArray) links = test_links("eth0", NULL);
    TtLink *link = links->pdata[0];

    /* What is active there now does not count, and may be an older version of it. */
    link->connection_id = g_strdup("another");
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *policy =
            g_strconcat("[route-a]\nmatch-connection=", cases[i].connection, "\nmtu=1400\n", NULL);
        g_autoptr(TtProfilePlan) inactive = test_plan(before, policy);
        g_autoptr(TtProfilePlan) active = plan_on(before, policy, links);

        assert_path(inactive, cases[i].path);
        assert_path(active, cases[i].path);
    }
}

/* multi-connect: one profile, several devices. */
static void
test_several_devices(void **state)
{
    g_autoptr(NMConnection) before = profile_of("type=ethernet\nmulti-connect=3", "");
    g_autoptr(GPtrArray) links = test_links("eth0", "eth1");
    g_autoptr(TtProfilePlan) both = plan_on(before, TEST_POLICY, links);
    g_autoptr(TtProfilePlan) same = plan_on(before,
                                            "[route-a]\nmatch-device=eth0\nrto_min=8ms\n"
                                            "[route-b]\nmatch-device=eth1\nrto_min=8\n",
                                            links);
    g_autoptr(TtProfilePlan) one =
        plan_on(before, "[route-a]\nmatch-device=eth0\nrto_min=8ms\n", links);
    g_autoptr(TtProfilePlan) values =
        plan_on(before, "[route-a]\nmatch-device=eth0\nrto_min=8ms\n[route]\nrto_min=9ms\n", links);

    assert_path(both, 'n');
    assert_path(same, 'n');
    assert_null(one->after);
    assert_string_equal(one->left, "it is active on several devices, of which the policy wants "
                                   "different things");
    assert_null(values->after);
    assert_non_null(values->left);
}

static void
test_never_written(void **state)
{
    static const struct {
        const char *connection;
        const char *filename;
        guint32 flags;
        const char *left;
    } cases[] = {
        {"type=ethernet", NULL, NM_SETTINGS_CONNECTION_FLAG_UNSAVED, NULL},
        {"type=ethernet", "/etc/NetworkManager/system-connections/a.nmconnection", 0, NULL},
        {"type=ethernet", "/run/NetworkManager/system-connections/a.nmconnection", 0, NULL},
        {"type=ethernet", "/etc/sysconfig/network-scripts/ifcfg-eth0", 0, "ifcfg"},
        {"type=ethernet", "/usr/lib/NetworkManager/system-connections/a.nmconnection", 0,
         "shipped"},
        {"type=ethernet", "/run/NetworkManager/system-connections/netplan-eth0.nmconnection", 0,
         "netplan"},
        {"type=ethernet", NULL, NM_SETTINGS_CONNECTION_FLAG_NM_GENERATED, "generated"},
        {"type=ethernet", NULL, NM_SETTINGS_CONNECTION_FLAG_VOLATILE, "ends with"},
        {"type=ethernet", NULL, NM_SETTINGS_CONNECTION_FLAG_EXTERNAL, "something else"},
        {"type=ethernet\nmaster=vrf0\nslave-type=vrf", NULL, 0, "port"},
    };
    g_autoptr(TtPolicy) policy = test_policy(TEST_POLICY);
    g_autoptr(TtPolicy) other = test_policy("[route-a]\nmatch-device=eth9\nmtu=1400\n");
    g_autoptr(GPtrArray) links = test_links("eth0", NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(NMConnection) before = profile_of(cases[i].connection, "");
        TtProfileInput input = {.policy = policy,
                                .links = links,
                                .filename = cases[i].filename,
                                .flags = cases[i].flags};
        g_autoptr(TtProfilePlan) plan = test_plan_with(before, &input);
        g_autoptr(TtProfilePlan) unmatched = NULL;

        assert_int_equal(plan->after == NULL, cases[i].left != NULL);
        assert_int_equal(plan->left != NULL, cases[i].left != NULL);
        if (plan->left && !strstr(plan->left, cases[i].left))
            fail_msg("%s: %s", cases[i].left, plan->left);
        assert_report(plan,
                      plan->left ? "0.0.0.0/0 192.0.2.1 kernel\n" : "0.0.0.0/0 192.0.2.1 native\n");
        /* Not named where there is nothing in it for us. */
        input.policy = other;
        unmatched = test_plan_with(before, &input);
        assert_null(unmatched->left);
    }
}

/* Of a daemon before 1.44 only, and never in a file. */
static void
test_read_only(void **state)
{
    g_autoptr(NMConnection) before = profile_of("type=ethernet", "");
    g_autoptr(TtProfilePlan) plan = NULL;

    g_object_set(nm_connection_get_setting_connection(before), NM_SETTING_CONNECTION_READ_ONLY,
                 TRUE, NULL);
    plan = test_plan(before, TEST_POLICY);
    assert_null(plan->after);
    assert_string_equal(plan->left, "it is read-only");
}

static void
test_vpn(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile("[connection]\nid=a\n" UUID "type=vpn\n[vpn]\nservice-type=a.b\n"
                     "[ipv4]\nmethod=auto\nroute1=10.0.0.0/8\n");
    g_autoptr(TtProfilePlan) plan = test_plan(before, TEST_POLICY_ANY);

    assert_null(plan->after);
    assert_string_equal(plan->left, "it is a VPN");
}

static void
set_user(NMConnection *connection, const char *key, const char *value)
{
    NMSettingUser *user =
        NM_SETTING_USER(nm_connection_get_setting(connection, NM_TYPE_SETTING_USER));

    assert_true(nm_setting_user_set_data(user, key, value, NULL));
}

static void
test_later_version(void **state)
{
    g_autoptr(NMConnection) before = profile_of("type=ethernet", "");
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY);
    g_autoptr(TtProfilePlan) plan = NULL;

    assert_true(tt_profile_is_stamped(tuned));
    assert_false(tt_profile_is_stamped(before));
    set_user(tuned, "tcptune-nm.stamp", "2");
    plan = test_plan(tuned, NULL);
    assert_null(plan->after);
    assert_string_equal(plan->left, "its note is of a later tcptune-nm");
}

/* Weighted routes and IPv6 routes of one metric become one route. */
static void
test_groups(void **state)
{
    static const struct {
        const char *profile;
        const char *policy;
        const char *routes;
    } cases[] = {
        {"route1=10.0.0.0/8,192.0.2.7\nroute1_options=weight=1\nroute2=10.0.0.0/8,192.0.2.9\n"
         "route2_options=weight=2\n",
         "[route-a]\ndestination=any\nrto_min=8ms\n",
         "10.0.0.0/8 192.0.2.7 rto_min=8 weight=1\n10.0.0.0/8 192.0.2.9 rto_min=8 weight=2\n"},
        {"route1=10.0.0.0/8,192.0.2.7\nroute1_options=weight=1\nroute2=10.0.0.0/8,192.0.2.9\n"
         "route2_options=weight=2\n",
         "[route-a]\ndestination=any\ngateway=192.0.2.9\nrto_min=8ms\n", NULL},
        {"route1=10.0.0.0/8,192.0.2.7\nroute1_options=weight=1\nroute2=10.0.0.0/8,192.0.2.9\n"
         "route2_options=weight=2\n",
         "[route-a]\ndestination=any\ngateway=192.0.2.9\nrto_min=8ms\n"
         "[route-b]\ndestination=any\nrto_min=9ms\n",
         NULL},
        /* another metric: another route */
        {"route1=10.0.0.0/8,192.0.2.7,50\nroute1_options=weight=1\n"
         "route2=10.0.0.0/8,192.0.2.9,60\nroute2_options=weight=2\n",
         "[route-a]\ndestination=any\ngateway=192.0.2.9\nrto_min=8ms\n",
         "10.0.0.0/8 192.0.2.7 50 weight=1\n10.0.0.0/8 192.0.2.9 60 rto_min=8 weight=2\n"},
        /* one without weight stands alone */
        {"route1=10.0.0.0/8,192.0.2.7\nroute1_options=weight=1\nroute2=10.0.0.0/8,192.0.2.9\n",
         "[route-a]\ndestination=any\ngateway=192.0.2.9\nrto_min=8ms\n",
         "10.0.0.0/8 192.0.2.7 weight=1\n10.0.0.0/8 192.0.2.9 rto_min=8\n"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(NMConnection) before = test_profile_routes(cases[i].profile);
        g_autoptr(TtProfilePlan) plan = test_plan(before, cases[i].policy);

        assert_null(plan->left);
        if (cases[i].routes)
            assert_routes(plan->after, AF_INET, cases[i].routes);
        else
            assert_null(plan->after);
    }
}

static void
test_groups_6(void **state)
{
    g_autoptr(NMConnection) before =
        test_profile("[ipv6]\nmethod=manual\naddress1=2001:db8:1::10/64\ngateway=fe80::1\n"
                     "route1=::/0,fe80::2\nroute2=2001:db8:2::/48\nroute3=2001:db8:2::/48\n"
                     "route3_options=mtu=1400\n");
    g_autoptr(TtProfilePlan) one =
        test_plan(before, "[route-a]\nfamily=ipv6\ngateway=fe80::1\nrto_min=8ms\n");
    g_autoptr(TtProfilePlan) both = test_plan(before, "[route-a]\nfamily=ipv6\nrto_min=8ms\n");

    assert_null(one->after);
    assert_report(one,
                  "::/0 fe80::1 kernel: the routes that it is joined with are not tuned alike\n");
    assert_routes(both->after, AF_INET6,
                  "::/0 fe80::1 rto_min=8\n::/0 fe80::2 rto_min=8\n2001:db8:2::/48\n"
                  "2001:db8:2::/48 mtu=1400\n");
}

static NMConnection *
weighted(const char *uuid, const char *device, const char *metric)
{
    g_autofree char *text = g_strconcat(
        "[connection]\nid=", device, "\nuuid=", uuid, "\ntype=ethernet\ninterface-name=", device,
        "\n[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\nroute1=10.0.0.0/8,192.0.2.9", metric,
        "\nroute1_options=weight=1\n[ipv6]\nmethod=disabled\n", NULL);

    return test_profile(text);
}

static void
assert_pair(const char *metric, const char *policy_text, guint32 flags, bool native)
{
    g_autoptr(NMConnection) a = weighted("00000000-1d17-4986-a397-000000000001", "eth0", metric);
    g_autoptr(NMConnection) b = weighted("00000000-1d17-4986-a397-000000000002", "eth1", metric);
    g_autoptr(GPtrArray) links_a = test_links("eth0", NULL);
    g_autoptr(GPtrArray) links_b = test_links("eth1", NULL);
    g_autoptr(TtPolicy) policy = test_policy(policy_text);
    g_autoptr(TtProfileWeights) weights = tt_profile_weights_new();
    TtProfileInput input = {.policy = policy, .links = links_b, .flags = flags};
    g_autoptr(TtProfilePlan) plan = NULL;

    tt_profile_weights_add(weights, b, &input);
    input = (TtProfileInput){.policy = policy, .links = links_a};
    tt_profile_weights_add(weights, a, &input);
    input.weights = weights;
    plan = test_plan_with(a, &input);
    assert_int_equal(plan->after != NULL, native);
}

static void
test_groups_across(void **state)
{
    static const char eth0_only[] = "[route-a]\nmatch-device=eth0\ndestination=any\nrto_min=8ms\n";

    assert_pair(",50", TEST_POLICY_ANY, 0, true);
    assert_pair(",50", eth0_only, 0, false);
    /* the device's own metric is not the same on two devices */
    assert_pair("", eth0_only, 0, true);
    /* the other one is never written */
    assert_pair(",50", TEST_POLICY_ANY, NM_SETTINGS_CONNECTION_FLAG_EXTERNAL, false);
}

static void
assert_native(const TtNativeRoute *native, int ifindex, gint64 metric, guint32 table)
{
    assert_int_equal(native->ifindex, ifindex);
    assert_int_equal(native->has_metric, metric >= 0);
    if (metric >= 0)
        assert_int_equal(native->metric, metric);
    assert_int_equal(native->table, table);
}

static void
test_natives(void **state)
{
    g_autoptr(NMConnection) before = test_profile_manual(
        "route1=10.0.0.0/"
        "8,192.0.2.9,50\nroute1_options=rto_min=50,mtu=9000,table=100,window=20000\n"
        "route2=10.1.0.0/16\nroute-metric=300\n");
    g_autoptr(GPtrArray) links = test_links("eth0", "eth1");
    g_autoptr(TtProfilePlan) first = plan_on(
        before, "[route-a]\ndestination=any\ntable=any\nrto_min=8ms\nquickack=yes\nlock=mtu\n",
        links);
    g_autoptr(TtProfilePlan) back = plan_on(first->after, NULL, links);
    g_autoptr(TtProfilePlan) inactive = plan_on(first->after, NULL, NULL);
    const TtNativeRoute *native;

    /* NetworkManager has not had them yet. */
    assert_int_equal(first->native->len, 0);
    assert_int_equal(inactive->native->len, 0);
    assert_int_equal(back->native->len, 6);
    native = back->native->pdata[0];
    assert_native(native, 7, 300, RT_TABLE_MAIN);
    assert_int_equal(native->dst_len, 0);
    assert_int_equal(native->gateway_family, AF_INET);
    assert_memory_equal(&native->gateway, "\xc0\x00\x02\x01", 4);
    assert_int_equal(native->named, TT_METRIC_BIT(RTAX_RTO_MIN) | TT_METRIC_BIT(RTAX_QUICKACK));
    assert_int_equal(native->before.present, 0);
    assert_int_equal(native->set.value[RTAX_RTO_MIN], 8);
    assert_int_equal(native->set.value[RTAX_QUICKACK], 1);
    assert_native(back->native->pdata[1], 8, 300, RT_TABLE_MAIN);
    native = back->native->pdata[2];
    assert_native(native, 7, 50, 100);
    assert_int_equal(native->named, TT_METRIC_BIT(RTAX_RTO_MIN) | TT_METRIC_BIT(RTAX_QUICKACK)
                                        | TT_METRIC_BIT(RTAX_MTU));
    assert_int_equal(native->before.value[RTAX_RTO_MIN], 50);
    assert_int_equal(native->before.value[RTAX_MTU], 9000);
    assert_int_equal(native->before.lock, 0);
    assert_int_equal(native->set.value[RTAX_MTU], 9000);
    assert_int_equal(native->set.lock, TT_METRIC_BIT(RTAX_MTU));
    native = back->native->pdata[4];
    assert_native(native, 7, 300, RT_TABLE_MAIN);
    assert_int_equal(native->gateway_family, 0);
    assert_int_equal(native->dst_len, 16);
}

/* What somebody changed since is theirs in the kernel too. */
static void
test_natives_edited(void **state)
{
    g_autoptr(NMConnection) before = test_profile_routes("route1=10.0.0.0/8,192.0.2.9\n");
    g_autoptr(GPtrArray) links = test_links("eth0", NULL);
    g_autoptr(NMConnection) tuned = test_apply(before, TEST_POLICY_ANY);
    g_autoptr(TtProfilePlan) some = NULL;
    g_autoptr(TtProfilePlan) none = NULL;
    const TtNativeRoute *native;

    test_edit_routes(tuned, AF_INET, "10.0.0.0/8 192.0.2.9 60 quickack=true rto_min=30\n");
    some = plan_on(tuned, NULL, links);
    assert_int_equal(some->native->len, 1);
    native = some->native->pdata[0];
    assert_native(native, 7, 60, RT_TABLE_MAIN);
    assert_int_equal(native->named, TT_METRIC_BIT(RTAX_QUICKACK));
    assert_int_equal(native->before.present, TT_METRIC_BIT(RTAX_RTO_MIN));
    assert_int_equal(native->before.value[RTAX_RTO_MIN], 30);
    test_edit_routes(tuned, AF_INET, "10.0.0.0/8 192.0.2.9 rto_min=30\n");
    none = plan_on(tuned, NULL, links);
    assert_int_equal(none->native->len, 0);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inactive),        cmocka_unit_test(test_undecided_is_named),
        cmocka_unit_test(test_active),          cmocka_unit_test(test_connection_keys),
        cmocka_unit_test(test_several_devices), cmocka_unit_test(test_never_written),
        cmocka_unit_test(test_read_only),       cmocka_unit_test(test_vpn),
        cmocka_unit_test(test_later_version),   cmocka_unit_test(test_groups),
        cmocka_unit_test(test_groups_6),        cmocka_unit_test(test_groups_across),
        cmocka_unit_test(test_natives),         cmocka_unit_test(test_natives_edited),
    };

    return run_profile_tests(tests);
}
