/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/identity.h"
#include "core/rtnl-codec.h"
#include "core/uapi.h"
#include "route-text.h"
#include "tt-test.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>

static const struct nlmsghdr *
as_message(const GByteArray *bytes)
{
    return (const struct nlmsghdr *) (void *) bytes->data;
}

static const struct nlattr *
find_attribute(const GByteArray *bytes, guint16 type)
{
    const struct nlattr *attr;

    mnl_attr_for_each(attr, as_message(bytes), sizeof(struct rtmsg))
    {
        if (mnl_attr_get_type(attr) == type)
            return attr;
    }
    return NULL;
}

static const struct rtmsg *
rtm_of(const GByteArray *bytes)
{
    return mnl_nlmsg_get_payload(as_message(bytes));
}

static GByteArray *
build(const TtRoute *route, guint16 type, guint32 absent)
{
    GByteArray *bytes = g_byte_array_new();

    tt_rtnl_build_route(bytes, route, type, 0, absent);
    assert_int_equal(as_message(bytes)->nlmsg_len, bytes->len);
    return bytes;
}

/* What is built is what was read, for everything that may be sent back. */
static void
test_round_trip(void **state)
{
    static const char *const texts[] = {
        "inet default via 192.0.2.1 dev 3 metric 100 proto 16 src 192.0.2.7 rto_min 8 lock 13",
        "inet 10.0.0.0/8 via fe80::1 dev 3 realm 5 tos 16 table 1000 mtu 1400 lock 2 congctl reno",
        "inet default metric 5 nexthop via 192.0.2.1 dev 3 weight 3 nexthop via fe80::2 dev 4",
        "inet6 default via fe80::1 dev 3 proto 9 metric 1024 pref 1",
        "inet6 2001:db8::/32 metric 7 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 4",
        "inet 10.0.0.0/8 type 6",
    };

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(TtRoute) route = route_from_text(texts[i]);
        g_autoptr(GByteArray) bytes = build(route, RTM_NEWROUTE, 0);
        g_autoptr(TtRoute) again = tt_rtnl_parse_route(as_message(bytes), bytes->len);

        assert_non_null(again);
        assert_true(tt_route_same_identity(route, again));
        assert_true(tt_metrics_equal(&route->metrics, &again->metrics));
    }
}

static void
test_flags_are_masked(void **state)
{
    g_autoptr(TtRoute) single = route_from_text("inet default via 192.0.2.1 dev 3 flags 0x5c");
    g_autoptr(TtRoute) multi = route_from_text(
        "inet default nexthop via 192.0.2.1 dev 3 flags 0x14 nexthop via 192.0.2.2 dev 3 flags 1");
    g_autoptr(GByteArray) single_bytes = build(single, RTM_NEWROUTE, 0);
    g_autoptr(GByteArray) multi_bytes = build(multi, RTM_NEWROUTE, 0);
    g_autoptr(TtRoute) again = tt_rtnl_parse_route(as_message(multi_bytes), multi_bytes->len);

    assert_int_equal(rtm_of(single_bytes)->rtm_flags, RTNH_F_ONLINK);
    assert_non_null(again);
    assert_int_equal(again->hops[0].flags, RTNH_F_ONLINK);
    assert_int_equal(again->hops[1].flags, 0);
}

/* "Nexthop specification and nexthop id are mutually exclusive" */
static void
test_nexthop_object_goes_alone(void **state)
{
    g_autoptr(TtRoute) route = route_from_text("inet default nhid 7 via 192.0.2.1 dev 3 mtu 1400");
    g_autoptr(GByteArray) bytes = build(route, RTM_NEWROUTE, 0);

    assert_non_null(find_attribute(bytes, TT_RTA_NH_ID));
    assert_non_null(find_attribute(bytes, RTA_METRICS));
    assert_null(find_attribute(bytes, RTA_GATEWAY));
    assert_null(find_attribute(bytes, RTA_OIF));
}

/* RTA_CACHEINFO is ignored by the kernel: the lifetime has to go as RTA_EXPIRES. */
static void
test_expiry(void **state)
{
    g_autoptr(TtRoute) route = route_from_text("inet6 default via fe80::1 dev 3 expires 30");
    g_autoptr(GByteArray) bytes = build(route, RTM_NEWROUTE, 0);

    assert_int_equal(route->expires, 30);
    assert_null(find_attribute(bytes, RTA_CACHEINFO));
    assert_int_equal(mnl_attr_get_u32(find_attribute(bytes, RTA_EXPIRES)), 30);
}

/* A delete that is to hit the plain twin says what the tuned one has, as zero. */
static void
test_absent_metrics(void **state)
{
    g_autoptr(TtRoute) route = route_from_text("inet default via 192.0.2.1 dev 3 mtu 1400");
    g_autoptr(GByteArray) bytes =
        build(route, RTM_DELROUTE, TT_METRIC_BIT(RTAX_RTO_MIN) | TT_METRIC_BIT(RTAX_LOCK));
    const struct nlattr *attr;
    guint seen = 0;

    mnl_attr_for_each_nested(attr, find_attribute(bytes, RTA_METRICS))
    {
        guint32 expected = mnl_attr_get_type(attr) == RTAX_MTU ? 1400 : 0;

        assert_int_equal(mnl_attr_get_u32(attr), expected);
        seen |= TT_METRIC_BIT(mnl_attr_get_type(attr));
    }
    assert_int_equal(seen, TT_METRIC_BIT(RTAX_MTU) | TT_METRIC_BIT(RTAX_RTO_MIN)
                               | TT_METRIC_BIT(RTAX_LOCK));
}

/* What a newer kernel says and we do not know goes back as it came. */
static void
test_unknown_attributes_stay(void **state)
{
    g_autoptr(GByteArray) bytes = route_message_from_text("inet default via 192.0.2.1 dev 3");
    guint8 buffer[512] = {0};
    struct nlmsghdr *header = (struct nlmsghdr *) (void *) buffer;
    struct nlattr *nest;
    g_autoptr(TtRoute) route = NULL;
    g_autoptr(GByteArray) again = NULL;

    memcpy(buffer, bytes->data, bytes->len);
    mnl_attr_put_u32(header, 99, 0xdecade);
    nest = mnl_attr_nest_start(header, RTA_METRICS);
    mnl_attr_put_u32(header, 40, 4711);
    mnl_attr_put_u16(header, 20, 12);
    mnl_attr_nest_end(header, nest);
    route = tt_rtnl_parse_route(header, sizeof buffer);
    assert_non_null(route);
    assert_int_equal(route->metrics.present, 0);
    again = build(route, RTM_NEWROUTE, 0);
    assert_int_equal(mnl_attr_get_u32(find_attribute(again, 99)), 0xdecade);
    assert_int_equal(mnl_attr_get_payload_len(find_attribute(again, RTA_METRICS)), 16);
}

/* A route to one address forwards as the one does that it stands in for. */
static void
test_host_route(void **state)
{
    static const struct {
        const char *via;
        const char *address;
        const char *host;
    } cases[] = {
        {"inet default via 192.0.2.1 dev 3 metric 100 proto 16 src 192.0.2.7 rto_min 8 lock 13",
         "203.0.113.1", "inet 203.0.113.1 via 192.0.2.1 dev 3 src 192.0.2.7"},
        {"inet 192.0.2.0/24 dev 3 proto 2 scope 253 src 192.0.2.7", "192.0.2.9",
         "inet 192.0.2.9 dev 3 scope 253 src 192.0.2.7"},
        {"inet default via fe80::1 dev 3 table 1000 flags 4", "203.0.113.1",
         "inet 203.0.113.1 via fe80::1 dev 3 table 1000 flags 4"},
        {"inet default nexthop via 192.0.2.1 dev 3 nexthop via 192.0.2.2 dev 4", "203.0.113.1",
         "inet 203.0.113.1 via 192.0.2.1 dev 3"},
        {"inet default nhid 7 via 192.0.2.1 dev 3", "203.0.113.1",
         "inet 203.0.113.1 via 192.0.2.1 dev 3"},
        {"inet6 default via fe80::1 dev 3 proto 9 metric 1024 pref 1 expires 30", "2001:db8::7",
         "inet6 2001:db8::7 via fe80::1 dev 3"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("%s proto 84 metric 21588", cases[i].host);
        g_autoptr(TtRoute) via = route_from_text(cases[i].via);
        g_autoptr(TtRoute) expected = route_from_text(text);
        g_autoptr(TtRoute) host = NULL;
        g_autofree char *made = NULL;
        g_autofree char *shall_be = NULL;
        TtAddress address = {.bytes = {0}};

        assert_int_equal(inet_pton(via->family, cases[i].address, &address), 1);
        host = tt_rtnl_new_host_route(via, &address);
        assert_non_null(host);
        made = tt_route_format(host, true);
        shall_be = tt_route_format(expected, true);
        assert_string_equal(made, shall_be);
        assert_int_equal(host->metrics.present, 0);
        assert_int_equal(host->metrics.lock, 0);
        assert_int_equal(host->expires, 0);
    }
}

static void
test_malformed(void **state)
{
    g_autoptr(GByteArray) good = route_message_from_text(
        "inet6 default metric 7 rto_min 8 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 4");
    g_autoptr(GByteArray) twice = g_byte_array_append(g_byte_array_new(), good->data, good->len);
    const struct nlattr *list = find_attribute(good, RTA_MULTIPATH);

    /* Cut anywhere, with and without a length that says so. */
    for (guint len = 0; len < good->len; len++) {
        g_autofree guint8 *cut = g_memdup(good->data, good->len);
        struct nlmsghdr *header = (struct nlmsghdr *) (void *) cut;

        assert_null(tt_rtnl_parse_route(header, len));
        header->nlmsg_len = len;
        tt_route_free(tt_rtnl_parse_route(header, len));
    }
    /* Two lists: which of them counts? */
    g_byte_array_append(twice, (const guint8 *) list, list->nla_len);
    ((struct nlmsghdr *) (void *) twice->data)->nlmsg_len = twice->len;
    assert_null(tt_rtnl_parse_route(as_message(twice), twice->len));
    /* A next hop that is longer than its list. */
    ((struct rtnexthop *) mnl_attr_get_payload(find_attribute(good, RTA_MULTIPATH)))->rtnh_len = 99;
    assert_null(tt_rtnl_parse_route(as_message(good), good->len));
}

static void
test_link(void **state)
{
    char buffer[512] = {0};
    struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
    struct ifinfomsg *info = mnl_nlmsg_put_extra_header(header, sizeof *info);
    struct nlattr *nest;
    TtLink link;

    header->nlmsg_type = RTM_NEWLINK;
    info->ifi_index = 5;
    info->ifi_type = 1; /* ARPHRD_ETHER */
    mnl_attr_put_strz(header, IFLA_IFNAME, "eth0");
    mnl_attr_put(header, IFLA_ADDRESS, 6, "\x02\x00\x00\x00\x00\x01");
    assert_true(tt_rtnl_parse_link(header, sizeof buffer, &link));
    assert_string_equal(link.name, "eth0");
    assert_int_equal(link.type, TT_LINK_ETHERNET);
    mnl_attr_put(header, TT_IFLA_PERM_ADDRESS, 6, "\x02\x00\x00\x00\x00\x02");
    nest = mnl_attr_nest_start(header, IFLA_LINKINFO);
    mnl_attr_put_strz(header, IFLA_INFO_KIND, "vlan");
    mnl_attr_nest_end(header, nest);
    assert_true(tt_rtnl_parse_link(header, sizeof buffer, &link));
    assert_int_equal(link.type, TT_LINK_VLAN);
    assert_int_equal(link.mac_len, 6);
    assert_int_equal(link.mac[5], 2);
}

static void
test_address(void **state)
{
    char buffer[512] = {0};
    struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
    struct ifaddrmsg *ifa = mnl_nlmsg_put_extra_header(header, sizeof *ifa);
    TtOwnAddress address;

    header->nlmsg_type = RTM_NEWADDR;
    ifa->ifa_family = AF_INET;
    ifa->ifa_prefixlen = 20;
    ifa->ifa_index = 5;
    assert_false(tt_rtnl_parse_address(header, sizeof buffer, &address));
    mnl_attr_put(header, IFA_ADDRESS, 4, "\x0a\x01\x7f\x09");
    assert_true(tt_rtnl_parse_address(header, sizeof buffer, &address));
    assert_memory_equal(address.prefix.bytes, "\x0a\x01\x70\x00", 4);
    assert_memory_equal(address.address.bytes, "\x0a\x01\x7f\x09", 4);
}

static void
test_qdisc(void **state)
{
    char buffer[512] = {0};
    struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
    struct tcmsg *tc = mnl_nlmsg_put_extra_header(header, sizeof *tc);
    TtQdisc qdisc;

    header->nlmsg_type = RTM_NEWQDISC;
    tc->tcm_ifindex = 5;
    assert_false(tt_rtnl_parse_qdisc(header, sizeof buffer, &qdisc));
    mnl_attr_put_strz(header, TCA_KIND, "fq_codel");
    assert_true(tt_rtnl_parse_qdisc(header, sizeof buffer, &qdisc));
    assert_int_equal(qdisc.ifindex, 5);
    assert_string_equal(qdisc.kind, "fq_codel");
    header->nlmsg_type = RTM_NEWLINK;
    assert_false(tt_rtnl_parse_qdisc(header, sizeof buffer, &qdisc));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_flags_are_masked),
        cmocka_unit_test(test_nexthop_object_goes_alone),
        cmocka_unit_test(test_expiry),
        cmocka_unit_test(test_absent_metrics),
        cmocka_unit_test(test_unknown_attributes_stay),
        cmocka_unit_test(test_host_route),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_address),
        cmocka_unit_test(test_qdisc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
