/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any profile, any policy: the result is valid and final, a revert gives back every property, and
 * the way there does not count. The same numbers in every run.
 */
#include "tt-test.h"

#include "profile-world.h"

#define N_TRIALS 400

static guint32
below(GRand *rand, guint32 n)
{
    return (guint32) g_rand_int_range(rand, 0, (gint32) n);
}

static bool
maybe(GRand *rand, guint32 percent)
{
    return below(rand, 100) < percent;
}

static const char *
pick(GRand *rand, const char *const *from)
{
    return from[below(rand, g_strv_length((char **) from))];
}

static const char *const attributes[] = {
    "rto_min=8",      "rto_min=50",         "quickack=true",
    "quickack=false", "advmss=1400",        "initcwnd=20",
    "initrwnd=30",    "window=20000",       "mtu=1400",
    "mtu=9000",       "lock-mtu=true",      "lock-mtu=false",
    "cwnd=10",        "table=100",          "onlink=true",
    "lock-cwnd=true", "lock-initcwnd=true", NULL,
};
static const char *const attributes4[] = {"tos=8",          "weight=1", "weight=2",
                                          "src=192.0.2.10", "scope=0",  NULL};
static const char *const attributes6[] = {"from=2001:db8:1::10", "src=2001:db8:1::10", NULL};
static const char *const prefixes4[] = {"0.0.0.0/0",    "0.0.0.0/0",   "10.0.0.0/8", "10.1.0.0/16",
                                        "192.0.2.0/24", "224.0.0.0/4", NULL};
static const char *const prefixes6[] = {"::/0",      "::/0", "2001:db8:2::/48", "2001:db8:1::/64",
                                        "fe80::/64", NULL};
static const char *const hops4[] = {"", " 192.0.2.1", " 192.0.2.1", " 192.0.2.9", NULL};
static const char *const hops6[] = {"", " fe80::1", " fe80::1", " 2001:db8:1::9", NULL};
static const char *const metrics[] = {"", "", " 50", " 300", NULL};

static void
append_attributes(GRand *rand, bool v6, GString *to)
{
    guint n = maybe(rand, 50) ? below(rand, 4) : 0;

    for (guint i = 0; i < n; i++)
        g_string_append_printf(to, " %s", pick(rand, attributes));
    if (maybe(rand, 15))
        g_string_append_printf(to, " %s", pick(rand, v6 ? attributes6 : attributes4));
}

static void
set_random_routes(GRand *rand, NMConnection *connection, int family)
{
    bool v6 = family == AF_INET6;
    g_autoptr(GString) routes = g_string_new(NULL);
    guint n = below(rand, 6);

    for (guint i = 0; i < n; i++) {
        g_string_append_printf(routes, "%s%s%s", pick(rand, v6 ? prefixes6 : prefixes4),
                               pick(rand, v6 ? hops6 : hops4), pick(rand, metrics));
        append_attributes(rand, v6, routes);
        g_string_append_c(routes, '\n');
    }
    test_edit_routes(connection, family, routes->str);
}

static void
append_family(GRand *rand, bool v6, GString *to)
{
    bool manual = maybe(rand, 75);

    g_string_append_printf(to, "[%s]\nmethod=%s\n", v6 ? "ipv6" : "ipv4",
                           manual ? "manual" : "auto");
    if (manual || maybe(rand, 30)) {
        g_string_append_printf(to, "address1=%s\n", v6 ? "2001:db8:1::10/64" : "192.0.2.10/24");
        if (maybe(rand, 70))
            g_string_append_printf(to, "gateway=%s\n",
                                   v6 ? (maybe(rand, 80) ? "fe80::1" : "2001:db8:7::1")
                                      : (maybe(rand, 80) ? "192.0.2.1" : "198.51.100.1"));
    }
    if (maybe(rand, 30))
        g_string_append(to, "route-metric=300\n");
    if (maybe(rand, 15))
        g_string_append(to, "route-table=100\n");
}

static NMConnection *
random_profile(GRand *rand)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(NMConnection) connection = NULL;

    append_family(rand, false, text);
    append_family(rand, true, text);
    if (maybe(rand, 30))
        g_string_append(text, maybe(rand, 50) ? "[user]\nmy.key=a\n" : "[user]\n");
    connection = test_profile(text->str);
    set_random_routes(rand, connection, AF_INET);
    set_random_routes(rand, connection, AF_INET6);
    return g_steal_pointer(&connection);
}

static const char *const keys[] = {
    "destination=any",
    "destination=default",
    "destination=10.0.0.0/8",
    "destination=connected",
    "destination=within:::/0",
    "family=ipv4",
    "family=ipv6",
    "gateway=192.0.2.1",
    "gateway=fe80::1",
    "table=any",
    "match-device=eth0",
    "match-device=eth9",
    "match-connection=id:*",
    "stop-match=yes",
    NULL,
};
static const char *const wishes[] = {
    "rto_min=8ms", "rto_min=50ms",  "rto_min=none", "quickack=yes", "quickack=no", "advmss=1400",
    "initcwnd=20", "initrwnd=40",   "window=65536", "mtu=1400",     "mtu=none",    "lock=mtu",
    "hoplimit=64", "congctl=cubic", "lock=none",    NULL,
};

/* The name of a key stands once in a section. */
static void
append_lines(GRand *rand, const char *const *from, guint max, GString *to)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint n = below(rand, max + 1);

    for (guint i = 0; i < n; i++) {
        const char *line = pick(rand, from);

        if (g_hash_table_add(seen, g_strndup(line, strcspn(line, "="))))
            g_string_append_printf(to, "%s\n", line);
    }
}

static char *
random_policy(GRand *rand)
{
    GString *text = g_string_new(maybe(rand, 15) ? "[main]\ngateway=keep\n" : "");
    guint n = below(rand, 3);

    for (guint i = 0; i < n; i++) {
        g_string_append_printf(text, "[route-%u]\n", i);
        append_lines(rand, keys, 3, text);
        append_lines(rand, wishes, 3, text);
    }
    g_string_append(text, "[route]\n");
    append_lines(rand, wishes, 4, text);
    return g_string_free(text, FALSE);
}

static void
assert_written_and_read(NMConnection *connection)
{
    g_autofree char *text = test_profile_text(connection);
    g_autoptr(NMConnection) read_again = test_profile(text);

    assert_profile_equal(read_again, connection);
}

static void
try(GRand *rand)
{
    g_autoptr(NMConnection) before = random_profile(rand);
    g_autofree char *policy = random_policy(rand);
    g_autofree char *later_policy = random_policy(rand);
    /* test_plan() looks whether it is valid and final. */
    g_autoptr(NMConnection) tuned = test_apply(before, policy);
    g_autoptr(NMConnection) later = test_apply(tuned, later_policy);
    g_autoptr(NMConnection) direct = test_apply(before, later_policy);
    g_autoptr(NMConnection) back = test_revert(later);

    assert_profile_equal(later, direct);
    assert_profile_equal(back, before);
    if (maybe(rand, 10))
        assert_written_and_read(later);
}

static void
test_random(void **state)
{
    for (guint32 seed = 0; seed < N_TRIALS; seed++) {
        GRand *rand = g_rand_new_with_seed(seed);

        try(rand);
        g_rand_free(rand);
    }
}

/* Whatever somebody has changed since, a plan is valid and final, and a revert leaves no stamp. */
static void
test_random_edits(void **state)
{
    for (guint32 seed = 0; seed < N_TRIALS; seed++) {
        GRand *rand = g_rand_new_with_seed(seed);
        g_autoptr(NMConnection) before = random_profile(rand);
        g_autofree char *policy = random_policy(rand);
        g_autofree char *later_policy = random_policy(rand);
        g_autoptr(NMConnection) edited = test_apply(before, policy);
        g_autoptr(NMConnection) later = NULL;
        g_autoptr(NMConnection) back = NULL;
        g_autoptr(NMConnection) back_at_once = NULL;

        set_random_routes(rand, edited, maybe(rand, 50) ? AF_INET : AF_INET6);
        back_at_once = test_revert(edited);
        later = test_apply(edited, later_policy);
        back = test_revert(later);
        assert_stamp(back, "stamp", NULL);
        assert_profile_equal(back, back_at_once);
        g_rand_free(rand);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_edits),
    };

    return run_profile_tests(tests);
}
