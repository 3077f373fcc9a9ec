/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/exit.h"
#include "helper/output.h"
#include "tt-test.h"

static const TtField fields[] = {{"NAME"}, {"VALUE"}, {"MORE", .on_demand = true}, {NULL}};

static void
add_row(TtTable *table, const char *name, const char *value, const char *more)
{
    char **row = g_new0(char *, 3);

    row[0] = g_strdup(name);
    row[1] = g_strdup(value);
    row[2] = g_strdup(more);
    tt_table_take_row(table, row);
}

/* Two rows that have what is awkward: separators, nothing, wide characters. */
static void
assert_table(TtOptions options, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TtTable) table = tt_table_new("status", fields, &options, &error);
    g_autofree char *text = NULL;

    assert_no_error(error);
    add_row(table, "2001:db8::1", "a\\b", "x");
    add_row(table, "K\xc3\xbc\xe6\x97\xa5", NULL, "");
    assert_int_equal(tt_table_size(table), 2);
    text = tt_table_format(table);
    assert_string_equal(text, expected);
}

static void
test_aligned(void **state)
{
    assert_table((TtOptions){.terse = false}, "NAME         VALUE\n"
                                              "2001:db8::1  a\\b\n"
                                              "K\xc3\xbc\xe6\x97\xa5         --\n");
}

static void
test_terse(void **state)
{
    assert_table((TtOptions){.terse = true}, "2001\\:db8\\:\\:1:a\\\\b\n"
                                             "K\xc3\xbc\xe6\x97\xa5:\n");
}

static void
test_fields(void **state)
{
    assert_table((TtOptions){.terse = true, .fields = "more, name"}, "x:2001\\:db8\\:\\:1\n"
                                                                     ":K\xc3\xbc\xe6\x97\xa5\n");
    assert_table((TtOptions){.fields = "all"}, "NAME         VALUE  MORE\n"
                                               "2001:db8::1  a\\b    x\n"
                                               "K\xc3\xbc\xe6\x97\xa5         --     --\n");
    assert_table((TtOptions){.terse = true, .fields = "common"}, "2001\\:db8\\:\\:1:a\\\\b\n"
                                                                 "K\xc3\xbc\xe6\x97\xa5:\n");
}

static void
test_escape_no(void **state)
{
    assert_table((TtOptions){.terse = true, .plain_separators = true},
                 "2001:db8::1:a\\b\nK\xc3\xbc\xe6\x97\xa5:\n");
}

/* As nmcli: names padded to 40, nothing escaped. */
static void
test_multiline(void **state)
{
    assert_table((TtOptions){.multiline = true},
                 "NAME:                                   2001:db8::1\n"
                 "VALUE:                                  a\\b\n"
                 "NAME:                                   K\xc3\xbc\xe6\x97\xa5\n"
                 "VALUE:                                  --\n");
    assert_table((TtOptions){.multiline = true, .terse = true}, "NAME:2001:db8::1\n"
                                                                "VALUE:a\\b\n"
                                                                "NAME:K\xc3\xbc\xe6\x97\xa5\n"
                                                                "VALUE:\n");
}

#define EQUALS_79                                                                                  \
    "===============================================================================\n"
#define DASHES_79                                                                                  \
    "-------------------------------------------------------------------------------\n"

static void
test_pretty(void **state)
{
    assert_table((TtOptions){.pretty = true}, "==========\n"
                                              "  status\n"
                                              "==========\n"
                                              "NAME         VALUE\n"
                                              "--------------------\n"
                                              "2001:db8::1  a\\b\n"
                                              "K\xc3\xbc\xe6\x97\xa5         --\n");
    assert_table((TtOptions){.pretty = true, .multiline = true, .fields = "NAME"}, EQUALS_79
                 "                                    status\n" EQUALS_79
                 "NAME:                                   2001:db8::1\n" DASHES_79
                 "NAME:                                   K\xc3\xbc\xe6\x97\xa5\n" DASHES_79);
}

static void
test_colors(void **state)
{
    const TtOptions options = {.use_colors = true};
    g_autoptr(TtTable) table = tt_table_new("status", fields, &options, NULL);
    char **row = g_new0(char *, 3);
    g_autofree char *text = NULL;

    row[0] = g_strdup("a");
    row[1] = g_strdup("bc");
    tt_table_take_toned_row(table, row, TT_TONE_BAD);
    add_row(table, "x", "y", NULL);
    text = tt_table_format(table);
    assert_string_equal(text, "NAME  VALUE\n"
                              "\033[31ma\033[0m     \033[31mbc\033[0m\n"
                              "x     y\n");
}

static void
assert_refused(const char *chosen, const char *message)
{
    GError *error = NULL;
    const TtOptions options = {.fields = chosen};

    assert_null(tt_table_new("policy test", fields, &options, &error));
    assert_string_equal(error->message, message);
    assert_int_equal(tt_exit_from_error(error), TT_EXIT_USAGE);
    g_error_free(error);
}

static void
test_unknown_field(void **state)
{
    assert_refused("NAME,FOO",
                   "'policy test': invalid field 'FOO'; allowed fields: [NAME,VALUE,MORE]");
    assert_refused("NAME,", "'policy test': invalid field ''; allowed fields: [NAME,VALUE,MORE]");
    assert_refused("", "'policy test': no fields given; allowed fields: [NAME,VALUE,MORE]");
}

static void
test_no_rows(void **state)
{
    const TtOptions options = {.terse = false};
    g_autoptr(TtTable) table = tt_table_new("status", fields, &options, NULL);
    g_autofree char *text = tt_table_format(table);

    assert_string_equal(text, "");
}

/* Bytes that a terminal must not see are not lost for a script. */
static void
test_unprintable(void **state)
{
    const TtOptions options = {.terse = true, .fields = "NAME"};
    g_autoptr(TtTable) table = tt_table_new("status", fields, &options, NULL);
    g_autofree char *text = NULL;

    add_row(table, "a\xff:b\033", NULL, NULL);
    text = tt_table_format(table);
    assert_string_equal(text, "a\\\\377\\:b\\\\033\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned),   cmocka_unit_test(test_terse),
        cmocka_unit_test(test_fields),    cmocka_unit_test(test_unknown_field),
        cmocka_unit_test(test_no_rows),   cmocka_unit_test(test_escape_no),
        cmocka_unit_test(test_multiline), cmocka_unit_test(test_pretty),
        cmocka_unit_test(test_colors),    cmocka_unit_test(test_unprintable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
