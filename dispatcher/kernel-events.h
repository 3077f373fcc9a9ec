/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's notifications of routes, links and addresses, as hints where to look. A socket
 * filter drops in the kernel what the policy cannot concern, and what we wrote ourselves.
 */
#pragma once

#include "core/policy.h"
#include "hints.h"

typedef struct TtKernelEvents TtKernelEvents;

/* `own_port`: tt_rtnl_port() of the socket that edits. (transfer full) */
TtKernelEvents *tt_kernel_events_new(const TtPolicyReach *reach, guint32 own_port, GError **error);
void tt_kernel_events_free(TtKernelEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtKernelEvents, tt_kernel_events_free)

int tt_kernel_events_fd(const TtKernelEvents *events);

/* Takes all that is there. Lost notifications (ENOBUFS) are a hint to look at everything. */
void tt_kernel_events_read(TtKernelEvents *events, TtHints *hints);
