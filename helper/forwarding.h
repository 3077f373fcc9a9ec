/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where packets go by way of some devices: their routes, and those of other devices that share a
 * key with one of them, in their order. Metrics and lifetimes do not count, nor does a second
 * copy of a route behind the first.
 */
#pragma once

#include "core/rtnl.h"

typedef struct TtForwarding TtForwarding;

/* Looks at the kernel. `ifindexes` is a set (GHashTable, GINT_TO_POINTER). (transfer full) */
TtForwarding *tt_forwarding_load(TtRtnl *rtnl, GHashTable *ifindexes, GError **error);
void tt_forwarding_free(TtForwarding *forwarding);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtForwarding, tt_forwarding_free)

/* For tests. Takes (transfer none) routes in the kernel's order. (transfer full) */
TtForwarding *tt_forwarding_new(const GPtrArray *routes, GHashTable *ifindexes);

/*
 * NULL: the same for this device and these families (bit 0: IPv4, bit 1: IPv6). Otherwise what is
 * missing and what is new, in lines that begin with "-" and "+". (transfer full)
 */
char *tt_forwarding_diff(const TtForwarding *before,
                         const TtForwarding *after,
                         int ifindex,
                         guint families);
