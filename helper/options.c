/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include "exit.h"

#include <stddef.h>
#include <string.h>

typedef struct {
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *help;
    size_t offset;
} Option;

static const Option known_options[] = {
    {"fields", "<field,...>|all|common", "specify fields to output", offsetof(TtOptions, fields)},
    {"help", NULL, "print this help", offsetof(TtOptions, help)},
    {"terse", NULL, "terse output", offsetof(TtOptions, terse)},
    {"version", NULL, "show program version", offsetof(TtOptions, version)},
};

static const char *
without_dashes(const char *arg)
{
    return arg[1] == '-' ? arg + 2 : arg + 1;
}

static bool
is_prefix(const char *word, size_t len, const char *name)
{
    return len > 0 && strncmp(word, name, len) == 0;
}

bool
tt_option_is(const char *arg, const char *name)
{
    const char *word = arg[0] == '-' ? without_dashes(arg) : "";

    return is_prefix(word, strlen(word), name);
}

static const Option *
find_option(const char *arg)
{
    const char *word = without_dashes(arg);
    size_t len = strcspn(word, "=");

    for (guint i = 0; i < G_N_ELEMENTS(known_options); i++) {
        if (is_prefix(word, len, known_options[i].name))
            return &known_options[i];
    }
    return NULL;
}

static bool
set_flag(const Option *option, const char *arg, TtOptions *options, GError **error)
{
    bool *flag = (void *) ((char *) options + option->offset);

    if (strchr(arg, '='))
        return tt_usage_error(error, "Option '%s' takes no argument.", arg);
    if (*flag)
        return tt_usage_error(error, "Option '--%s' is specified the second time.", option->name);
    *flag = true;
    return true;
}

static bool
set_value(const Option *option, char ***args, TtOptions *options, GError **error)
{
    const char **value = (void *) ((char *) options + option->offset);
    const char *arg = **args;
    const char *equals = strchr(arg, '=');

    if (!equals && !(*args)[1])
        return tt_usage_error(error, "missing argument for '%s' option.", arg);
    *value = equals ? equals + 1 : *++*args;
    return true;
}

bool
tt_options_parse(char ***args, TtOptions *out_options, GError **error)
{
    TtOptions options = {0};
    char **at = *args;

    for (; *at && (*at)[0] == '-'; at++) {
        const Option *option;

        if (!strcmp(*at, "--")) {
            at++;
            break;
        }
        option = find_option(*at);
        if (!option)
            return tt_usage_error(error, "Option '%s' is unknown, try 'tcptune-nm -help'.", *at);
        if (option->argument ? !set_value(option, &at, &options, error)
                             : !set_flag(option, *at, &options, error))
            return false;
    }
    *args = at;
    *out_options = options;
    return true;
}

char *
tt_options_usage(void)
{
    GString *text = g_string_new("OPTIONS\n");

    for (guint i = 0; i < G_N_ELEMENTS(known_options); i++) {
        const Option *option = &known_options[i];
        g_autofree char *names =
            g_strdup_printf("-%c, --%s%s%s", option->name[0], option->name,
                            option->argument ? " " : "", option->argument ? option->argument : "");

        g_string_append_printf(text, "  %-38s %s\n", names, option->help);
    }
    return g_string_free(text, FALSE);
}
