/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "apply-offline.h"

#include "core/error.h"
#include "print.h"
#include "profile-keyfile.h"

#include <string.h>

/* More than any keyfile; a pipe that never ends is not read for ever. */
#define TEXT_MAX (16 * 1024 * 1024)

static char *
read_input(GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char buffer[4096];
    size_t n;

    while ((n = fread(buffer, 1, sizeof(buffer), stdin)) > 0 && text->len <= TEXT_MAX)
        g_string_append_len(text, buffer, (gssize) n);
    if (ferror(stdin) || text->len > TEXT_MAX || strlen(text->str) != text->len) {
        g_set_error_literal(error, TT_ERROR, TT_ERROR_STATE,
                            "standard input could not be read, or is no keyfile.");
        return NULL;
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

bool
tt_apply_offline(const TtPolicy *policy, GError **error)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *input = read_input(error);
    g_autofree char *output = NULL;

    if (input)
        output = tt_profile_keyfile_tune(policy, input, notes, error);
    for (guint i = 0; i < notes->len; i++)
        tt_print_line(stderr, "Warning: ", notes->pdata[i]);
    if (!output)
        return false;
    /* Raw: it is a file, not a terminal's. */
    if (fputs(output, stdout) == EOF || fflush(stdout) == EOF) {
        g_set_error_literal(error, TT_ERROR, TT_ERROR_STATE,
                            "standard output could not be written.");
        return false;
    }
    return true;
}
