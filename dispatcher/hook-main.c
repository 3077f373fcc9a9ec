/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dispatcher script of NetworkManager: one event, then it ends. */
#include "core/process.h"
#include "hook.h"

#include <unistd.h>

int
main(int argc, char **argv)
{
    TtEvent event;

    tt_process_prepare();
    tt_event_parse(argc, argv, environ, &event);
    return tt_hook_run(&event);
}
