/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --complete-args, as nmcli has it: the words of a command line, of which the last is being typed;
 * candidates go to standard output, one in a line.
 */
#pragma once

#include <glib.h>

/* TT_EXIT_COMPLETE_FILE where a file name is wanted, else TT_EXIT_OK. */
int tt_complete(char **words);

/* The candidates themselves; *out_file is set where a file name would do. (transfer full) */
GPtrArray *tt_complete_words(char **words, gboolean *out_file);
