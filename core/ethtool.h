/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only an ioctl, sysfs or sysctl tells of a device: driver, permanent mac, wireless,
 * accept_ra. */
#pragma once

#include "facts.h"

/* Fills accept_ra of every link. */
void tt_ethtool_load_accept_ra(TtFacts *facts);

/* Makes links of the given indices (GHashTable used as a set) that have a name and nothing else.
 * A device that is gone is left out. */
bool tt_ethtool_name_links(GHashTable *ifindexes, TtFacts *facts, GError **error);

/* Completes every link of `facts`; what a device does not know stays as it is. */
void tt_ethtool_load_links(TtFacts *facts);
