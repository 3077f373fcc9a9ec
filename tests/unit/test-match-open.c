/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matching the device of a profile that is not active: what hangs on a fact that is not known
 * is open, and nothing else. */
#include "tt-test.h"

#include "core/match.h"

#include <arpa/inet.h>

enum { ETH0 = 2, ETH1 };

typedef struct {
    TtFacts *facts;
    TtLink *eth0;
    TtRoute route; /* default via 192.0.2.1 dev eth0, with room for a second hop */
    TtHop hops[2];
} Fixture;

static TtLink *
add_link(TtFacts *facts, int ifindex, const char *name)
{
    TtLink *link = g_new0(TtLink, 1);

    link->ifindex = ifindex;
    link->type = TT_LINK_ETHERNET;
    g_strlcpy(link->name, name, sizeof(link->name));
    g_strlcpy(link->driver, "virtio_net", sizeof(link->driver));
    memcpy(link->mac, "\x00\x22\x68\x1c\x59\xb1", 6);
    link->mac_len = 6;
    g_hash_table_insert(facts->links, GINT_TO_POINTER(ifindex), link);
    return link;
}

static int
setup(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->facts = tt_facts_new();
    f->eth0 = add_link(f->facts, ETH0, "eth0");
    add_link(f->facts, ETH1, "eth1");
    f->hops[0] = (TtHop){.ifindex = ETH0, .gateway_family = AF_INET};
    f->hops[1] = (TtHop){.ifindex = ETH1, .gateway_family = AF_INET};
    inet_pton(AF_INET, "192.0.2.1", &f->hops[0].gateway);
    f->route = (TtRoute){
        .family = AF_INET,
        .protocol = RTPROT_STATIC,
        .type = RTN_UNICAST,
        .table = RT_TABLE_MAIN,
        .n_hops = 1,
        .hops = f->hops,
    };
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    Fixture *f = *state;

    tt_facts_free(f->facts);
    g_free(f);
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

static void
assert_match(const Fixture *f, const char *keys, TtMatch expected, const char *expected_why)
{
    g_autofree char *text = g_strconcat("[route-a]\nmtu=1500\n", keys, NULL);
    g_autoptr(TtPolicy) policy = parse(text);
    g_autofree char *why = NULL;
    TtMatch match =
        tt_match_section(g_ptr_array_index(policy->sections, 0), &f->route, f->facts, &why);

    if (match != expected)
        fail_msg("%s: %d and not %d: %s", keys, match, expected, why ? why : "");
    assert_int_equal(match == TT_MATCH_YES, why == NULL);
    if (expected_why)
        assert_string_equal(why, expected_why);
}

static void
test_each_fact(void **state)
{
    static const struct {
        const char *value;
        guint unknown;
        TtMatch match;
    } cases[] = {
        {"*", TT_LINK_UNKNOWN_NAME, TT_MATCH_YES},
        {"eth0", TT_LINK_UNKNOWN_NAME, TT_MATCH_UNDECIDED},
        {"interface-name:eth*", TT_LINK_UNKNOWN_NAME, TT_MATCH_UNDECIDED},
        {"interface-name:=eth0", TT_LINK_UNKNOWN_NAME, TT_MATCH_UNDECIDED},
        {"except:interface-name:tun*", TT_LINK_UNKNOWN_NAME, TT_MATCH_UNDECIDED},
        {"eth0", TT_LINK_UNKNOWN_DRIVER | TT_LINK_UNKNOWN_MAC, TT_MATCH_YES},
        {"eth1", TT_LINK_UNKNOWN_DRIVER | TT_LINK_UNKNOWN_MAC, TT_MATCH_NO},
        {"driver:virtio*", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_UNDECIDED},
        {"driver:virtio*", TT_LINK_UNKNOWN_MAC, TT_MATCH_YES},
        {"mac:00:22:68:1c:59:b1", TT_LINK_UNKNOWN_MAC, TT_MATCH_UNDECIDED},
        {"mac:00:22:68:1c:59:b1", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_YES},
        {"type:ethernet", TT_LINK_UNKNOWN_TYPE, TT_MATCH_UNDECIDED},
        {"type:ethernet", TT_LINK_UNKNOWN_NAME, TT_MATCH_YES},
        {"type:tun", TT_LINK_UNKNOWN_NAME, TT_MATCH_NO},
        /* one that is known to match is enough */
        {"type:ethernet,driver:x", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_YES},
        {"type:tun,driver:x", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_UNDECIDED},
        /* and so is one that is known to be excepted */
        {"driver:x,except:type:ethernet", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_NO},
        {"eth0,except:driver:x", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_UNDECIDED},
        {"eth1,except:driver:x", TT_LINK_UNKNOWN_DRIVER, TT_MATCH_NO},
        {"except:driver:x", TT_LINK_UNKNOWN_NAME, TT_MATCH_YES},
    };
    Fixture *f = *state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *keys = g_strconcat("match-device=", cases[i].value, NULL);

        f->eth0->unknown = cases[i].unknown;
        assert_match(f, keys, cases[i].match, NULL);
    }
}

static void
test_other_keys(void **state)
{
    Fixture *f = *state;

    f->eth0->unknown = TT_LINK_UNKNOWN_NAME;
    assert_match(f, "match-device=eth0\ngateway=192.0.2.1", TT_MATCH_UNDECIDED, NULL);
    assert_match(f, "match-device=eth0\ngateway=192.0.2.2", TT_MATCH_NO,
                 "gateway: 192.0.2.1 is not 192.0.2.2");
    assert_match(f, "match-device=eth0\nmatch-connection=id:other", TT_MATCH_NO, NULL);
    assert_match(f, "match-device=eth0\nfamily=ipv6", TT_MATCH_NO, NULL);
    assert_match(
        f, "match-device=eth0", TT_MATCH_UNDECIDED,
        "match-device: whether the device is eth0 is not known while the profile is not active");
    assert_match(f, "match-device=type:tun", TT_MATCH_NO,
                 "match-device: the profile's device is not type:tun");
}

static void
test_hops(void **state)
{
    Fixture *f = *state;

    f->route.n_hops = 2;
    f->eth0->unknown = TT_LINK_UNKNOWN_NAME;
    assert_match(f, "match-device=eth0", TT_MATCH_UNDECIDED, NULL);
    assert_match(f, "match-device=eth1", TT_MATCH_UNDECIDED, NULL);
    assert_match(f, "match-device=type:ethernet", TT_MATCH_YES, NULL);
    assert_match(f, "match-device=type:tun", TT_MATCH_NO, NULL);
}

/* An open section counts where it would have a say, and nowhere else. */
static void
test_route(void **state)
{
    g_autoptr(TtPolicy) open =
        parse("[route-a]\nmatch-device=driver:x\nmtu=1400\n[route]\nmtu=1500\n");
    g_autoptr(TtPolicy) covered = parse("[route-a]\nmatch-device=type:ethernet\nmtu=1400\n"
                                        "[route-b]\nmatch-device=driver:x\nmtu=1450\n"
                                        "[route]\nrto_min=9ms\n");
    Fixture *f = *state;
    TtWanted wanted;

    f->eth0->unknown = TT_LINK_UNKNOWN_DRIVER;
    tt_match_route(open, &f->route, f->facts, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_UNDECIDED);
    assert_string_equal(wanted.partial->name, "route-a");
    assert_false(tt_wanted_any(&wanted));
    tt_match_route(covered, &f->route, f->facts, &wanted);
    assert_int_equal(wanted.match, TT_MATCH_YES);
    assert_int_equal(wanted.wish[TT_ATTR_MTU]->value.number, 1400);
    assert_int_equal(wanted.wish[TT_ATTR_RTO_MIN]->value.number, 9);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_fact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hops, setup, teardown),
        cmocka_unit_test_setup_teardown(test_route, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
