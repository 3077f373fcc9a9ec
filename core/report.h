/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was done, in words: one line per change, the same in the hook's log and in the command's
 * output. Pure; whoever prints the line ends it.
 */
#pragma once

#include "apply.h"

/* "rto_min lock 8ms quickack 1", "none" if there are none. (transfer full) */
char *tt_report_metrics(const TtMetrics *metrics);

/*
 * True if the edit is only a means of another one that is told: the old copy that goes once the
 * tuned one is in, a copy on its way there, a neighbour that is put back in its place.
 */
bool tt_report_is_detail(const TtEdit *edit);

/* "default via 192.0.2.1 dev eth0 proto dhcp metric 100: rto_min lock 8ms (was: none)".
 * (transfer full) */
char *tt_report_edit(const TtEdit *edit);

/* The edit that failed, and why: the kernel's words where it had any. (transfer full) */
char *tt_report_failure(const TtEditReport *report);
