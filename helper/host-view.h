/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings of [host] for status, check and apply: the plan, and what will undo it one day. */
#pragma once

#include "core/host-drift.h"
#include "core/host.h"
#include "output.h"

typedef struct {
    TtHostPlan plan;
    TtHostDrift drift[_TT_HOST_N]; /* for each item of the plan, in its order */
    char *keepers;                 /* default_qdisc: devices that keep theirs; NULL: none */
} TtHostView;

/* Looks at the kernel and at sysctl.d. `policy` outlives the view. Clear it in any case. */
bool tt_host_view_load(TtHostView *view, const TtPolicy *policy, GError **error);
void tt_host_view_clear(TtHostView *view);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TtHostView, tt_host_view_clear)

/* Whatever a sysctl.d file will undo, of these knobs. The other fields are not needed. */
void tt_host_view_find_drift(TtHostView *view);

/* Of item `i`, as cells of a table. All (transfer full). */
char *tt_host_view_wanted(const TtHostView *view, guint i);
char *tt_host_view_kernel(const TtHostView *view, guint i);
char *tt_host_view_section(const TtHostView *view, guint i);
char *tt_host_view_state(const TtHostView *view, guint i); /* with what is to come */
TtTone tt_host_view_tone(const TtHostView *view, guint i);

/* Is this setting not as the policy says, or will it not be at the next boot? */
bool tt_host_view_is_difference(const TtHostView *view, guint i);
