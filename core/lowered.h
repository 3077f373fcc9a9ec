/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To what each route's rto_min was lowered since the boot. A connection keeps the RTO that it had
 * while the route was tuned (net/ipv4/tcp_input.c: tcp_rtt_estimator, facts of 6.18), and nothing
 * else tells it from one whose program asked for a short RTO itself. A file in the run directory.
 */
#pragma once

#include "plan.h"

/* Notes what the edits of a plan will do. Writes nothing where nothing is new. Error:
 * TT_ERROR_STATE, TT_ERROR_PERMISSION. */
bool tt_lowered_note(const char *run_dir, const TtPlan *plan, GError **error);

/* TtIdentity -> milliseconds (GUINT_TO_POINTER), the least ever; empty where there is no
 * file, or none that can be read. (transfer full) */
GHashTable *tt_lowered_load(const char *run_dir);
