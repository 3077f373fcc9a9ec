/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data/policy/bad/X.conf does not parse, for the reason in X.expected; data/policy/good/X.conf
 * does, and X.expected is tt_policy_format() of it, and its warnings.
 */
#include "tt-test.h"

#include "core/error.h"
#include "core/match.h"
#include "core/policy.h"

#include <sys/stat.h>

static TtPolicy *
parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    TtPolicy *policy = tt_policy_parse("a.conf", text, strlen(text), &error);

    assert_no_error(error);
    return policy;
}

static void
assert_refused(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(tt_policy_parse("a.conf", text, strlen(text), &error));
    assert_error(error, TT_ERROR_POLICY, message);
}

static const TtSection *
section(const TtPolicy *policy, guint i)
{
    assert_true(i < policy->sections->len);
    return g_ptr_array_index(policy->sections, i);
}

static const char *
string(const GPtrArray *array, guint i)
{
    assert_true(i < array->len);
    return g_ptr_array_index(array, i);
}

typedef void (*CaseFunc)(const char *name, const char *text, gsize len, const char *expected);

static char *
expected_of(const char *path)
{
    g_autofree char *stem = g_strndup(path, strlen(path) - strlen(".conf"));
    g_autofree char *file = g_strconcat(stem, ".expected", NULL);
    char *expected = NULL;

    if (!g_file_get_contents(file, &expected, NULL, NULL))
        fail_msg("%s is missing", file);
    return expected;
}

static void
for_each_case(const char *folder, guint at_least, CaseFunc func)
{
    g_autofree char *path = g_build_filename(TT_TEST_DATA, "policy", folder, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;

    assert_non_null(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_autofree char *expected = NULL;
        g_autofree char *text = NULL;
        gsize len;

        if (!g_str_has_suffix(name, ".conf"))
            continue;
        assert_true(g_file_get_contents(file, &text, &len, NULL));
        expected = expected_of(file);
        func(name, text, len, expected);
        n++;
    }
    assert_true(n >= at_least);
}

static void
check_bad(const char *name, const char *text, gsize len, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TtPolicy) policy = tt_policy_parse(name, text, len, &error);
    g_autofree char *message = error ? g_strconcat(error->message, "\n", NULL) : NULL;

    if (policy)
        fail_msg("%s was accepted", name);
    assert_string_equal(message, expected);
    assert_true(g_error_matches(error, TT_ERROR, TT_ERROR_POLICY));
}

static void
test_bad_files(void **state)
{
    for_each_case("bad", 150, check_bad);
}

/* Without the lines that say where a value came from. */
static char *
meaning(const TtPolicy *policy)
{
    g_autofree char *text = tt_policy_format(policy);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *to = g_string_new(NULL);

    for (char **line = lines; *line; line++) {
        if ((*line)[0] != '#')
            g_string_append_printf(to, "%s\n", *line);
    }
    return g_string_free(to, FALSE);
}

static void
assert_same_wish(const TtWish *a, const TtWish *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->value.number, b->value.number);
    assert_string_equal(a->value.text, b->value.text);
}

static void
assert_same_section(const TtSection *a, const TtSection *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->stop_match, b->stop_match);
    assert_same_wish(&a->lock, &b->lock);
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++)
        assert_same_wish(&a->wish[attr], &b->wish[attr]);
    for (TtMatchKey key = 0; key < _TT_KEY_N; key++) {
        const char *text_a = tt_match_keys_text(a->keys, key);
        const char *text_b = tt_match_keys_text(b->keys, key);

        assert_int_equal(g_strcmp0(text_a, text_b), 0);
    }
}

static void
assert_same(const TtPolicy *a, const TtPolicy *b)
{
    assert_int_equal(a->main.native, b->main.native);
    assert_int_equal(a->main.learned, b->main.learned);
    assert_int_equal(a->main.gateway, b->main.gateway);
    assert_int_equal(a->sections->len, b->sections->len);
    for (guint i = 0; i < a->sections->len; i++)
        assert_same_section(section(a, i), section(b, i));
    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        assert_int_equal(a->host[key].kind, b->host[key].kind);
        assert_int_equal(a->host[key].number, b->host[key].number);
        assert_int_equal(g_strcmp0(a->host[key].text, b->host[key].text), 0);
    }
    assert_int_equal(a->warnings->len, b->warnings->len);
}

static void
check_good(const char *name, const char *text, gsize len, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TtPolicy) policy = tt_policy_parse(name, text, len, &error);
    g_autoptr(TtPolicy) again = NULL;
    g_autoptr(GString) shown = NULL;
    g_autofree char *formatted = NULL;
    g_autofree char *meaning_a = NULL;
    g_autofree char *meaning_b = NULL;

    assert_no_error(error);
    formatted = tt_policy_format(policy);
    shown = g_string_new(formatted);
    for (guint i = 0; i < policy->warnings->len; i++)
        g_string_append_printf(shown, "%swarning: %s\n", i ? "" : "\n",
                               string(policy->warnings, i));
    assert_string_equal(shown->str, expected);

    again = parse(formatted);
    assert_same(policy, again);
    meaning_a = meaning(policy);
    meaning_b = meaning(again);
    assert_string_equal(meaning_a, meaning_b);
}

static void
test_good_files(void **state)
{
    for_each_case("good", 15, check_good);
}

static void
check_key_file(const char *name, const char *text, gsize len, const char *expected)
{
    g_autoptr(GKeyFile) key_file = g_key_file_new();
    g_autoptr(TtPolicy) policy = NULL;
    g_autoptr(GError) error = NULL;

    if (strstr(text, "\n;"))
        return;
    if (!g_key_file_load_from_data(key_file, text, len, G_KEY_FILE_NONE, &error))
        fail_msg("%s: %s", name, error->message);
    policy = tt_policy_parse(name, text, len, NULL);
    for (guint i = 0; i < policy->sections->len; i++) {
        const TtSection *one = section(policy, i);

        assert_true(g_key_file_has_group(key_file, one->name));
        for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++)
            assert_int_equal(
                g_key_file_has_key(key_file, one->name, tt_attr_info(attr)->name, NULL),
                one->wish[attr].kind != TT_WISH_UNSET);
    }
}

/* The files are key files: whatever we accept, GKeyFile reads too. */
static void
test_good_files_are_key_files(void **state)
{
    for_each_case("good", 15, check_key_file);
}

static void
test_empty(void **state)
{
    g_autoptr(TtPolicy) policy = tt_policy_parse("a.conf", NULL, 0, NULL);
    g_autofree char *formatted = NULL;

    assert_non_null(policy);
    assert_int_equal(policy->sections->len, 0);
    assert_int_equal(policy->files->len, 1);
    assert_int_equal(policy->main.native, TT_TRISTATE_AUTO);
    assert_int_equal(policy->main.learned, TT_LEARNED_AUTO);
    assert_int_equal(policy->main.gateway, TT_GATEWAY_MOVE);
    formatted = tt_policy_format(policy);
    assert_string_equal(formatted, "");
    tt_policy_free(NULL);
}

static void
test_origins(void **state)
{
    g_autoptr(TtPolicy) policy = parse("# x\n[main]\nnative=yes\n\n[route-a]\nfamily=ipv4\n"
                                       "rto_min=50ms\nlock=mtu\nstop-match=yes\n"
                                       "[host]\nrto_min=50ms\n");
    const TtSection *a = section(policy, 0);

    assert_string_equal(string(policy->files, 0), "a.conf");
    assert_ptr_equal(a->origin.file, string(policy->files, 0));
    assert_int_equal(a->origin.line, 5);
    assert_int_equal(policy->main.origin[TT_MAIN_NATIVE].line, 3);
    assert_null(policy->main.origin[TT_MAIN_LEARNED].file);
    assert_int_equal(a->key_origin[TT_KEY_FAMILY].line, 6);
    assert_null(a->key_origin[TT_KEY_TABLE].file);
    assert_int_equal(a->wish[TT_ATTR_RTO_MIN].origin.line, 7);
    assert_int_equal(a->lock.origin.line, 8);
    assert_int_equal(a->stop_origin.line, 9);
    assert_int_equal(policy->host[TT_HOST_RTO_MIN].origin.line, 11);
}

static void
test_wishes(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route]\nrto_min=8ms\nquickack=no\nmtu=none\n"
                                       "lock=mtu,congctl\n[route-a]\nlock=none\n");
    const TtSection *plain = section(policy, 1);

    assert_int_equal(plain->wish[TT_ATTR_RTO_MIN].kind, TT_WISH_SET);
    assert_int_equal(plain->wish[TT_ATTR_RTO_MIN].value.number, 8);
    assert_int_equal(plain->wish[TT_ATTR_QUICKACK].kind, TT_WISH_REMOVE);
    assert_int_equal(plain->wish[TT_ATTR_MTU].kind, TT_WISH_NONE);
    assert_int_equal(plain->wish[TT_ATTR_WINDOW].kind, TT_WISH_UNSET);
    assert_int_equal(plain->lock.kind, TT_WISH_SET);
    assert_int_equal(plain->lock.value.number,
                     TT_METRIC_BIT(RTAX_MTU) | TT_METRIC_BIT(RTAX_CC_ALGO));
    assert_int_equal(section(policy, 0)->lock.kind, TT_WISH_NONE);
}

static void
test_host(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[host]\ntcp_thin_linear_timeouts=yes\n"
                                       "tcp_thin_dupack=0\ntcp_tw_reuse=loopback\n"
                                       "hystart_detect=delay\ndefault_qdisc=fq\nrto_min=50ms\n");

    assert_int_equal(policy->host[TT_HOST_TCP_THIN_LINEAR_TIMEOUTS].number, 1);
    assert_int_equal(policy->host[TT_HOST_TCP_THIN_DUPACK].kind, TT_WISH_SET);
    assert_int_equal(policy->host[TT_HOST_TCP_THIN_DUPACK].number, 0);
    assert_int_equal(policy->host[TT_HOST_TCP_TW_REUSE].number, 2);
    assert_int_equal(policy->host[TT_HOST_HYSTART_DETECT].number, 2);
    assert_string_equal(policy->host[TT_HOST_DEFAULT_QDISC].text, "fq");
    assert_int_equal(policy->host[TT_HOST_RTO_MIN].number, 50000);
    assert_string_equal(tt_host_key_name(TT_HOST_RTO_MIN), "rto_min");
}

static void
test_warnings(void **state)
{
    g_autoptr(TtPolicy) low = parse("[route]\nrto_min=39ms\n");
    g_autoptr(TtPolicy) enough = parse("[route]\nrto_min=40ms\n[host]\nrto_min=40ms\n");
    g_autoptr(TtPolicy) none = parse("[route]\nrto_min=none\n");

    assert_int_equal(low->warnings->len, 1);
    assert_non_null(strstr(string(low->warnings, 0), "a.conf:2: [route] rto_min=39ms: "));
    assert_non_null(strstr(string(low->warnings, 0), "run quickack"));
    assert_int_equal(enough->warnings->len, 0);
    assert_int_equal(none->warnings->len, 0);
}

static char *
repeat(const char *before, const char *format, guint n)
{
    GString *text = g_string_new(before);

    for (guint i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%u", format, i);
        g_string_append(text, format[0] == '[' ? "]\n" : "=x\n");
    }
    return g_string_free(text, FALSE);
}

static void
test_limits(void **state)
{
    g_autofree char *sections = repeat("", "[route-", 1000);
    g_autofree char *more_sections = repeat("", "[route-", 1001);
    g_autofree char *keys = repeat("[route]\n", "key", 101);
    g_autofree char *big = g_strnfill(1024 * 1024 + 1, '\n');
    g_autofree char *comment = g_strnfill(4096, '#');
    g_autofree char *longer = g_strconcat(comment, "#", NULL);
    g_autoptr(TtPolicy) policy = parse(sections);
    g_autoptr(TtPolicy) commented = parse(comment);

    assert_int_equal(policy->sections->len, 1000);
    assert_non_null(commented);
    assert_refused(more_sections, "a.conf:1001: more than 1000 sections");
    assert_refused(keys, "a.conf:102: more than 100 keys in a section");
    assert_refused(big, "a.conf: larger than 1 MiB");
    assert_refused(longer, "a.conf:1: the line is longer than 4096 bytes");
}

/* A name may hold anything; a message is one line, and the formatted policy parses. */
static void
test_odd_file_name(void **state)
{
    g_autoptr(TtPolicy) policy = tt_policy_parse("a\n\xff.conf", "[route]\nmtu=1500", 16, NULL);
    g_autoptr(TtPolicy) again = NULL;
    g_autofree char *formatted = NULL;

    assert_non_null(policy);
    formatted = tt_policy_format(policy);
    again = parse(formatted);
    assert_same(policy, again);
}

static void
test_reach_empty(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[main]\nnative=yes\n");
    TtPolicyReach reach = tt_policy_reach(policy);

    assert_false(reach.family[0] || reach.family[1]);
    assert_true(reach.only_defaults && reach.only_main);
    assert_false(reach.connected || reach.link_details || reach.connection);
}

static void
test_reach(void **state)
{
    static const struct {
        const char *keys;
        const char *reach; /* 4 6: families, D: only defaults, M: only main, c d u */
    } cases[] = {
        {"", "46DM"},
        {"family=ipv4", "4DM"},
        {"family=ipv6", "6DM"},
        {"family=ipv4,ipv6", "46DM"},
        {"destination=0.0.0.0/0", "4DM"},
        {"destination=default,::/0", "46DM"},
        {"destination=10.0.0.0/8", "4M"},
        {"destination=within:2001:db8::/32", "6M"},
        {"destination=any", "46M"},
        {"destination=connected", "46Mc"},
        {"destination=connected\nfamily=ipv6", "6Mc"},
        {"table=254", "46DM"},
        {"table=main,1000", "46D"},
        {"table=any", "46D"},
        {"match-device=eth0,type:tun", "46DMd"},
        {"match-device=eth0,except:interface-name:eth1", "46DM"},
        {"match-device=driver:virtio_net", "46DMd"},
        {"match-device=except:mac:00:11:22:33:44:55", "46DMd"},
        {"match-connection=id:a", "46DMu"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strconcat("[route-a]\n", cases[i].keys, NULL);
        g_autoptr(TtPolicy) policy = parse(text);
        TtPolicyReach reach = tt_policy_reach(policy);
        g_autofree char *got = g_strconcat(
            reach.family[0] ? "4" : "", reach.family[1] ? "6" : "", reach.only_defaults ? "D" : "",
            reach.only_main ? "M" : "", reach.connected ? "c" : "", reach.link_details ? "d" : "",
            reach.connection ? "u" : "", NULL);

        assert_string_equal(got, cases[i].reach);
    }
}

static void
test_reach_merged(void **state)
{
    g_autoptr(TtPolicy) policy = parse("[route-a]\nfamily=ipv6\ntable=5\n"
                                       "[route-b]\nfamily=ipv4\ndestination=connected\n");
    TtPolicyReach reach = tt_policy_reach(policy);

    assert_true(reach.family[0] && reach.family[1] && reach.connected);
    assert_false(reach.only_defaults || reach.only_main);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_good_files),
        cmocka_unit_test(test_good_files_are_key_files),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_wishes),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_odd_file_name),
        cmocka_unit_test(test_reach_empty),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_reach_merged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
