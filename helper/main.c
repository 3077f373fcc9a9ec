/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tcptune-nm, what a person runs: options, command, and the one place where errors are told. */
#include "colors.h"
#include "command.h"
#include "complete.h"
#include "core/process.h"
#include "print.h"

#include <errno.h>
#include <string.h>

/* A full disk must not look like success; a reader who has gone has seen enough. */
static bool
flush_output(GError **error)
{
    if (fflush(stdout) == 0 || errno == EPIPE)
        return true;
    g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "cannot write the output: %s",
                g_strerror(errno));
    return false;
}

/* Thousands of lines are one write then, also to a terminal. */
static void
buffer_output(void)
{
    static char buffer[1 << 16];

    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
}

int
main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    TtOptions options = {0};
    TtContext context = {.options = &options, .exit = TT_EXIT_OK};
    char **args = argc > 0 ? argv + 1 : argv;

    tt_process_prepare();
    if (args[0] && !strcmp(args[0], "--complete-args"))
        return tt_complete(args + 1);
    buffer_output();
    if (tt_options_parse(&args, &options, &error)) {
        options.use_colors = tt_colors_decide(options.colors);
        if (tt_command_run(&context, args, &error) && flush_output(&error))
            return context.exit;
    }
    tt_print_line(stderr, "Error: ", error ? error->message : "internal error");
    return tt_exit_from_error(error);
}
