/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that end a program that has something to clean up. From tt_interrupt_catch() on they
 * only come while it waits here, so that none is missed and none comes between two steps.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* SIGINT, SIGTERM, SIGHUP, SIGQUIT. For the rest of the program's life. */
void tt_interrupt_catch(void);

/* The signal that came; 0: none. */
int tt_interrupt_came(void);

typedef enum { TT_WAIT_READY, TT_WAIT_TIMEOUT, TT_WAIT_INTERRUPTED } TtWait;

/* Waits until the descriptor (-1: none) is ready for `events` of poll(2), an error of it included,
 * or for so long. */
TtWait tt_interrupt_wait(int fd, short events, gint64 timeout_us);
