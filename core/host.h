/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of [host]: looks at the kernel, plans, writes, reads back, keeps the notes. For
 * core/apply, under its lock, and for who only wants to look.
 */
#pragma once

#include "host-plan.h"

typedef struct TtRtnl TtRtnl;

/* What became of one write, or of a knob that cannot be read. */
typedef struct {
    const TtHostItem *item; /* as it was before: `found`, `target` */
    int error;              /* 0 or a negative errno */
    const char *text;       /* what was read back instead; NULL: `target`, or not known */
    const char *keepers;    /* default_qdisc: "eth0 (pfifo_fast)", the devices that keep theirs */
} TtHostReport;

/* Called once for each of them, failed ones included. */
typedef void (*TtHostReportFunc)(const TtHostReport *report, gpointer data);

typedef struct {
    const char *root; /* before /proc and /sys; NULL: the real ones */
    const char *run_dir;
    const TtHostWish *wishes; /* one for each TtHostKey; NULL: undo everything */
    TtHostReportFunc report;  /* NULL: nobody wants to know */
    gpointer data;
    TtRtnl *rtnl; /* to find the devices that keep their qdisc; NULL: not told */
} TtHostOptions;

typedef struct {
    guint n_changed;
    guint n_failed;  /* the kernel refused it, or it did not read back */
    TtHostPlan plan; /* what is true afterwards */
} TtHostResult;

/* Does this policy, or what we did before, concern the host's settings at all? */
bool tt_host_is_concerned(const TtHostWish *wishes, const char *run_dir);

/* Writes nothing, needs no root: the plan as it stands now. False: damaged notes. */
bool tt_host_look(const TtHostOptions *options, TtHostPlan *out_plan, GError **error);

/* Makes the kernel follow the wishes, and adds to the counts of the result. False: nothing could be
 * done, the notes could not be read or written; refused writes are counted, not errors. */
bool tt_host_run(const TtHostOptions *options, TtHostResult *out_result, GError **error);
