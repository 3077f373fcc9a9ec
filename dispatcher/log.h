/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines for the journal: standard error, with the priority prefix of sd-daemon(3). Each line is
 * one write, so that lines of two processes do not mix.
 */
#pragma once

typedef enum {
    TT_LOG_ERROR = 3,   /* LOG_ERR */
    TT_LOG_WARNING = 4, /* LOG_WARNING */
    TT_LOG_CHANGE = 5,  /* LOG_NOTICE */
} TtLogPriority;

/* Names come from outside: control characters are replaced. */
void tt_log(TtLogPriority priority, const char *text);

/* "<5>tcptune-nm: TEXT\n". (transfer full) */
char *tt_log_format(TtLogPriority priority, const char *text);
