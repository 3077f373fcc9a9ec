/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_qdisc counts for devices that come up later: which of them keep what they have. */
#pragma once

#include "rtnl.h"

/* "eth0 (pfifo_fast), eth1 (fq_codel)", of at most eight devices; NULL: there are none. (transfer
 * full) */
char *tt_host_devices_keeping(TtRtnl *rtnl, const char *wanted);

/* The same of the given TtQdiscs. Pure but for the devices' names. */
char *tt_host_devices_format(const GArray *qdiscs, const char *wanted);
