/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An edit as the `ip` command that does the same. Pure. */
#pragma once

#include "core/plan.h"

/* "ip route change default via 192.0.2.1 ...", or "# ..." where ip-route(8) has no words for the
 * edit. One line, runnable. (transfer full) */
char *tt_ip_command(const TtEdit *edit);
