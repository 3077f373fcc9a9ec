/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words of the policy's grammar that more than one key uses: booleans, numbers, lists, globs. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* For messages. */
#define TT_TEXT_BOOL "yes, no, true, false, on, off, 1, 0"

bool tt_text_bool(const char *text, bool *out_value);

/* Decimal digits and nothing else, at most max: no sign, no blank, no leading 0x. */
bool tt_text_number(const char *text, guint32 max, guint32 *out_value);

/*
 * Splits at `,` and `;`, takes blanks off the items; one separator may end the list. NULL: there
 * is nothing between two separators, or nothing at all. (transfer full)
 */
char **tt_text_list(const char *text);

/* `*` is any run of bytes, `?` one character; there are no ranges and no escapes. */
bool tt_text_glob(const char *pattern, const char *text);

/* What the writer of `word` may have meant: NULL if nothing in the NULL-terminated `names` is
 * near. Ignores case. (transfer none) */
const char *tt_text_closest(const char *word, const char *const *names);

/* " (did you mean NAME?)", or "". (transfer full) */
char *tt_text_hint(const char *word, const char *const *names);

/* Appends the number in decimal; much cheaper than a printf, of which there are many per route. */
void tt_text_append_number(GString *to, guint64 number);
/* Two digits for each byte. */
void tt_text_append_hex(GString *to, const guint8 *bytes, gsize len);

/* The reverse: each moves `*at` behind what it takes. False: there is something else; `*at` may
 * have moved over a part of a number, and what is returned may have changed. */
bool tt_text_take(const char **at, const char *word);
bool tt_text_take_number(const char **at, guint64 max, guint64 *out_number);
bool tt_text_take_hex(const char **at, guint8 *out_bytes, gsize len);
