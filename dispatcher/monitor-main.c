/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The monitor's program: tcptune-nm-monitor(8). */
#include "core/process.h"
#include "log.h"
#include "monitor.h"

#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
    tt_process_prepare();
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("tcptune-nm-monitor " TT_VERSION);
        return 0;
    }
    if (argc != 1) {
        tt_log(TT_LOG_ERROR, "usage: tcptune-nm-monitor [--version]");
        return 2;
    }
    return tt_monitor_run();
}
