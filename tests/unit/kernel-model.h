/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of the kernel's IPv4 table, written from fib_trie.c and not from our own code: what a
 * plan's edits do to the routes of a key, and what look-ups find after each.
 */
#pragma once

#include "core/plan.h"

/* `table`: TtRoute, in order, owned. Returns 0 or a negative errno as the kernel would. */
int kernel_model_edit(GPtrArray *table, const TtEdit *edit);

/*
 * What a look-up finds, as text: the first route of each metric, unbound and by each device, and
 * the order of all routes, copies of one counted once. I1 says that it never changes.
 */
char *kernel_model_forwarding(const GPtrArray *table);
