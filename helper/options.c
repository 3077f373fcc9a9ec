/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include "exit.h"

#include <stddef.h>
#include <string.h>

typedef struct Option Option;

struct Option {
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *help;
    size_t offset;              /* of a flag or of a text */
    const char *const *choices; /* the argument is one of these, or the beginning of one */
    bool (*set)(const Option *option, const char *arg, const char *value, TtOptions *, GError **);
};

static bool
set_text(const Option *option,
         const char *arg,
         const char *value,
         TtOptions *options,
         GError **error)
{
    *(const char **) (void *) ((char *) options + option->offset) = value;
    return true;
}

/* Which of the choices it is; -1 with an error: none. */
static int
find_choice(const Option *option, const char *arg, const char *value, GError **error)
{
    for (int i = 0; value[0] && option->choices[i]; i++) {
        if (g_str_has_prefix(option->choices[i], value))
            return i;
    }
    tt_usage_error(error, "'%s' is not a valid argument for '%.*s' option.", value,
                   (int) strcspn(arg, "="), arg);
    return -1;
}

static bool
set_colors(const Option *option,
           const char *arg,
           const char *value,
           TtOptions *options,
           GError **error)
{
    int choice = find_choice(option, arg, value, error);

    options->colors = (TtColors) choice;
    return choice >= 0;
}

static bool
set_escape(const Option *option,
           const char *arg,
           const char *value,
           TtOptions *options,
           GError **error)
{
    int choice = find_choice(option, arg, value, error);

    options->plain_separators = choice == 1;
    return choice >= 0;
}

static bool
set_mode(const Option *option,
         const char *arg,
         const char *value,
         TtOptions *options,
         GError **error)
{
    int choice = find_choice(option, arg, value, error);

    options->multiline = choice == 1;
    return choice >= 0;
}

static bool
set_wait(const Option *option,
         const char *arg,
         const char *value,
         TtOptions *options,
         GError **error)
{
    char *end;
    guint64 seconds = g_ascii_strtoull(value, &end, 10);

    if (!g_ascii_isdigit(value[0]) || *end || seconds > G_MAXINT / 1000)
        return tt_usage_error(error, "'%s' is not a valid timeout.", value);
    options->wait_s = (guint) seconds;
    options->wait_given = true;
    return true;
}

static bool
set_flag(const Option *option,
         const char *arg,
         const char *value,
         TtOptions *options,
         GError **error)
{
    bool *flag = (void *) ((char *) options + option->offset);

    if (*flag)
        return tt_usage_error(error, "Option '--%s' is specified the second time.", option->name);
    *flag = true;
    return true;
}

/* nmcli: the same as -m tabular -t -f. */
static bool
set_values(const Option *option,
           const char *arg,
           const char *value,
           TtOptions *options,
           GError **error)
{
    options->terse = true;
    options->fields = value;
    return true;
}

static const char *const color_choices[] = {"auto", "yes", "no", NULL};
static const char *const escape_choices[] = {"yes", "no", NULL};
static const char *const mode_choices[] = {"tabular", "multiline", NULL};
static const char *const field_choices[] = {"all", "common", NULL};

static const Option known_options[] = {
    {"colors", "auto|yes|no", "whether to use colors in output", 0, color_choices, set_colors},
    {"escape", "yes|no", "escape columns separators in values", 0, escape_choices, set_escape},
    {"fields", "<field,...>|all|common", "specify fields to output", offsetof(TtOptions, fields),
     field_choices, set_text},
    {"get-values", "<field,...>|all|common", "shortcut for -m tabular -t -f", 0, field_choices,
     set_values},
    {"help", NULL, "print this help", offsetof(TtOptions, help), NULL, set_flag},
    {"json", NULL, "output for programs, see JSON in tcptune-nm(1)", offsetof(TtOptions, json),
     NULL, set_flag},
    {"mode", "tabular|multiline", "output mode", 0, mode_choices, set_mode},
    {"pretty", NULL, "pretty output", offsetof(TtOptions, pretty), NULL, set_flag},
    {"terse", NULL, "terse output", offsetof(TtOptions, terse), NULL, set_flag},
    {"version", NULL, "show program version", offsetof(TtOptions, version), NULL, set_flag},
    {"wait", "<seconds>", "how long to wait for another run of tcptune-nm, and for NetworkManager",
     0, NULL, set_wait},
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

/* *at is the option, and afterwards the last word that belongs to it. */
static bool
take_option(char ***at, TtOptions *options, GError **error)
{
    const char *arg = **at;
    const Option *option = find_option(arg);
    const char *equals = strchr(arg, '=');
    const char *value = equals ? equals + 1 : NULL;

    if (!option)
        return tt_usage_error(error, "Option '%s' is unknown, try 'tcptune-nm -help'.", arg);
    if (!option->argument && equals)
        return tt_usage_error(error, "Option '%s' takes no argument.", arg);
    if (option->argument && !equals) {
        if (!(*at)[1])
            return tt_usage_error(error, "missing argument for '%s' option.", arg);
        value = *++*at;
    }
    return option->set(option, arg, value, options, error);
}

static bool
exclude(bool one, const char *name, bool other, const char *other_name, GError **error)
{
    if (one && other)
        return tt_usage_error(error, "Option '--%s' is mutually exclusive with '--%s'.", name,
                              other_name);
    return true;
}

static bool
check_together(const TtOptions *options, GError **error)
{
    return exclude(options->pretty, "pretty", options->terse, "terse", error)
           && exclude(options->json, "json", options->terse, "terse", error)
           && exclude(options->json, "json", options->pretty, "pretty", error)
           && exclude(options->json, "json", options->fields, "fields", error)
           && exclude(options->json, "json", options->multiline, "mode", error);
}

bool
tt_options_parse(char ***args, TtOptions *out_options, GError **error)
{
    TtOptions options = {0};
    char **at = *args;

    for (; *at && (*at)[0] == '-'; at++) {
        if (!strcmp(*at, "--")) {
            at++;
            break;
        }
        if (!take_option(&at, &options, error))
            return false;
    }
    if (!check_together(&options, error))
        return false;
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

bool
tt_option_wants_word(const char *arg)
{
    const Option *option = arg[0] == '-' ? find_option(arg) : NULL;

    return option && option->argument && !strchr(arg, '=');
}

const char *const *
tt_option_choices(const char *arg)
{
    const Option *option = arg[0] == '-' ? find_option(arg) : NULL;

    return option ? option->choices : NULL;
}

GPtrArray *
tt_options_complete(const char *word)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *beginning = word[0] == '-' ? without_dashes(word) : word;

    for (guint i = 0; i < G_N_ELEMENTS(known_options); i++) {
        if (g_str_has_prefix(known_options[i].name, beginning))
            g_ptr_array_add(names, g_strdup_printf("--%s", known_options[i].name));
    }
    return names;
}
