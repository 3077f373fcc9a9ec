/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "helper/keyfile-loss.h"

#define CONNECTION                                                                                 \
    "[connection]\nid=office\nuuid=83037490-1d17-4986-a397-01f1db3a7fc2\ntype=ethernet\n"

static void
assert_losses(const char *text, const char *expected)
{
    g_autoptr(GPtrArray) losses = tt_keyfile_losses(text);
    g_autofree char *joined = NULL;

    if (!expected) {
        assert_null(losses);
        return;
    }
    assert_non_null(losses);
    g_ptr_array_add(losses, NULL);
    joined = g_strjoinv("; ", (char **) losses->pdata);
    assert_string_equal(joined, expected);
}

static void
test_nothing(void **state)
{
    assert_losses(CONNECTION "interface-name=eth0\n[ethernet]\n\n[ipv4]\nmethod=auto\n", NULL);
    assert_losses("rubbish\n", NULL);
    assert_losses("", NULL);
}

static void
test_comments(void **state)
{
    assert_losses("# a\n" CONNECTION "  # b\n[ipv4]\nmethod=auto\n", "2 comments");
    assert_losses(CONNECTION "#\n", "1 comment");
    assert_losses(CONNECTION "[wifi]\nssid=a#b\n", NULL);
}

static void
test_unknown_keys(void **state)
{
    assert_losses(CONNECTION "owner=me\n[ipv4]\nmethod=auto\nmy-key=5\n",
                  "[connection] owner; [ipv4] my-key");
    assert_losses(CONNECTION "[my-tool]\na=1\nb=2\n[.my-tool]\nc=3\n", "[my-tool] a; [my-tool] b");
}

/* Written in another way, or not at all because it is the default: nothing is lost. */
static void
test_other_forms(void **state)
{
    assert_losses(CONNECTION "autoconnect=true\nautoconnect-priority=0\n", NULL);
    assert_losses(CONNECTION "[802-3-ethernet]\nmac-address=02:00:00:00:00:01\n", NULL);
    assert_losses(CONNECTION "[ethernet]\nauto-negotiate=false\n", NULL);
    assert_losses(CONNECTION "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24,192.0.2.1\n", NULL);
    assert_losses(CONNECTION "[ipv4]\nmethod=manual\naddress1=192.0.2.10/24\ngateway=192.0.2.1\n",
                  NULL);
    assert_losses(
        CONNECTION "[ipv4]\nmethod=manual\naddresses1=192.0.2.10/24\nroutes1=10.0.0.0/8\n", NULL);
}

/* The name of the file is the name then; secrets are no loss either. */
static void
test_incomplete(void **state)
{
    assert_losses("[connection]\ntype=ethernet\n[ipv4]\nmethod=auto\n", NULL);
    assert_losses(CONNECTION "[802-1x]\neap=peap;\nidentity=me\nphase2-auth=mschapv2\n"
                             "password=secret\n",
                  NULL);
}

static void
test_file(void **state)
{
    assert_null(tt_keyfile_losses_of_file(NULL));
    assert_null(tt_keyfile_losses_of_file(""));
    assert_null(tt_keyfile_losses_of_file("/nonexistent/file"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),      cmocka_unit_test(test_comments),
        cmocka_unit_test(test_unknown_keys), cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_incomplete),   cmocka_unit_test(test_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
