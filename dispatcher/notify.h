/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol of sd_notify(3): a datagram to the socket in NOTIFY_SOCKET. */
#pragma once

#include <glib.h>

/* "READY=1", "RELOADING=1\nMONOTONIC_USEC=...", "WATCHDOG=1"; nothing where nobody asked. */
void tt_notify(const char *state);

/* Half of WATCHDOG_USEC, in milliseconds: how often to send WATCHDOG=1; 0: never. */
guint tt_notify_watchdog_ms(void);
