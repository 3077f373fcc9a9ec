/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only an ioctl or sysfs tells of a device: driver, permanent mac, wireless. */
#pragma once

#include "facts.h"

/* Completes every link of `facts`; what a device does not know stays as it is. */
void tt_ethtool_load_links(TtFacts *facts);
