/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "helper/quote.h"
#include "tt-test.h"

/* The text is the callee's to free. */
static void
assert_text(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    g_free(text);
}

static void
test_plain(void **state)
{
    assert_text(tt_quote_escape(""), "");
    assert_text(tt_quote_escape("eth0 'x' $(id)\n\\"), "eth0 'x' $(id)\n\\");
    assert_text(tt_quote_escape("b\303\274ro\345\215\227"), "b\303\274ro\345\215\227");
}

/* Control characters of both kinds, and what turns the direction of writing. */
static void
test_controls(void **state)
{
    assert_text(tt_quote_escape("a\033[2Jb\177\t"), "a\\033[2Jb\\177\\011");
    assert_text(tt_quote_escape("\302\233"), "\\302\\233");
    assert_text(tt_quote_escape("\342\200\256"), "\\342\\200\\256");
}

static void
test_not_utf8(void **state)
{
    assert_text(tt_quote_escape("\233x"), "\\233x");
    assert_text(tt_quote_escape("x\303"), "x\\303");
    assert_text(tt_quote_escape("\355\240\200"), "\\355\\240\\200");
}

static void
test_words(void **state)
{
    assert_text(tt_quote_word("bond0.12:1@x-y_Z"), "bond0.12:1@x-y_Z");
    assert_text(tt_quote_word("a;b"), "'a;b'");
    assert_text(tt_quote_word("$(id)"), "'$(id)'");
    assert_text(tt_quote_word("it's"), "'it'\\''s'");
    assert_text(tt_quote_word(""), "''");
    assert_text(tt_quote_word("b\303\274ro"), "'b\303\274ro'");
}

static void
test_words_with_controls(void **state)
{
    assert_text(tt_quote_word("a\033b"), "$'a\\033b'");
    assert_text(tt_quote_word("'\\\001"), "$'\\'\\\\\\001'");
    assert_text(tt_quote_word("a\nb"), "$'a\\012b'");
    assert_text(tt_quote_word("\377\303\274"), "$'\\377\303\274'");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_not_utf8),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_with_controls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
