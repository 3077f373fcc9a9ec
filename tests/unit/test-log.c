/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dispatcher/log.h"
#include "tt-test.h"

static void
assert_line(TtLogPriority priority, const char *text, const char *expected)
{
    g_autofree char *line = tt_log_format(priority, text);

    assert_string_equal(line, expected);
}

static void
test_priorities(void **state)
{
    assert_line(TT_LOG_CHANGE, "done", "<5>tcptune-nm: done\n");
    assert_line(TT_LOG_ERROR, "a: b", "<3>tcptune-nm: a: b\n");
    assert_line(TT_LOG_ERROR, "", "<3>tcptune-nm: \n");
}

/* One line stays one line, and cannot fake another priority or steer a terminal. */
static void
test_control_characters(void **state)
{
    assert_line(TT_LOG_CHANGE, "x\n<0>boo\r\x1b[2J\t\x7f", "<5>tcptune-nm: x?<0>boo??[2J??\n");
    assert_line(TT_LOG_CHANGE, "n\n", "<5>tcptune-nm: n?\n");
    assert_line(TT_LOG_CHANGE,
                "K\xc3\xbc"
                "nig",
                "<5>tcptune-nm: K\xc3\xbc"
                "nig\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_control_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
