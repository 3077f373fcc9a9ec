/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "complete.h"

#include "candidates.h"
#include "command.h"

#include <stdio.h>
#include <string.h>

/* What was found, and the word that all of it has to begin with. */
typedef struct {
    const char *word;
    GPtrArray *found;
    bool file;
} Completion;

static void
offer(Completion *completion, const char *candidate)
{
    if (g_str_has_prefix(candidate, completion->word))
        g_ptr_array_add(completion->found, g_strdup(candidate));
}

static void
offer_all(Completion *completion, const char *const *candidates)
{
    for (; candidates && *candidates; candidates++)
        offer(completion, *candidates);
}

static void
offer_options(Completion *completion)
{
    g_autoptr(GPtrArray) names = tt_options_complete(completion->word);

    for (guint i = 0; i < names->len; i++)
        g_ptr_array_add(completion->found, g_strdup(names->pdata[i]));
}

static void
offer_commands(Completion *completion, const TtCommand *commands)
{
    for (; commands->name; commands++)
        offer(completion, commands->name);
    offer(completion, "help");
}

/* What may stand behind a key word. */
static void
offer_values(Completion *completion, TtWordKind kind)
{
    g_auto(GStrv) values = tt_candidates(kind);

    completion->file |= kind == TT_WORD_FILE;
    offer_all(completion, (const char *const *) values);
}

static bool
has(const GPtrArray *texts, const char *text)
{
    for (guint i = 0; i < texts->len; i++) {
        if (g_str_equal(texts->pdata[i], text))
            return true;
    }
    return false;
}

/* The command is not known yet: those of all. In a list, what comes before the last comma stays. */
static void
offer_fields(Completion *completion)
{
    const char *comma = strrchr(completion->word, ',');
    g_autofree char *before =
        g_strndup(completion->word, comma ? (gsize) (comma + 1 - completion->word) : 0);

    for (const TtCommand *command = tt_commands; command->name; command++) {
        for (const TtField *field = command->fields; field && field->name; field++) {
            g_autofree char *whole = g_strconcat(before, field->name, NULL);

            if (!g_ascii_strncasecmp(whole, completion->word, strlen(completion->word))
                && !has(completion->found, whole))
                g_ptr_array_add(completion->found, g_steal_pointer(&whole));
        }
    }
}

static const TtWord *
find_word(const TtWord *words, const char *name)
{
    for (; words && words->name; words++) {
        if (!strcmp(words->name, name))
            return words;
    }
    return NULL;
}

static bool
is_given(char **words, const char *name)
{
    for (; words[1]; words++) {
        if (!strcmp(words[0], name))
            return true;
    }
    return false;
}

/* `words` is what follows the command; the last one is being typed. */
static void
complete_arguments(Completion *completion, const TtCommand *command, char **words)
{
    guint n = g_strv_length(words);
    const TtWord *before = n > 1 ? find_word(command->words, words[n - 2]) : NULL;

    if (before && before->kind != TT_WORD_ALONE) {
        offer_values(completion, before->kind);
        return;
    }
    for (const TtWord *word = command->words; word && word->name; word++) {
        if (!word->name[0] && n == 1)
            offer_values(completion, word->kind);
        else if (word->name[0] && (word->repeats || !is_given(words, word->name)))
            offer(completion, word->name);
    }
    if (n == 1)
        offer(completion, "help");
}

static void
complete_command(Completion *completion, const TtCommand *commands, char **words)
{
    for (; words[1]; words++) {
        const TtCommand *command = tt_command_find(commands, words[0]);

        if (command && !command->commands)
            complete_arguments(completion, command, words + 1);
        if (!command || !command->commands)
            return;
        commands = command->commands;
    }
    offer_commands(completion, commands);
}

/* Moves past the options; false: the last word belongs to one, and was dealt with. */
static bool
complete_options(Completion *completion, char ***words)
{
    char **at = *words;

    for (; at[0][0] == '-' && at[1]; at++) {
        if (!strcmp(at[0], "--")) {
            at++;
            break;
        }
        if (!tt_option_wants_word(at[0]))
            continue;
        if (!at[2]) {
            offer_all(completion, tt_option_choices(at[0]));
            if (tt_option_is(at[0], "fields") || tt_option_is(at[0], "get-values"))
                offer_fields(completion);
            return false;
        }
        at++;
    }
    *words = at;
    if (at[1] || at[0][0] != '-')
        return true;
    offer_options(completion);
    return false;
}

GPtrArray *
tt_complete_words(char **words, gboolean *out_file)
{
    guint n = g_strv_length(words);
    Completion completion = {
        .word = n ? words[n - 1] : "",
        .found = g_ptr_array_new_with_free_func(g_free),
    };

    if (n > 0 && complete_options(&completion, &words))
        complete_command(&completion, tt_commands, words);
    *out_file = completion.file;
    return completion.found;
}

int
tt_complete(char **words)
{
    gboolean file;
    g_autoptr(GPtrArray) found = tt_complete_words(words, &file);

    for (guint i = 0; i < found->len; i++)
        puts(found->pdata[i]);
    return file ? TT_EXIT_COMPLETE_FILE : TT_EXIT_OK;
}
