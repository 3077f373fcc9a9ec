/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/exit.h"
#include "helper/options.h"
#include "tt-test.h"

/* Parses a line; *out_rest is what is left of it. */
static bool
parse(const char *line, TtOptions *options, char **out_rest, GError **error)
{
    static char **words;
    char **args;
    bool ok;

    g_strfreev(words);
    words = g_strsplit(line, " ", -1);
    args = words;
    ok = tt_options_parse(&args, options, error);
    *out_rest = ok ? g_strjoinv(" ", args) : NULL;
    return ok;
}

static void
assert_parsed(const char *line, TtOptions expected, const char *expected_rest)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *rest = NULL;
    TtOptions options;

    assert_true(parse(line, &options, &rest, &error));
    assert_no_error(error);
    assert_string_equal(rest, expected_rest);
    assert_int_equal(options.terse, expected.terse);
    assert_int_equal(options.help, expected.help);
    assert_int_equal(options.version, expected.version);
    assert_int_equal(options.pretty, expected.pretty);
    assert_int_equal(options.multiline, expected.multiline);
    assert_int_equal(options.plain_separators, expected.plain_separators);
    assert_int_equal(options.json, expected.json);
    assert_int_equal(options.colors, expected.colors);
    assert_int_equal(options.wait_given, expected.wait_given);
    assert_int_equal(options.wait_s, expected.wait_s);
    assert_int_equal(g_strcmp0(options.fields, expected.fields), 0);
}

static void
assert_refused(const char *line, const char *message)
{
    GError *error = NULL;
    g_autofree char *rest = NULL;
    TtOptions options = {.fields = "untouched"};

    assert_false(parse(line, &options, &rest, &error));
    assert_non_null(error);
    assert_int_equal(tt_exit_from_error(error), TT_EXIT_USAGE);
    assert_string_equal(error->message, message);
    assert_string_equal(options.fields, "untouched");
    g_error_free(error);
}

static void
test_spellings(void **state)
{
    const TtOptions terse = {.terse = true};

    assert_parsed("-t status", terse, "status");
    assert_parsed("-terse status", terse, "status");
    assert_parsed("--t status", terse, "status");
    assert_parsed("--ters status", terse, "status");
    assert_parsed("-v", (TtOptions){.version = true}, "");
    assert_parsed("--help check", (TtOptions){.help = true}, "check");
    assert_parsed("-t -h", (TtOptions){.terse = true, .help = true}, "");
    assert_parsed("", (TtOptions){.terse = false}, "");
}

static void
test_values(void **state)
{
    assert_parsed("-f ROUTE,STATE status", (TtOptions){.fields = "ROUTE,STATE"}, "status");
    assert_parsed("--fields=all status", (TtOptions){.fields = "all"}, "status");
    assert_parsed("-f= status", (TtOptions){.fields = ""}, "status");
    assert_parsed("-f -t status", (TtOptions){.fields = "-t"}, "status");
}

/* Options of a command are the command's. */
static void
test_end(void **state)
{
    assert_parsed("-t -- -f x", (TtOptions){.terse = true}, "-f x");
    assert_parsed("apply --dry-run -t", (TtOptions){.terse = false}, "apply --dry-run -t");
}

static void
test_errors(void **state)
{
    assert_refused("-x", "Option '-x' is unknown, try 'tcptune-nm -help'.");
    assert_refused("--terser x", "Option '--terser' is unknown, try 'tcptune-nm -help'.");
    assert_refused("-", "Option '-' is unknown, try 'tcptune-nm -help'.");
    assert_refused("-f", "missing argument for '-f' option.");
    assert_refused("-t --terse", "Option '--terse' is specified the second time.");
    assert_refused("--terse=yes", "Option '--terse=yes' takes no argument.");
    assert_refused("-m foo", "'foo' is not a valid argument for '-m' option.");
    assert_refused("--escape=x", "'x' is not a valid argument for '--escape' option.");
    assert_refused("-c", "missing argument for '-c' option.");
    assert_refused("-w 5x", "'5x' is not a valid timeout.");
    assert_refused("-w -5", "'-5' is not a valid timeout.");
    assert_refused("-p -t", "Option '--pretty' is mutually exclusive with '--terse'.");
    assert_refused("-g x -t", "Option '--terse' is specified the second time.");
    assert_refused("-j -f x", "Option '--json' is mutually exclusive with '--fields'.");
}

static void
test_nmcli(void **state)
{
    assert_parsed("-m m -p s", (TtOptions){.multiline = true, .pretty = true}, "s");
    assert_parsed("-m multi -m tab s", (TtOptions){.multiline = false}, "s");
    assert_parsed("-e n -t s", (TtOptions){.plain_separators = true, .terse = true}, "s");
    assert_parsed("-e no -e yes -j", (TtOptions){.json = true}, "");
    assert_parsed("-c y s", (TtOptions){.colors = TT_COLORS_YES}, "s");
    assert_parsed("--colors=no s", (TtOptions){.colors = TT_COLORS_NO}, "s");
    assert_parsed("-g NAME s", (TtOptions){.terse = true, .fields = "NAME"}, "s");
    assert_parsed("-w 0 s", (TtOptions){.wait_given = true}, "s");
    assert_parsed("--wait=90 s", (TtOptions){.wait_given = true, .wait_s = 90}, "s");
}

static void
test_complete(void **state)
{
    g_autoptr(GPtrArray) all = tt_options_complete("");
    g_autoptr(GPtrArray) some = tt_options_complete("--p");

    assert_int_equal(all->len, 11);
    assert_int_equal(some->len, 1);
    assert_string_equal(some->pdata[0], "--pretty");
    assert_true(tt_option_wants_word("-f"));
    assert_false(tt_option_wants_word("-f=x"));
    assert_false(tt_option_wants_word("-t"));
    assert_string_equal(tt_option_choices("--mode")[1], "multiline");
    assert_null(tt_option_choices("-w"));
}

static void
test_option_is(void **state)
{
    assert_true(tt_option_is("--dry-run", "dry-run"));
    assert_true(tt_option_is("-d", "dry-run"));
    assert_false(tt_option_is("dry-run", "dry-run"));
    assert_false(tt_option_is("--", "dry-run"));
    assert_false(tt_option_is("-", "dry-run"));
    assert_false(tt_option_is("", "dry-run"));
}

static void
test_usage(void **state)
{
    g_autofree char *usage = tt_options_usage();

    assert_non_null(strstr(usage, "  -t, --terse                            terse output\n"));
    assert_non_null(strstr(usage, "  -f, --fields <field,...>|all|common"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings), cmocka_unit_test(test_values),
        cmocka_unit_test(test_end),       cmocka_unit_test(test_errors),
        cmocka_unit_test(test_nmcli),     cmocka_unit_test(test_complete),
        cmocka_unit_test(test_option_is), cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
