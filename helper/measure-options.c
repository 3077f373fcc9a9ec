/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-options.h"

#include "core/text.h"
#include "exit.h"
#include "options.h"

#include <string.h>

#define ROUNDS_OF_REQUESTS 10
#define ROUNDS_OF_TRANSFERS 20
#define REQUESTS 200
#define REQUEST_BYTES 200
#define TRANSFER_BYTES (4 * 1000 * 1000)

/* "200", "64k", "4M" */
static bool
parse_size(const char *text, guint64 *out_bytes)
{
    static const char units[] = "kMG";
    gsize len = strlen(text);
    const char *unit = len > 1 ? strchr(units, text[len - 1]) : NULL;
    g_autofree char *digits = g_strndup(text, unit ? len - 1 : len);
    guint32 number;

    if (!tt_text_number(digits, G_MAXUINT32, &number))
        return false;
    *out_bytes = number;
    for (int i = 0; unit && i <= unit - units; i++)
        *out_bytes *= 1000;
    return true;
}

static bool
take_number(const char *name, const char *text, guint32 max, guint *out, GError **error)
{
    guint32 number;

    if (!tt_text_number(text, max, &number) || number == 0)
        return tt_usage_error(error, "'%s' is no number of %s: 1 to %u.", text, name, max);
    *out = number;
    return true;
}

static bool
take_size(const char *text, guint64 *out, GError **error)
{
    if (!parse_size(text, out) || *out == 0 || *out > 1000 * 1000 * 1000)
        return tt_usage_error(error, "'%s' is no size: 1 to 1G bytes.", text);
    return true;
}

/* An option with a value. */
static bool
take_value(const char *option, const char *value, TtMeasureArgs *args, GError **error)
{
    if (tt_option_is(option, "rounds"))
        return take_number("rounds", value, 1000, &args->measure.n_rounds, error);
    if (tt_option_is(option, "count"))
        return take_number("requests", value, 100000, &args->measure.count, error);
    if (tt_option_is(option, "size"))
        return take_size(value, &args->measure.bytes, error);
    if (tt_option_is(option, "svg")) {
        args->svg = value;
        return true;
    }
    return tt_usage_error(error, "Option '%s' is unknown. Try passing --help instead.", option);
}

/* Moves *at to the last word of the option. */
static bool
take_option(char ***at, TtMeasureArgs *args, GError **error)
{
    if (tt_option_is(**at, "listen")) {
        args->listen = true;
        return true;
    }
    if (tt_option_is(**at, "bulk")) {
        args->measure.bulk = true;
        return true;
    }
    if (!(*at)[1])
        return tt_usage_error(error, "missing argument for '%s' option.", **at);
    ++*at;
    return take_value((*at)[-1], **at, args, error);
}

/* Options stand anywhere; the words that are metrics move up to `words`. */
static bool
take_args(char **at, char **words, TtMeasureArgs *args, GError **error)
{
    args->words = words;
    for (; *at; at++) {
        if ((*at)[0] == '-') {
            if (!take_option(&at, args, error))
                return false;
        } else if (!args->where) {
            args->where = *at;
        } else if (strchr(*at, '=')) {
            *words++ = *at;
        } else {
            return tt_usage_error(error,
                                  "argument '%s' not understood. Try passing --help instead.", *at);
        }
    }
    *words = NULL;
    return true;
}

static void
fill_defaults(TtMeasureOptions *options)
{
    if (options->n_rounds == 0)
        options->n_rounds = options->bulk ? ROUNDS_OF_TRANSFERS : ROUNDS_OF_REQUESTS;
    if (options->count == 0)
        options->count = options->bulk ? 1 : REQUESTS;
    if (options->bytes == 0)
        options->bytes = options->bulk ? TRANSFER_BYTES : REQUEST_BYTES;
}

bool
tt_measure_args_parse(char **args, TtMeasureArgs *out_args, GError **error)
{
    TtMeasureArgs parsed = {0};

    if (!take_args(args, args, &parsed, error))
        return false;
    if (!parsed.where)
        return tt_usage_error(error, parsed.listen ? "say on which port to listen."
                                                   : "say which peer: HOST:PORT.");
    if (parsed.listen && parsed.words[0])
        return tt_usage_error(error, "argument '%s' not understood: the peer changes no route.",
                              parsed.words[0]);
    fill_defaults(&parsed.measure);
    *out_args = parsed;
    return true;
}
