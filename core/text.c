/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <string.h>

bool
tt_text_bool(const char *text, bool *out_value)
{
    static const char *const yes[] = {"yes", "true", "on", "1", NULL};
    static const char *const no[] = {"no", "false", "off", "0", NULL};

    if (!g_strv_contains(yes, text) && !g_strv_contains(no, text))
        return false;
    *out_value = g_strv_contains(yes, text);
    return true;
}

bool
tt_text_number(const char *text, guint32 max, guint32 *out_value)
{
    guint64 value = 0;

    if (!text[0])
        return false;
    for (; *text; text++) {
        if (!g_ascii_isdigit(*text))
            return false;
        value = value * 10 + (guint64) (*text - '0');
        if (value > max)
            return false;
    }
    *out_value = (guint32) value;
    return true;
}

char **
tt_text_list(const char *text)
{
    g_auto(GStrv) items = g_strsplit_set(text, ",;", -1);
    guint n = g_strv_length(items);

    for (guint i = 0; i < n; i++)
        g_strstrip(items[i]);
    if (n > 1 && !items[n - 1][0])
        g_clear_pointer(&items[--n], g_free);
    for (guint i = 0; i < n; i++) {
        if (!items[i][0])
            return NULL;
    }
    return n ? g_steal_pointer(&items) : NULL;
}

/* g_utf8_next_char() would run over the end of a name that is not UTF-8; the kernel allows such. */
static const char *
next_char(const char *text)
{
    do
        text++;
    while ((*text & 0xc0) == 0x80);
    return text;
}

bool
tt_text_glob(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?') {
            pattern++;
            text = next_char(text);
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

#define WORD_MAX 32

/* Levenshtein's distance, without regard to case; both words are shorter than WORD_MAX. */
static guint
distance(const char *a, const char *b)
{
    guint row[WORD_MAX + 1];
    gsize n = strlen(b);

    for (gsize j = 0; j <= n; j++)
        row[j] = (guint) j;
    for (gsize i = 0; a[i]; i++) {
        guint diagonal = row[0];

        row[0] = (guint) i + 1;
        for (gsize j = 0; j < n; j++) {
            guint change = diagonal + (g_ascii_tolower(a[i]) != g_ascii_tolower(b[j]));

            diagonal = row[j + 1];
            row[j + 1] = MIN(change, MIN(row[j], row[j + 1]) + 1);
        }
    }
    return row[n];
}

const char *
tt_text_closest(const char *word, const char *const *names)
{
    const char *best = NULL;
    guint best_distance = 3;

    if (strlen(word) >= WORD_MAX)
        return NULL;
    for (; *names; names++) {
        guint d = strlen(*names) < WORD_MAX ? distance(word, *names) : G_MAXUINT;

        /* Half of the letters wrong is another word, not a slip. */
        if (d < best_distance && (gsize) d * 2 < strlen(*names)) {
            best = *names;
            best_distance = d;
        }
    }
    return best;
}

char *
tt_text_hint(const char *word, const char *const *names)
{
    const char *closest = tt_text_closest(word, names);

    return closest ? g_strdup_printf(" (did you mean %s?)", closest) : g_strdup("");
}

void
tt_text_append_number(GString *to, guint64 number)
{
    char digits[20];
    gsize at = sizeof digits;

    do
        digits[--at] = (char) ('0' + number % 10);
    while (number /= 10);
    g_string_append_len(to, digits + at, (gssize) (sizeof digits - at));
}

void
tt_text_append_hex(GString *to, const guint8 *bytes, gsize len)
{
    static const char digits[] = "0123456789abcdef";
    gsize at = to->len;

    g_string_set_size(to, at + 2 * len);
    for (gsize i = 0; i < len; i++) {
        to->str[at++] = digits[bytes[i] >> 4];
        to->str[at++] = digits[bytes[i] & 15];
    }
}

bool
tt_text_take(const char **at, const char *word)
{
    const char *p = *at;

    for (; *word; word++, p++) {
        if (*p != *word)
            return false;
    }
    *at = p;
    return true;
}

bool
tt_text_take_number(const char **at, guint64 max, guint64 *out_number)
{
    guint64 number = 0;

    if (!g_ascii_isdigit(**at))
        return false;
    for (; g_ascii_isdigit(**at); ++*at) {
        guint64 digit = (guint64) (**at - '0');

        if (number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out_number = number;
    return true;
}

/* -1: no digit. */
static int
hex_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool
tt_text_take_hex(const char **at, guint8 *out_bytes, gsize len)
{
    for (gsize i = 0; i < len; i++, *at += 2) {
        int high = hex_value((*at)[0]);
        int low = high < 0 ? -1 : hex_value((*at)[1]);

        if (low < 0)
            return false;
        out_bytes[i] = (guint8) (high << 4 | low);
    }
    return true;
}
