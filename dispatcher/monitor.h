/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The monitor: keeps routes as the policy says for as long as it runs. */
#pragma once

/* Runs until SIGTERM or SIGINT. Returns the exit status: 1 if it could not start, EX_CONFIG (78) if
 * that is because of the policy: then starting it again is of no use. */
int tt_monitor_run(void);
