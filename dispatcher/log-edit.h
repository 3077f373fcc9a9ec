/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line for each edit of a route, done or refused: a TtApplyReportFunc. */
#pragma once

#include "core/apply.h"

void tt_log_edit(const TtEditReport *report, gpointer data);
