/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a Reapply of NetworkManager interrupts. Pure. */
#pragma once

#include <NetworkManager.h>
#include <stdbool.h>

#define TT_INTERRUPT_IPV4 (1u << 0)
#define TT_INTERRUPT_IPV6 (1u << 1)
#define TT_INTERRUPT_FOREIGN (1u << 2) /* routes of others on the device */

typedef struct {
    guint number;    /* tt_nm_version_number() of the daemon */
    bool ipv6_tuned; /* the kernel has IPv6 routes on this device that were tuned behind
                        NetworkManager's back */
} TtReapplyFacts;

/*
 * `before` is the applied connection, `after` what it shall become. TT_INTERRUPT_* bits; 0: no
 * address goes, no lease is asked for anew, no route is missing in between.
 */
guint tt_reapply_interrupts(NMConnection *before, NMConnection *after, const TtReapplyFacts *facts);

/* "IPv6", "IPv4 and IPv6". (transfer full) */
char *tt_reapply_interrupt_text(guint interrupts);
