/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "core/match.h"
#include "core/text.h"

#include <arpa/inet.h>

#define UUID_A "83037490-1d17-4986-a397-01f1db3a7fc2"
#define UUID_B "00000000-1d17-4986-a397-01f1db3a7fc2"

enum { ETH0 = 2, ETH1, TUN0, IB0, UNKNOWN };

static TtLink *
add_link(TtFacts *facts, int ifindex, const char *name, TtLinkType type)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = ifindex;
    link->type = type;
    g_strlcpy(link->name, name, sizeof(link->name));
    g_hash_table_insert(facts->links, GINT_TO_POINTER(ifindex), link);
    return link;
}

static void
add_address(TtFacts *facts, int ifindex, const char *text, guint8 len)
{
    TtOwnAddress own = {.prefix_len = len, .ifindex = ifindex};

    own.family = strchr(text, ':') ? AF_INET6 : AF_INET;
    assert_int_equal(inet_pton(own.family, text, &own.prefix), 1);
    g_array_append_val(facts->addresses, own);
}

/* eth0 and eth1 with profiles, a tun without one, an InfiniBand device whose id is not known. */
static int
setup(void **state)
{
    TtFacts *facts = tt_facts_new();
    TtLink *eth0 = add_link(facts, ETH0, "eth0", TT_LINK_ETHERNET);
    TtLink *eth1 = add_link(facts, ETH1, "eth1", TT_LINK_ETHERNET);
    TtLink *ib0 = add_link(facts, IB0, "ib0", TT_LINK_INFINIBAND);

    add_link(facts, TUN0, "tun0", TT_LINK_TUN);
    eth0->connection_uuid = g_strdup(UUID_A);
    eth0->connection_id = g_strdup("storage-a");
    eth1->connection_uuid = g_strdup(UUID_B);
    eth1->dhcp_routers = g_ptr_array_new_with_free_func(g_free);
    g_strlcpy(eth0->driver, "virtio_net", sizeof(eth0->driver));
    memcpy(eth0->mac, "\x00\x22\x68\x1c\x59\xb1", 6);
    eth0->mac_len = 6;
    memset(ib0->mac, 0xab, 20);
    ib0->mac_len = 20;
    add_address(facts, ETH0, "192.0.2.0", 24);
    add_address(facts, ETH0, "2001:db8:1::", 64);
    *state = facts;
    return 0;
}

static int
teardown(void **state)
{
    tt_facts_free(*state);
    return 0;
}

static TtPolicy *
parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    TtPolicy *policy = tt_policy_parse("a.conf", text, strlen(text), &error);

    assert_no_error(error);
    return policy;
}

/* A route with at most two hops, as the kernel has them from DHCP. */
typedef struct {
    TtRoute route;
    TtHop hops[2];
} Sample;

static TtHop
hop(int ifindex, const char *gateway)
{
    TtHop to = {.ifindex = ifindex};

    if (gateway) {
        to.gateway_family = strchr(gateway, ':') ? AF_INET6 : AF_INET;
        assert_int_equal(inet_pton(to.gateway_family, gateway, &to.gateway), 1);
    }
    return to;
}

static void
init(Sample *sample, const char *prefix, guint8 len, TtHop first)
{
    *sample = (Sample){.hops = {first}};
    sample->route.family = strchr(prefix, ':') ? AF_INET6 : AF_INET;
    assert_int_equal(inet_pton(sample->route.family, prefix, &sample->route.dst), 1);
    sample->route.dst_len = len;
    sample->route.protocol = RTPROT_DHCP;
    sample->route.type = RTN_UNICAST;
    sample->route.table = RT_TABLE_MAIN;
    sample->route.n_hops = 1;
    sample->route.hops = sample->hops;
}

static void
init_default(Sample *sample, int ifindex)
{
    init(sample, "0.0.0.0", 0, hop(ifindex, "192.0.2.1"));
}

static void
assert_matches(const TtFacts *facts, const char *keys, const Sample *sample, TtMatch expected)
{
    g_autofree char *text = g_strconcat("[route-a]\nmtu=1500\n", keys, NULL);
    g_autoptr(TtPolicy) policy = parse(text);
    g_autofree char *why = NULL;
    TtMatch found =
        tt_match_section(g_ptr_array_index(policy->sections, 0), &sample->route, facts, &why);

    if (found != expected)
        fail_msg("%s: %d and not %d: %s", keys, found, expected, why ? why : "");
    assert_int_equal(found == TT_MATCH_YES, why == NULL);
}

static void
assert_why(const TtFacts *facts, const char *keys, const Sample *sample, const char *expected)
{
    g_autofree char *text = g_strconcat("[route-a]\nmtu=1500\n", keys, NULL);
    g_autoptr(TtPolicy) policy = parse(text);
    g_autofree char *why = NULL;

    tt_match_section(g_ptr_array_index(policy->sections, 0), &sample->route, facts, &why);
    assert_string_equal(why, expected);
}

static void
test_devices(void **state)
{
    static const struct {
        const char *value;
        const char *matched; /* of 0 (eth0), 1 (eth1), t (tun0), i (ib0), u (unknown), n (none) */
    } cases[] = {
        {"*", "01tiun"},
        {"eth0", "0"},
        {"eth", ""},
        {"interface-name:eth*", "01"},
        {"interface-name:*", "01ti"},
        {"interface-name:*0", "0ti"},
        {"interface-name:?un?", "t"},
        {"interface-name:e?h*1", "1"},
        {"interface-name:eth", ""},
        {"interface-name:eth0?", ""},
        {"interface-name:ETH0", ""},
        {"interface-name:=eth0", "0"},
        {"interface-name:=eth*", ""},
        {"type:ethernet", "01"},
        {"type:tun;type:infiniband", "ti"},
        {"type:loopback", ""},
        {"driver:virtio_net", "0"},
        {"driver:virtio*", "0"},
        {"driver:*", "0"},
        {"driver:virtio", ""},
        {"mac:00:22:68:1c:59:b1", "0"},
        {"mac:00-22-68-1C-59-B1", "0"},
        {"00:22:68:1C:59:B1", "0"},
        {"mac:00:22:68:1c:59:b2", ""},
        {"mac:00:22:68:1c:59:b1:00:00", ""},
        {"mac:00:00:00:00:00:00:00:00:00:00:00:00:ab:ab:ab:ab:ab:ab:ab:ab", "i"},
        {"mac:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:ab:00", ""},
        {"except:interface-name:eth0", "1ti"},
        {"except:interface-name:eth0,except:type:tun", "1i"},
        {"interface-name:eth*,except:interface-name:eth1", "0"},
        {"except:interface-name:eth1,interface-name:eth*", "0"},
        {"*,except:type:tun", "01i"},
        {"eth0,type:tun", "0t"},
    };
    static const struct {
        char letter;
        int ifindex;
    } devices[] = {{'0', ETH0}, {'1', ETH1}, {'t', TUN0}, {'i', IB0}, {'u', UNKNOWN}, {'n', 0}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *keys = g_strconcat("match-device=", cases[i].value, NULL);

        for (guint j = 0; j < G_N_ELEMENTS(devices); j++) {
            bool expected = strchr(cases[i].matched, devices[j].letter) != NULL;
            Sample sample;

            init_default(&sample, devices[j].ifindex);
            assert_matches(*state, keys, &sample, expected ? TT_MATCH_YES : TT_MATCH_NO);
        }
    }
}

/* A name need not be UTF-8, nor end with a whole character. */
static void
test_device_of_odd_name(void **state)
{
    Sample sample;

    add_link(*state, UNKNOWN, "e\xf0", TT_LINK_ETHERNET);
    init_default(&sample, UNKNOWN);
    assert_matches(*state, "match-device=interface-name:e?", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=interface-name:e??", &sample, TT_MATCH_NO);
    add_link(*state, UNKNOWN, "b\xc3\xbc", TT_LINK_ETHERNET);
    assert_matches(*state, "match-device=interface-name:b?", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=interface-name:bü", &sample, TT_MATCH_YES);
}

static void
test_connections(void **state)
{
    static const struct {
        const char *value;
        const char *matched; /* 0: id storage-a, uuid A; 1: uuid B, id not known; t: none; n */
    } cases[] = {
        {"*", "01tn"},
        {"id:storage-a", "0"},
        {"id:storage*", "0"},
        {"id:*", "0"},
        {"id:storage", ""},
        {"uuid:" UUID_A, "0"},
        {"uuid:83037490-1D17-4986-A397-01F1DB3A7FC2", "0"},
        {"uuid:" UUID_B, "1"},
        {"uuid:" UUID_B ",id:storage*", "01"},
        {"except:uuid:" UUID_A, "1t"},
        {"except:id:storage*", ""},
        {"except:id:other", "0"},
        {"uuid:" UUID_B ",except:id:other", ""},
        {"id:storage*,except:uuid:" UUID_A, ""},
    };
    static const struct {
        char letter;
        int ifindex;
    } devices[] = {{'0', ETH0}, {'1', ETH1}, {'t', TUN0}, {'n', 0}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *keys = g_strconcat("match-connection=", cases[i].value, NULL);

        for (guint j = 0; j < G_N_ELEMENTS(devices); j++) {
            bool expected = strchr(cases[i].matched, devices[j].letter) != NULL;
            Sample sample;

            init_default(&sample, devices[j].ifindex);
            assert_matches(*state, keys, &sample, expected ? TT_MATCH_YES : TT_MATCH_NO);
        }
    }
}

static void
test_family(void **state)
{
    Sample v4;
    Sample v6;

    init_default(&v4, ETH0);
    init(&v6, "::", 0, hop(ETH0, "fe80::1"));
    assert_matches(*state, "", &v4, TT_MATCH_YES);
    assert_matches(*state, "", &v6, TT_MATCH_YES);
    assert_matches(*state, "family=any", &v6, TT_MATCH_YES);
    assert_matches(*state, "family=ipv4", &v4, TT_MATCH_YES);
    assert_matches(*state, "family=ipv4", &v6, TT_MATCH_NO);
    assert_matches(*state, "family=ipv6", &v4, TT_MATCH_NO);
    assert_matches(*state, "family=ipv6", &v6, TT_MATCH_YES);
    assert_matches(*state, "family=ipv6,ipv4", &v6, TT_MATCH_YES);
    assert_why(*state, "family=ipv4", &v6, "family: ipv6 is not ipv4");
    assert_why(*state, "family=ipv6", &v4, "family: ipv4 is not ipv6");
}

static void
test_destinations(void **state)
{
    static const struct {
        const char *value;
        const char *prefix;
        guint8 len;
        bool matches;
    } cases[] = {
        {"default", "0.0.0.0", 0, true},
        {"default", "::", 0, true},
        {"default", "0.0.0.0", 1, false},
        {"0.0.0.0/0", "0.0.0.0", 0, true},
        {"0.0.0.0/0", "::", 0, false},
        {"::/0", "::", 0, true},
        {"::/0", "0.0.0.0", 0, false},
        {"10.20.0.0/16", "10.20.0.0", 16, true},
        {"10.20.0.0/16", "10.20.0.0", 17, false},
        {"10.20.0.0/16", "10.20.0.0", 15, false},
        {"10.20.0.0/16", "10.21.0.0", 16, false},
        {"10.20.30.40", "10.20.30.40", 32, true},
        {"10.20.30.40", "10.20.30.41", 32, false},
        {"2001:db8::1", "2001:db8::1", 128, true},
        {"2001:db8::/33", "2001:db8::", 33, true},
        {"2001:db8:8000::/33", "2001:db8::", 33, false},
        {"within:10.20.0.0/16", "10.20.0.0", 16, true},
        {"within:10.20.0.0/16", "10.20.30.0", 24, true},
        {"within:10.20.0.0/16", "10.20.255.255", 32, true},
        {"within:10.20.0.0/16", "10.0.0.0", 8, false},
        {"within:10.20.0.0/16", "10.21.0.0", 24, false},
        {"within:10.20.0.0/20", "10.20.15.0", 24, true},
        {"within:10.20.0.0/20", "10.20.16.0", 24, false},
        {"within:0.0.0.0/0", "0.0.0.0", 0, true},
        {"within:0.0.0.0/0", "2001:db8::", 32, false},
        {"within:2001:db8::/32", "2001:db8:ff::", 48, true},
        {"any", "10.20.30.0", 24, true},
        {"any", "0.0.0.0", 0, true},
        {"any", "2001:db8::1", 128, true},
        {"default,10.20.0.0/16", "10.20.0.0", 16, true},
        {"default,10.20.0.0/16", "10.30.0.0", 16, false},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *keys = g_strconcat("destination=", cases[i].value, NULL);
        Sample sample;

        init(&sample, cases[i].prefix, cases[i].len, hop(ETH0, NULL));
        assert_matches(*state, keys, &sample, cases[i].matches ? TT_MATCH_YES : TT_MATCH_NO);
    }
}

static void
test_source_routes(void **state)
{
    Sample sample;

    init(&sample, "::", 0, hop(ETH0, "fe80::1"));
    sample.route.src_len = 64;
    assert_matches(*state, "", &sample, TT_MATCH_NO);
    assert_matches(*state, "destination=::/0", &sample, TT_MATCH_NO);
    assert_matches(*state, "destination=any", &sample, TT_MATCH_YES);
}

static void
test_connected(void **state)
{
    Sample sample;

    init(&sample, "192.0.2.0", 24, hop(ETH0, NULL));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_YES);
    sample.route.protocol = RTPROT_KERNEL;
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_YES);
    sample.route.protocol = RTPROT_RA;
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    assert_matches(*state, "destination=connected\nprotocol=ra", &sample, TT_MATCH_YES);

    init(&sample, "2001:db8:1::", 64, hop(ETH0, NULL));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_YES);
    init(&sample, "192.0.2.0", 24, hop(ETH1, NULL));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    init(&sample, "192.0.2.0", 25, hop(ETH0, NULL));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    init(&sample, "192.0.3.0", 24, hop(ETH0, NULL));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    init(&sample, "192.0.2.0", 24, hop(ETH0, "192.0.2.1"));
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    init(&sample, "192.0.2.0", 24, hop(ETH0, NULL));
    sample.route.n_hops = 2;
    assert_matches(*state, "destination=connected", &sample, TT_MATCH_NO);
    assert_why(*state, "destination=connected", &sample,
               "destination: 192.0.2.0/24 is not connected");
}

/* What `any` of everything does not reach. */
static void
test_never(void **state)
{
    static const struct {
        const char *prefix;
        guint8 len;
        bool never;
    } prefixes[] = {
        {"224.0.0.0", 4, true},     {"239.1.2.3", 32, true}, {"169.254.0.0", 16, true},
        {"169.254.7.0", 24, true},  {"169.0.0.0", 8, false}, {"224.0.0.0", 3, false},
        {"223.255.0.0", 16, false}, {"ff00::", 8, true},     {"ff02::", 16, true},
        {"fe80::", 10, true},       {"fe80::", 64, true},    {"febf::1", 128, true},
        {"fec0::", 10, false},      {"fe00::", 8, false},    {"fe80::", 9, false},
    };
    static const char all[] = "destination=any\ntable=any\nprotocol=any\n";
    Sample sample;

    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        init(&sample, prefixes[i].prefix, prefixes[i].len, hop(ETH0, NULL));
        assert_matches(*state, all, &sample, prefixes[i].never ? TT_MATCH_NO : TT_MATCH_YES);
    }
    assert_matches(*state, all, &sample, TT_MATCH_YES);

    init_default(&sample, ETH0);
    sample.route.table = RT_TABLE_LOCAL;
    assert_why(*state, all, &sample, "table local is never tuned");
    init_default(&sample, ETH0);
    sample.route.protocol = TT_PROTOCOL_MEASURE;
    assert_why(*state, all, &sample, "made by tcptune-nm measure");
    init_default(&sample, ETH0);
    sample.route.flags = RTM_F_CLONED;
    assert_why(*state, all, &sample, "a cached copy of another route");
    init_default(&sample, ETH0);
    sample.route.type = RTN_BLACKHOLE;
    assert_why(*state, all, &sample, "only unicast routes are tuned");
    init(&sample, "ff02::", 16, hop(ETH0, NULL));
    assert_why(*state, all, &sample, "link-local and multicast prefixes are never tuned");
}

static void
test_tables(void **state)
{
    Sample sample;

    init_default(&sample, ETH0);
    assert_matches(*state, "table=main", &sample, TT_MATCH_YES);
    assert_matches(*state, "table=254", &sample, TT_MATCH_YES);
    assert_matches(*state, "table=1000", &sample, TT_MATCH_NO);
    sample.route.table = 1000;
    assert_matches(*state, "", &sample, TT_MATCH_NO);
    assert_matches(*state, "table=1000", &sample, TT_MATCH_YES);
    assert_matches(*state, "table=main,1000", &sample, TT_MATCH_YES);
    assert_matches(*state, "table=any", &sample, TT_MATCH_YES);
    assert_matches(*state, "table=any,5", &sample, TT_MATCH_YES);
    assert_why(*state, "", &sample, "table: 1000 is not main");
    assert_why(*state, "table=5", &sample, "table: 1000 is not 5");
}

static void
test_protocols(void **state)
{
    static const struct {
        const char *keys;
        guint8 protocol;
        bool matches;
    } cases[] = {
        {"", RTPROT_DHCP, true},
        {"", RTPROT_KERNEL, true},
        {"", RTPROT_STATIC, true},
        {"", 186, true},
        {"", RTPROT_RA, false},
        {"protocol=ra", RTPROT_RA, true},
        {"protocol=ra", RTPROT_DHCP, false},
        {"protocol=any", RTPROT_RA, true},
        {"protocol=any", RTPROT_BOOT, true},
        {"protocol=kernel", RTPROT_KERNEL, true},
        {"protocol=boot", RTPROT_BOOT, true},
        {"protocol=static", RTPROT_STATIC, true},
        {"protocol=dhcp", RTPROT_DHCP, true},
        {"protocol=dhcp,static", RTPROT_STATIC, true},
        {"protocol=186", 186, true},
        {"protocol=16", RTPROT_DHCP, true},
        {"protocol=static", RTPROT_DHCP, false},
    };
    Sample sample;

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        init_default(&sample, ETH0);
        sample.route.protocol = cases[i].protocol;
        assert_matches(*state, cases[i].keys, &sample,
                       cases[i].matches ? TT_MATCH_YES : TT_MATCH_NO);
    }
    sample.route.protocol = RTPROT_RA;
    assert_why(*state, "", &sample, "protocol ra must be asked for");
    assert_why(*state, "protocol=dhcp", &sample, "protocol: ra is not dhcp");
    sample.route.protocol = 186;
    assert_why(*state, "protocol=dhcp", &sample, "protocol: 186 is not dhcp");
}

static void
test_gateways(void **state)
{
    Sample sample;

    init_default(&sample, ETH0);
    assert_matches(*state, "gateway=192.0.2.1", &sample, TT_MATCH_YES);
    assert_matches(*state, "gateway=192.0.2.2,192.0.2.1", &sample, TT_MATCH_YES);
    assert_matches(*state, "gateway=192.0.2.2", &sample, TT_MATCH_NO);
    assert_matches(*state, "gateway=fe80::1", &sample, TT_MATCH_NO);
    assert_why(*state, "gateway=fe80::1", &sample, "gateway: 192.0.2.1 is not fe80::1");
    sample.hops[0] = hop(ETH0, "fe80::1"); /* via inet6 */
    assert_matches(*state, "gateway=fe80::1", &sample, TT_MATCH_YES);
    sample.hops[0] = hop(ETH0, NULL);
    assert_matches(*state, "gateway=192.0.2.1", &sample, TT_MATCH_NO);
    assert_why(*state, "gateway=fe80::1", &sample, "gateway: none is not fe80::1");
}

static void
test_whys(void **state)
{
    Sample sample;

    init_default(&sample, ETH1);
    assert_why(*state, "match-device=eth0", &sample, "match-device: eth1 is not eth0");
    assert_why(*state, "match-connection=uuid:" UUID_A, &sample,
               "match-connection: the profile on eth1 is not uuid:" UUID_A);
    assert_why(*state, "match-connection=id:a", &sample,
               "match-connection: the id of the profile on eth1 is not known yet");
    assert_why(*state, "destination=10.0.0.0/8", &sample, "destination: default is not 10.0.0.0/8");
    init_default(&sample, 0);
    assert_why(*state, "match-device=eth0", &sample, "match-device: no device is not eth0");
    assert_why(*state, "match-connection=id:a", &sample,
               "match-connection: the profile on no device is not id:a");
    init(&sample, "10.0.0.0", 8, hop(ETH0, NULL));
    assert_why(*state, "", &sample, "destination: 10.0.0.0/8 is not default");
}

static void
test_multipath(void **state)
{
    Sample sample;

    init_default(&sample, ETH0);
    sample.hops[1] = hop(ETH1, "198.51.100.1");
    sample.route.n_hops = 2;
    assert_matches(*state, "", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=interface-name:eth*", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=eth0", &sample, TT_MATCH_PARTIAL);
    assert_matches(*state, "match-device=eth1", &sample, TT_MATCH_PARTIAL);
    assert_matches(*state, "match-device=type:tun", &sample, TT_MATCH_NO);
    assert_matches(*state, "match-device=eth0\nfamily=ipv6", &sample, TT_MATCH_NO);
    assert_matches(*state, "gateway=192.0.2.1", &sample, TT_MATCH_PARTIAL);
    assert_matches(*state, "gateway=192.0.2.1,198.51.100.1", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-connection=id:storage*", &sample, TT_MATCH_PARTIAL);
    /* each hop misses one key */
    assert_matches(*state, "match-device=eth0\ngateway=198.51.100.1", &sample, TT_MATCH_NO);
    assert_why(*state, "match-device=eth0", &sample, "match-device: eth1 is not eth0");
}

/* Routes of a nexthop object may come without hops. */
static void
test_no_hops(void **state)
{
    Sample sample;

    init_default(&sample, ETH0);
    sample.route.n_hops = 0;
    sample.route.hops = NULL;
    assert_matches(*state, "", &sample, TT_MATCH_NO);
    sample.route.nh_id = 7;
    assert_matches(*state, "", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=*", &sample, TT_MATCH_YES);
    assert_matches(*state, "match-device=interface-name:*", &sample, TT_MATCH_NO);
    assert_matches(*state, "match-device=except:type:tun", &sample, TT_MATCH_NO);
    assert_matches(*state, "match-connection=except:id:a", &sample, TT_MATCH_NO);
    assert_matches(*state, "gateway=192.0.2.1", &sample, TT_MATCH_NO);
}

static void
test_no_why_asked(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route-a]\nmtu=1500\nmatch-device=eth1\n"
                                       "[route-b]\nmtu=1500\ndestination=10.0.0.0/8\n"
                                       "[route-c]\nmtu=1500\ngateway=192.0.2.7\n");
    Sample sample;

    init_default(&sample, ETH0);
    for (guint i = 0; i < policy->sections->len; i++)
        assert_int_equal(
            tt_match_section(g_ptr_array_index(policy->sections, i), &sample.route, *state, NULL),
            TT_MATCH_NO);
}

static void
match(const TtFacts *facts, const TtPolicy *policy, const Sample *sample, TtWanted *wanted)
{
    memset(wanted, 0xff, sizeof(*wanted));
    tt_match_route(policy, &sample->route, facts, wanted);
}

static void
test_attribute_wise(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route-a]\nrto_min=60\nlock=mtu\n"
                                       "[route-b]\nmatch-device=eth1\nrto_min=70\nadvmss=1000\n"
                                       "[route-c]\nrto_min=80\nquickack=none\nlock=congctl\n"
                                       "[route]\nrto_min=90\nquickack=yes\nmtu=1500\n");
    Sample sample;
    TtWanted wanted;

    init_default(&sample, ETH0);
    match(*state, policy, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_YES);
    assert_int_equal(wanted.wish[TT_ATTR_RTO_MIN]->value.number, 60);
    assert_string_equal(wanted.section[TT_ATTR_RTO_MIN]->name, "route-a");
    assert_int_equal(wanted.wish[TT_ATTR_QUICKACK]->kind, TT_WISH_NONE);
    assert_int_equal(wanted.wish[TT_ATTR_MTU]->value.number, 1500);
    assert_string_equal(wanted.section[TT_ATTR_MTU]->name, "route");
    assert_null(wanted.wish[TT_ATTR_ADVMSS]);
    assert_null(wanted.section[TT_ATTR_ADVMSS]);
    assert_int_equal(wanted.lock, TT_METRIC_BIT(RTAX_MTU));
    assert_string_equal(wanted.lock_section->name, "route-a");
    assert_null(wanted.partial);
    assert_null(wanted.stopped_by);
    assert_true(tt_wanted_any(&wanted));

    init(&sample, "10.0.0.0", 8, hop(ETH0, NULL));
    match(*state, policy, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_NO);
    assert_false(tt_wanted_any(&wanted));
}

static void
test_stop_match(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route-a]\nmatch-device=type:tun\nstop-match=yes\n"
                                       "[route-b]\nmatch-device=eth0\nmtu=1400\nstop-match=yes\n"
                                       "[route-c]\nadvmss=1000\nstop-match=no\n"
                                       "[route]\nrto_min=50\n");
    Sample sample;
    TtWanted wanted;

    init_default(&sample, TUN0);
    match(*state, policy, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_YES);
    assert_string_equal(wanted.stopped_by->name, "route-a");
    assert_false(tt_wanted_any(&wanted));

    init_default(&sample, ETH0);
    match(*state, policy, &sample, &wanted);
    assert_string_equal(wanted.stopped_by->name, "route-b");
    assert_int_equal(wanted.wish[TT_ATTR_MTU]->value.number, 1400);
    assert_null(wanted.wish[TT_ATTR_RTO_MIN]);
    assert_true(tt_wanted_any(&wanted));

    init_default(&sample, ETH1);
    match(*state, policy, &sample, &wanted);
    assert_null(wanted.stopped_by);
    assert_int_equal(wanted.wish[TT_ATTR_RTO_MIN]->value.number, 50);
    assert_int_equal(wanted.wish[TT_ATTR_ADVMSS]->value.number, 1000);
}

static void
test_partial(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route-all]\nmtu=1500\n"
                                       "[route-eth0]\nmatch-device=eth0\nmtu=1400\n"
                                       "[route-nothing]\nmatch-device=eth0\n"
                                       "[route]\nrto_min=50\n");
    g_autoptr(TtPolicy) deciding = parse("[route-all]\nmtu=1500\n"
                                         "[route-eth0]\nmatch-device=eth0\nadvmss=1400\n"
                                         "[route]\nrto_min=50\n");
    g_autoptr(TtPolicy) stopping = parse("[route-eth1]\nmatch-device=eth1\nstop-match=yes\n"
                                         "[route]\nrto_min=50\n");
    g_autoptr(TtPolicy) locking = parse("[route-eth1]\nmatch-device=eth1\nlock=mtu\n");
    Sample sample;
    TtWanted wanted;

    init_default(&sample, ETH0);
    sample.hops[1] = hop(ETH1, "198.51.100.1");
    sample.route.n_hops = 2;

    /* what matches some hops only has nothing left to say: mtu is decided */
    match(*state, policy, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_YES);
    assert_int_equal(wanted.wish[TT_ATTR_MTU]->value.number, 1500);
    assert_int_equal(wanted.wish[TT_ATTR_RTO_MIN]->value.number, 50);

    match(*state, deciding, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_PARTIAL);
    assert_string_equal(wanted.partial->name, "route-eth0");
    assert_null(wanted.wish[TT_ATTR_MTU]);
    assert_false(tt_wanted_any(&wanted));

    match(*state, stopping, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_PARTIAL);
    match(*state, locking, &sample, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_PARTIAL);
}

static void
test_wanted_any(void **state)
{
    static const struct {
        const char *keys;
        bool any;
    } cases[] = {
        {"rto_min=50", true}, {"quickack=no", true}, {"rto_min=none", false},
        {"lock=mtu", true},   {"lock=none", false},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat("[route]\n", cases[i].keys, NULL);
        g_autoptr(TtPolicy) policy = parse(text);
        Sample sample;
        TtWanted wanted;

        init_default(&sample, ETH0);
        match(*state, policy, &sample, &wanted);
        assert_int_equal(wanted.match, TT_MATCH_YES);
        assert_int_equal(tt_wanted_any(&wanted), cases[i].any);
    }
}

/* Setting a key anew forgets the old value; a bad value changes nothing. */
static void
test_keys_set(void **state)
{
    TtMatchKeys *keys = tt_match_keys_new();
    TtMatchKey key;

    static const char *const twice[_TT_KEY_N][2] = {
        [TT_KEY_DEVICE] = {"eth0", "eth1"},
        [TT_KEY_CONNECTION] = {"id:a", "id:b"},
        [TT_KEY_FAMILY] = {"ipv4", "ipv6"},
        [TT_KEY_DESTINATION] = {"any", "default"},
        [TT_KEY_TABLE] = {"any", "5"},
        [TT_KEY_PROTOCOL] = {"any", "dhcp"},
        [TT_KEY_GATEWAY] = {"192.0.2.1", "192.0.2.2"},
    };

    for (TtMatchKey i = 0; i < _TT_KEY_N; i++) {
        assert_null(tt_match_keys_text(keys, i));
        assert_true(tt_match_keys_set(keys, i, twice[i][0], NULL, NULL));
        assert_true(tt_match_keys_set(keys, i, twice[i][1], NULL, NULL));
        assert_false(tt_match_keys_set(keys, i, "fe80::1%eth0", NULL, NULL));
        assert_string_equal(tt_match_keys_text(keys, i), twice[i][1]);
        assert_true(tt_match_key_from_name(tt_match_key_name(i), &key));
        assert_int_equal(key, i);
    }
    assert_false(tt_match_key_from_name("match_device", &key));
    tt_match_keys_free(keys);
    tt_match_keys_free(NULL);
}

static void
test_globs(void **state)
{
    static const struct {
        const char *pattern;
        const char *text;
        bool matches;
    } cases[] = {
        {"", "", true},         {"", "a", false},
        {"*", "", true},        {"*", "abc", true},
        {"**", "abc", true},    {"?", "", false},
        {"?", "a", true},       {"a*c", "abbc", true},
        {"a*c", "abcb", false}, {"a*b*c", "aXbYbZc", true},
        {"*ab", "aab", true},   {"*a*a*a*b", "aaaaaaaaaa", false},
        {"[a]", "a", false},    {"[a]", "[a]", true},
        {"a?*", "a", false},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(tt_text_glob(cases[i].pattern, cases[i].text), cases[i].matches);
}

static void
test_hints(void **state)
{
    static const char *const names[] = {"initcwnd", "initrwnd", "mtu",
                                        "a-name-that-is-far-too-long-to-be-near", NULL};

    assert_string_equal(tt_text_closest("initcwn", names), "initcwnd");
    assert_string_equal(tt_text_closest("INITRWND", names), "initrwnd");
    assert_string_equal(tt_text_closest("mtv", names), "mtu");
    assert_null(tt_text_closest("mss", names));
    assert_null(tt_text_closest("", names));
    assert_null(tt_text_closest("a-name-that-is-far-too-long-to-be-nea", names));
}

static void
test_link_types(void **state)
{
    TtLinkType found;

    for (TtLinkType type = TT_LINK_OTHER + 1; type < _TT_LINK_N; type++) {
        assert_true(tt_link_type_from_name(tt_link_type_name(type), &found));
        assert_int_equal(found, type);
    }
    assert_string_equal(tt_link_type_name(TT_LINK_IP_TUNNEL), "ip-tunnel");
    assert_false(tt_link_type_from_name(tt_link_type_name(TT_LINK_OTHER), &found));
    assert_false(tt_link_type_from_name("Tun", &found));
    assert_null(tt_facts_link(*state, UNKNOWN));
    assert_string_equal(tt_facts_link(*state, TUN0)->name, "tun0");
    tt_facts_free(NULL);
    tt_link_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_devices),      TEST(test_device_of_odd_name),
        TEST(test_connections),  TEST(test_family),
        TEST(test_destinations), TEST(test_source_routes),
        TEST(test_connected),    TEST(test_never),
        TEST(test_tables),       TEST(test_protocols),
        TEST(test_gateways),     TEST(test_whys),
        TEST(test_multipath),    TEST(test_no_hops),
        TEST(test_no_why_asked), TEST(test_attribute_wise),
        TEST(test_stop_match),   TEST(test_partial),
        TEST(test_wanted_any),   TEST(test_keys_set),
        TEST(test_globs),        TEST(test_hints),
        TEST(test_link_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
