/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a too small rto_min does to peers that delay their acknowledgements shows in these
 * counters: probes and duplicates grow with every message, timeouts do not.
 */
#pragma once

/* "TCP since boot: TCPLossProbes 12, ..."; NULL if the kernel tells none. (transfer full) */
char *tt_tcp_counters_text(void);

/* The same from the text of /proc/net/netstat. (transfer full) */
char *tt_tcp_counters_format(const char *netstat);
