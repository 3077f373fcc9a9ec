/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of [host] in words, the same in the log and in the command's output. Pure; whoever
 * prints the line ends it. All (transfer full).
 */
#pragma once

#include "host-drift.h"
#include "host.h"

/* "[host] tcp_tw_reuse" */
char *tt_host_report_name(TtHostKey key);

/* "[host] tcp_tw_reuse: loopback (was: no)", "[host] tcp_tw_reuse: undone: no (was: loopback)", and
 * what the new value does not reach; a write that failed, with the reason. */
char *tt_host_report_write(const TtHostReport *report);

/* The write that this item calls for, as if it had been done. */
char *tt_host_report_plan(const TtHostItem *item);

/* What a person would type: "sysctl -w net.ipv4.tcp_tw_reuse=2". */
char *tt_host_report_command(const TtHostItem *item);

/* "ok", "differs", "not available here: ...", "refused: ...": a state and its reason. */
char *tt_host_report_state(const TtHostItem *item);

/* "drift to come: FILE:LINE sets net.ipv4.tcp_tw_reuse=1 at the next boot" */
char *tt_host_report_drift(TtHostKey key, const TtHostDrift *drift);
