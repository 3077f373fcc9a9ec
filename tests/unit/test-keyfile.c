/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/keyfile.h"
#include "tt-test.h"

#include <arpa/inet.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static TtKeyfile
parse(const char *text)
{
    TtKeyfile keyfile;

    tt_keyfile_parse(text, strlen(text), &keyfile);
    return keyfile;
}

static void
assert_address(const TtAddress *address, int family, const char *expected)
{
    char text[INET6_ADDRSTRLEN];

    assert_string_equal(inet_ntop(family, address, text, sizeof text), expected);
}

static void
test_moved(void **state)
{
    TtKeyfile keyfile =
        parse("[connection]\nid=eth0\n\n[ipv4]\naddress1=192.0.2.10/24\nmethod=manual\n"
              "route1=0.0.0.0/0,192.0.2.1\nroute1_options=rto_min=8\nroute-table=1000\n"
              "[ipv6]\nmethod=manual\naddress1=2001:db8::2/64\n\n"
              "[user]\ntcptune-nm.ipv4-gateway=192.0.2.1\ntcptune-nm.ipv6-gateway=fe80::1\n");

    assert_true(keyfile.stamped);
    assert_true(keyfile.gateway[0].moved);
    assert_address(&keyfile.gateway[0].gateway, AF_INET, "192.0.2.1");
    assert_int_equal(keyfile.gateway[0].stale, 0);
    assert_int_equal(keyfile.gateway[0].table, 1000);
    assert_true(keyfile.gateway[1].moved);
    assert_address(&keyfile.gateway[1].gateway, AF_INET6, "fe80::1");
    assert_int_equal(keyfile.gateway[1].stale, 0);
    assert_int_equal(keyfile.gateway[1].table, RT_TABLE_MAIN);
}

static void
test_not_moved(void **state)
{
    TtKeyfile keyfile = parse("[ipv4]\nmethod=auto\n[user]\ntcptune-nm.ipv4-routes=10.0.0.0/8\n");

    assert_true(keyfile.stamped);
    assert_false(keyfile.gateway[0].moved);
    assert_int_equal(keyfile.gateway[0].stale, 0);
    keyfile = parse("[user]\norg.example=1\nxtcptune-nm.ipv4-gateway=192.0.2.1\n"
                    "[other]\ntcptune-nm.ipv4-gateway=192.0.2.1\n[user]x\n"
                    "tcptune-nm.ipv4-gateway=192.0.2.1\n");
    assert_false(keyfile.stamped);
    keyfile = parse("[user]\ntcptune-nm.ipv4-gateway=fe80::1\ntcptune-nm.ipv6-gateway=\n");
    assert_true(keyfile.stamped);
    assert_false(keyfile.gateway[0].moved);
    assert_false(keyfile.gateway[1].moved);
    keyfile = parse("");
    assert_false(keyfile.stamped);
}

/* Lines of [ipv4], and what they make of a moved 192.0.2.1. */
static void
test_stale(void **state)
{
    static const struct {
        const char *lines;
        guint stale;
        const char *gateway;
    } cases[] = {
        {"method=manual", 0},
        {"method=manual\naddress1=192.0.2.10/24\naddress2=192.0.2.11/24", 0},
        {"method=manual\ngateway=192.0.2.1", 0},
        {"method=manual\naddress1=192.0.2.10/24,192.0.2.1", 0},
        {"method=manual\ngateway=", 0},
        {"method=manual\ngateway=0.0.0.0", 0},
        {"method=manual\naddress1=192.0.2.10/24,0.0.0.0", 0},
        {"method=manual\ngateway=rubbish", 0},
        {"method=manual\naddress-data=192.0.2.10/24,192.0.2.2", 0},
        {"method=manual\naddresses1x=192.0.2.10/24,192.0.2.2", 0},
        {"method=manual\nroute1=0.0.0.0/0,192.0.2.2", 0},
        {"method=manual\n#gateway=192.0.2.2", 0},
        {"method=manual\nnever-default=false", 0},
        {"method=manual\ngateway=192.0.2.2", TT_STALE_GATEWAY, "192.0.2.2"},
        {"gateway=192.0.2.3\nmethod=manual\ngateway=192.0.2.2", TT_STALE_GATEWAY, "192.0.2.2"},
        {" method = manual\r\n\tgateway =  192.0.2.2  \r", TT_STALE_GATEWAY, "192.0.2.2"},
        {"method=manual\naddress1=192.0.2.10/24,192.0.2.2", TT_STALE_GATEWAY, "192.0.2.2"},
        {"method=manual\naddress1=192.0.2.10/24\naddress2=192.0.2.11/24, 192.0.2.2",
         TT_STALE_GATEWAY, "192.0.2.2"},
        {"method=manual\naddress1=192.0.2.10/24,192.0.2.2\naddress2=192.0.2.11/24",
         TT_STALE_GATEWAY, "192.0.2.2"},
        {"method=manual\naddresses=192.0.2.10;24;192.0.2.2;", TT_STALE_GATEWAY, "192.0.2.2"},
        {"method=auto", TT_STALE_METHOD},
        {"method=disabled", TT_STALE_METHOD},
        {"", TT_STALE_METHOD},
        {"method=manual\nnever-default=true", TT_STALE_NEVER_DEFAULT},
        {"method=manual\nnever-default=1", TT_STALE_NEVER_DEFAULT},
        {"method=auto\nnever-default=true", TT_STALE_METHOD | TT_STALE_NEVER_DEFAULT},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "[ipv4]\n%s\n[user]\ntcptune-nm.ipv4-gateway=192.0.2.1", cases[i].lines);
        TtKeyfile keyfile = parse(text);

        if (keyfile.gateway[0].stale != cases[i].stale)
            fail_msg("%s: %u", cases[i].lines, keyfile.gateway[0].stale);
        if (cases[i].gateway)
            assert_address(&keyfile.gateway[0].new_gateway, AF_INET, cases[i].gateway);
    }
}

/* A group that comes twice is one; families do not mix. */
static void
test_groups(void **state)
{
    TtKeyfile keyfile = parse("[ipv6]\nmethod=auto\ngateway=fe80::2\n[ipv4]\n[user]\n"
                              "tcptune-nm.ipv4-gateway=192.0.2.1\n[ipv4]\nmethod=manual\n"
                              "never-default=true\n[user]\ntcptune-nm.ipv6-gateway=fe80::1\n");

    assert_int_equal(keyfile.gateway[0].stale, TT_STALE_NEVER_DEFAULT);
    assert_int_equal(keyfile.gateway[1].stale, TT_STALE_METHOD | TT_STALE_GATEWAY);
    assert_address(&keyfile.gateway[1].new_gateway, AF_INET6, "fe80::2");
}

static void
test_tables(void **state)
{
    static const struct {
        const char *text;
        guint32 table;
    } cases[] = {{"254", 254},        {"0", 254},
                 {"", 254},           {"4294967295", G_MAXUINT32},
                 {"4294967296", 254}, {"99999999999999999999", 254}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("[ipv4]\nroute-table=%s\n", cases[i].text);

        assert_int_equal(parse(text).gateway[0].table, cases[i].table);
    }
}

static void
assert_readable(const char *path, bool expected)
{
    TtKeyfile keyfile;

    assert_int_equal(tt_keyfile_read(path, &keyfile), expected);
}

/* Only what nobody but root can have written is believed. */
static void
test_read(void **state)
{
    g_autofree char *dir = g_dir_make_tmp("tcptune-keyfile-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a.nmconnection", NULL);
    g_autofree char *link = g_build_filename(dir, "b.nmconnection", NULL);
    bool root = geteuid() == 0;

    assert_readable(path, false);
    assert_readable(dir, false);
    assert_true(g_file_set_contents(path, "[user]\ntcptune-nm.a=b\n", -1, NULL));
    assert_int_equal(g_chmod(path, 0600), 0);
    assert_readable(path, root);
    assert_int_equal(symlink(path, link), 0);
    assert_readable(link, root);
    assert_int_equal(g_chmod(path, 0620), 0);
    assert_readable(path, false);
    assert_int_equal(g_chmod(path, 0602), 0);
    assert_readable(path, false);
    assert_int_equal(g_chmod(path, 0600), 0);
    assert_int_equal(truncate(path, 16 * 1024 * 1024 + 1), 0);
    assert_readable(path, false);
    assert_int_equal(truncate(path, 16 * 1024 * 1024), 0);
    assert_readable(path, root);
    if (root) {
        assert_int_equal(chown(path, 1, 1), 0);
        assert_readable(path, false);
    }
    g_unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_readable(path, false);
    g_unlink(path);
    g_unlink(link);
    g_rmdir(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved),  cmocka_unit_test(test_not_moved),
        cmocka_unit_test(test_stale),  cmocka_unit_test(test_groups),
        cmocka_unit_test(test_tables), cmocka_unit_test(test_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
