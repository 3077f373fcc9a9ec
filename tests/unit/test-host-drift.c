/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which line of sysctl.d(5) wins at the next boot. */
#include "temp-root.h"

#include "core/host-drift.h"

#define ETC "/etc/sysctl.d/"
#define RUN "/run/sysctl.d/"
#define LOCAL "/usr/local/lib/sysctl.d/"
#define LIB "/usr/lib/sysctl.d/"

static const TtHostWish loopback = {.kind = TT_WISH_SET, .number = 2};
static const TtHostWish fq = {.kind = TT_WISH_SET, .text = (char *) "fq"};

/* The line that wins against tcp_tw_reuse=loopback: "FILE:LINE VALUE", "" for none. */
static void
assert_drift(const char *root, const char *expected)
{
    TtHostDrift drift;
    g_autofree char *text = NULL;

    tt_host_drift_find(root, TT_HOST_TCP_TW_REUSE, &loopback, &drift);
    if (drift.file)
        text = g_strdup_printf("%s:%u %s", drift.file + strlen(root), drift.line, drift.value);
    assert_string_equal(text ? text : "", expected);
    tt_host_drift_clear(&drift);
}

static void
test_no_file(void **state)
{
    assert_drift(*state, "");
    tt_temp_put(*state, ETC "a.conf", "# net.ipv4.tcp_tw_reuse=1\n;net.ipv4.tcp_tw_reuse=1\n\n");
    assert_drift(*state, "");
}

static void
test_spellings(void **state)
{
    static const char *const lines[] = {
        "net.ipv4.tcp_tw_reuse=1",     "net/ipv4/tcp_tw_reuse = 1", "  -net.ipv4.tcp_tw_reuse =1 ",
        "- net.ipv4.tcp_tw_reuse = 1", "net.ipv4.tcp_*=1",          "net/ipv4/tcp_tw_r?use=1",
        "net.*.tcp_tw_reuse = 1",      "net.ipv4.tcp_tw_reuse=\t1",
    };
    static const char *const others[] = {
        "net.ipv4.tcp_tw_reuse_delay=1",
        "net.ipv4/tcp_tw_reuse=1",
        "net/ipv4.tcp_tw_reuse=1",
        "net.*=1",
        "net.ipv4.tcp_tw_reuse 1",
        "*tcp_tw_reuse=1",
        "-net.ipv4.tcp_tw_reuse",
        "=1",
        "-",
    };

    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_autofree char *text = g_strdup_printf("# one\n\n%s\n", lines[i]);

        tt_temp_put(*state, ETC "a.conf", text);
        assert_drift(*state, ETC "a.conf:3 1");
        tt_temp_put(*state, ETC "a.conf", lines[i]);
        assert_drift(*state, ETC "a.conf:1 1");
    }
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        tt_temp_put(*state, ETC "a.conf", others[i]);
        assert_drift(*state, "");
    }
}

/* What says the same as the policy is no drift, however it is written. */
static void
test_same_value(void **state)
{
    static const char *const same[] = {"2", "0x2", "02", " 2 "};
    static const char *const different[] = {"22", "2x", "", "-2", "2 1"};

    for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
        g_autofree char *line = g_strdup_printf("net.ipv4.tcp_tw_reuse=%s\n", same[i]);

        tt_temp_put(*state, ETC "a.conf", line);
        assert_drift(*state, "");
    }
    for (guint i = 0; i < G_N_ELEMENTS(different); i++) {
        g_autofree char *line = g_strdup_printf("net.ipv4.tcp_tw_reuse=%s\n", different[i]);
        g_autofree char *expected = g_strdup_printf(ETC "a.conf:1 %s", different[i]);

        tt_temp_put(*state, ETC "a.conf", line);
        assert_drift(*state, expected);
    }
}

static void
test_last_line_wins(void **state)
{
    tt_temp_put(*state, ETC "a.conf", "net.ipv4.tcp_tw_reuse=0\nnet.ipv4.tcp_tw_reuse=1\n");
    assert_drift(*state, ETC "a.conf:2 1");
    tt_temp_put(*state, LIB "b.conf", "net.ipv4.tcp_tw_reuse=0\n");
    assert_drift(*state, LIB "b.conf:1 0");
    tt_temp_put(*state, RUN "c.conf", "net.ipv4.tcp_tw_reuse=2\n");
    assert_drift(*state, "");
    tt_temp_put(*state, LOCAL "d.conf", "net.ipv4.tcp_tw_reuse=1\n");
    assert_drift(*state, LOCAL "d.conf:1 1");
}

/* A name counts more than a pattern that comes later. */
static void
test_name_before_pattern(void **state)
{
    tt_temp_put(*state, ETC "a.conf", "net.ipv4.tcp_tw_reuse=2\n");
    tt_temp_put(*state, ETC "b.conf", "net.ipv4.tcp_*=1\n");
    assert_drift(*state, "");
    tt_temp_put(*state, ETC "a.conf", "-net.ipv4.tcp_tw_reuse\n");
    assert_drift(*state, "");
    tt_temp_put(*state, ETC "a.conf", "net.ipv4.tcp_tw*=0\n");
    assert_drift(*state, ETC "b.conf:1 1");
}

static void
test_same_name_hides(void **state)
{
    tt_temp_put(*state, LIB "50-default.conf", "net.ipv4.tcp_tw_reuse=1\n");
    assert_drift(*state, LIB "50-default.conf:1 1");
    tt_temp_put(*state, RUN "50-default.conf", "# nothing\n");
    assert_drift(*state, "");
    tt_temp_put(*state, LOCAL "a.conf", "net.ipv4.tcp_tw_reuse=1\n");
    tt_temp_link(*state, ETC "a.conf", "/dev/null");
    assert_drift(*state, "");
    tt_temp_put(*state, "/lib/sysctl.d/b.conf", "net.ipv4.tcp_tw_reuse=1\n");
    assert_drift(*state, "/lib/sysctl.d/b.conf:1 1");
    tt_temp_put(*state, ETC "b.conf", "");
    assert_drift(*state, "");
    tt_temp_put(*state, ETC "README", "net.ipv4.tcp_tw_reuse=1\n");
    tt_temp_put(*state, ETC ".c.conf", "net.ipv4.tcp_tw_reuse=1\n");
    assert_drift(*state, "");
}

/* sysctl(8) reads it last; systemd only by the link that distributions put into the folder. */
static void
test_sysctl_conf(void **state)
{
    tt_temp_put(*state, "/etc/sysctl.conf", "net.ipv4.tcp_tw_reuse=1\n");
    tt_temp_put(*state, ETC "zz.conf", "net.ipv4.tcp_tw_reuse=2\n");
    assert_drift(*state, "/etc/sysctl.conf:1 1");
    tt_temp_link(*state, ETC "99-sysctl.conf", "../sysctl.conf");
    assert_drift(*state, "");
    tt_temp_remove(*state, ETC "zz.conf");
    assert_drift(*state, ETC "99-sysctl.conf:1 1");
}

static void
test_other_knobs(void **state)
{
    TtHostDrift drift;

    tt_temp_put(*state, LIB "50-default.conf", "net.core.default_qdisc = fq_codel\n");
    tt_host_drift_find(*state, TT_HOST_DEFAULT_QDISC, &fq, &drift);
    assert_string_equal(drift.value, "fq_codel");
    assert_int_equal(drift.line, 1);
    tt_host_drift_clear(&drift);
    tt_temp_put(*state, LIB "50-default.conf", "net.core.default_qdisc=fq\n");
    tt_host_drift_find(*state, TT_HOST_DEFAULT_QDISC, &fq, &drift);
    assert_null(drift.file);
    /* No sysctl. */
    tt_host_drift_find(*state, TT_HOST_HYSTART_DETECT, &loopback, &drift);
    assert_null(drift.file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tt_temp_root_new, tt_temp_root_free)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_file),        TEST(test_spellings),           TEST(test_same_value),
        TEST(test_last_line_wins), TEST(test_name_before_pattern), TEST(test_same_name_hides),
        TEST(test_sysctl_conf),    TEST(test_other_knobs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
