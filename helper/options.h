/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The global options, before the command, by nmcli's rules: one dash or two, any prefix (the
 * first of the table wins), --opt=value or --opt value, "--" ends them.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum { TT_COLORS_AUTO, TT_COLORS_YES, TT_COLORS_NO } TtColors;

typedef struct {
    bool terse;
    bool pretty;
    bool multiline;
    bool plain_separators; /* --escape no: terse values are as they are */
    bool json;
    bool help;
    bool version;
    TtColors colors;
    bool use_colors; /* what becomes of `colors` here: tt_colors_decide() */
    bool wait_given;
    guint wait_s;       /* how long to wait for others; counts where wait_given */
    const char *fields; /* as given; NULL: the command's own choice; borrowed */
} TtOptions;

/* Moves *args past the options. False: TT_USAGE_ERROR. */
bool tt_options_parse(char ***args, TtOptions *out_options, GError **error);

/* True if `arg` is that option, by the rules above: "-dry", "--dry-run". */
bool tt_option_is(const char *arg, const char *name);

/* Does the option that `arg` stands for take a value that is the next word? */
bool tt_option_wants_word(const char *arg);

/* For the usage text. (transfer full) */
char *tt_options_usage(void);

/* For completion: "--fields" ... that begin with `word`, and what may stand behind an option; NULL:
 * anything. (transfer container), (transfer none) */
GPtrArray *tt_options_complete(const char *word);
const char *const *tt_option_choices(const char *arg);
