/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The monitor: keeps routes as the policy says for as long as it runs. */
#pragma once

/* Runs until SIGTERM or SIGINT. Returns the exit status: 1 if it could not start. */
int tt_monitor_run(void);
