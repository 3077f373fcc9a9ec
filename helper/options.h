/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The global options, before the command, by nmcli's rules: one dash or two, any prefix (the
 * first of the table wins), --opt=value or --opt value, "--" ends them.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct {
    bool terse;
    bool help;
    bool version;
    const char *fields; /* as given; NULL: the command's own choice; borrowed */
} TtOptions;

/* Moves *args past the options. False: TT_USAGE_ERROR. */
bool tt_options_parse(char ***args, TtOptions *out_options, GError **error);

/* True if `arg` is that option, by the rules above: "-dry", "--dry-run". */
bool tt_option_is(const char *arg, const char *name);

/* For the usage text. (transfer full) */
char *tt_options_usage(void);
