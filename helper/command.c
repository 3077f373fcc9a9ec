/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"

#include "core/error.h"
#include "core/text.h"
#include "json.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "tcptune-nm"

const TtCommand *
tt_command_find(const TtCommand *commands, const char *word)
{
    for (; word[0] && commands->name; commands++) {
        if (strncmp(word, commands->name, strlen(word)) == 0)
            return commands;
    }
    return NULL;
}

static bool
asks_for_help(const char *word)
{
    return tt_option_is(word, "help") || !strcmp(word, "help");
}

#define SUMMARY_COLUMN 45

/* What is too long for its column has the summary below it. */
static void
print_usage_lines(const char *object, const TtCommand *commands)
{
    for (; commands->name; commands++) {
        g_autofree char *left = g_strdup_printf("  %s%s%s%s%s", object, object[0] ? " " : "",
                                                commands->name, commands->arguments ? " " : "",
                                                commands->arguments ? commands->arguments : "");

        if (strlen(left) >= SUMMARY_COLUMN)
            fprintf(stderr, "%s\n%*s%s\n", left, SUMMARY_COLUMN, "", commands->summary);
        else
            fprintf(stderr, "%-*s%s\n", SUMMARY_COLUMN, left, commands->summary);
    }
}

void
tt_command_print_help(void)
{
    g_autofree char *options = tt_options_usage();

    fprintf(stderr, "Usage: " PROGRAM " [OPTIONS] COMMAND [ARGUMENTS]\n\n%s\nCOMMAND\n", options);
    print_usage_lines("", tt_commands);
    fprintf(
        stderr,
        "\nExit status: 0 done or as the policy says, 1 failed or broken policy, 2 wrong usage,\n"
        "10 no such device, file or route, 11 not as the policy says.\n"
        "The policy is /etc/tcptune-nm/tcptune-nm.conf and /etc/tcptune-nm/conf.d/*.conf.\n");
}

static void
print_command_help(const TtCommand *command, const char *path)
{
    if (command->commands) {
        fprintf(stderr, "Usage: " PROGRAM " %s COMMAND\n\n", path);
        print_usage_lines(path, command->commands);
        return;
    }
    fprintf(stderr, "Usage: " PROGRAM " %s%s%s\n\n%s\n", path, command->arguments ? " " : "",
            command->arguments ? command->arguments : "", command->summary);
}

/* They change nothing on this host. */
static bool
is_harmless(char **args)
{
    for (; *args; args++) {
        if (tt_option_is(*args, "dry-run") || tt_option_is(*args, "offline"))
            return true;
    }
    return false;
}

/* The document comes even where the command fails: it says so. */
static bool
run_with_json(const TtCommand *command, TtContext *context, char **args, GError **error)
{
    g_autoptr(JsonBuilder) builder = tt_json_new(context->command);
    g_autoptr(GError) failure = NULL;
    g_autofree char *text = NULL;
    gint64 start_us = g_get_monotonic_time();
    bool ok;

    context->json = builder;
    ok = command->run(context, args, &failure);
    text = tt_json_finish(builder, g_get_monotonic_time() - start_us,
                          ok ? context->exit : tt_exit_from_error(failure), failure);
    fputs(text, stdout);
    if (!ok)
        g_propagate_error(error, g_steal_pointer(&failure));
    return ok;
}

static bool
run_leaf(const TtCommand *command, TtContext *context, char **args, GError **error)
{
    if (command->needs_root && geteuid() != 0 && !is_harmless(args)) {
        g_set_error(error, TT_ERROR, TT_ERROR_PERMISSION, "'%s' must run as root.%s",
                    context->command, " With --dry-run anybody may see what it would do.");
        return false;
    }
    if (context->options->fields && !command->fields)
        return tt_usage_error(error, "'%s': has no fields to choose from.", context->command);
    if (!context->options->json)
        return command->run(context, args, error);
    if (!command->json)
        return tt_usage_error(error, "'%s': has no JSON output.", context->command);
    return run_with_json(command, context, args, error);
}

static bool
not_understood(const TtCommand *commands, const char *word, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *hint = NULL;

    for (const TtCommand *command = commands; command->name; command++)
        g_ptr_array_add(names, (gpointer) command->name);
    g_ptr_array_add(names, NULL);
    hint = tt_text_hint(word, (const char *const *) names->pdata);
    return tt_usage_error(error, "argument '%s' not understood%s. Try passing --help instead.",
                          word, hint);
}

static bool
run_words(char **words, TtContext *context, GError **error)
{
    g_autoptr(GString) path = g_string_new(NULL);
    const TtCommand *commands = tt_commands;
    const TtCommand *command;

    do {
        command = words[0] ? tt_command_find(commands, words[0]) : commands;
        if (!command)
            return not_understood(commands, words[0], error);
        g_string_append_printf(path, "%s%s", path->len ? " " : "", command->name);
        if (words[0])
            words++;
        if (words[0] && asks_for_help(words[0])) {
            print_command_help(command, path->str);
            return true;
        }
        commands = command->commands;
    } while (commands);
    context->command = path->str;
    return run_leaf(command, context, words, error);
}

bool
tt_command_run(TtContext *context, char **args, GError **error)
{
    static char *no_words[] = {"status", NULL};

    if (context->options->version) {
        puts(PROGRAM " tool, version " TT_VERSION);
        return true;
    }
    if (context->options->help || (args[0] && asks_for_help(args[0]))) {
        tt_command_print_help();
        return true;
    }
    return run_words(args[0] ? args : no_words, context, error);
}
