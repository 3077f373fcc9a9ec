/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine: looks at the kernel, plans, writes, reads back, keeps the journal. Hook, monitor,
 * status, --dry-run and apply all go through here. The settings of [host] go with it.
 */
#pragma once

#include "host.h"
#include "plan.h"

#define TT_RUN_DIR "/run/tcptune-nm"

typedef struct {
    const char *run_dir;    /* NULL: TT_RUN_DIR */
    const TtPolicy *policy; /* NULL: undo everything */
    int ifindex;            /* only routes of this device; 0: all */
    bool orphans_only;      /* only take away what is orphaned or stale: where there is no policy */
    bool stand_back;        /* does nothing after an undo of everything, until another run came */
    guint lock_timeout_ms;  /* how long to wait for another run; 0: a second */
    bool tidy_only;         /* only forget routes that are gone; `policy` does not count */
    bool eager;             /* changes are expected: costs less then, and more if there are none */
    bool spare_twins;       /* plain copies of tuned routes stay for now: `plan->n_spared` */
    bool with_unmatched;    /* items also for routes in scope that nothing matches */
    TtRtnl *rtnl;           /* the socket to use; NULL: one of its own */
    GHashTable *avoid;      /* set of TtIdentity: left alone, TT_LEFT_FIGHT; NULL: none */
    const GPtrArray *native; /* TtNativeRoute: what profiles say without us; NULL: none */

    bool routes_only;             /* the settings of [host] are left alone */
    TtHostReportFunc report_host; /* NULL: nobody wants to know; called with the run's data */
} TtApplyOptions;

typedef enum {
    TT_OUTCOME_UNCHANGED,
    TT_OUTCOME_CHANGED,
    TT_OUTCOME_LEFT_TO_OTHER, /* another process holds the lock and was told to look again */
} TtOutcome;

/* What became of one edit. */
typedef struct {
    const TtEdit *edit;
    int error;        /* 0 or a negative errno */
    const char *text; /* the kernel's words, or what the read-back found; NULL: none */
} TtEditReport;

/* Called once per edit that was tried, failed ones included. */
typedef void (*TtApplyReportFunc)(const TtEditReport *report, gpointer data);

typedef struct {
    TtOutcome outcome;
    guint n_changed;  /* edits done */
    guint n_failed;   /* edits that the kernel refused, or that did not read back */
    guint n_left;     /* routes that the policy matches and that were left alone */
    TtPlan *plan;     /* what is true afterwards: no edits if all went well (owned) */
    TtPolicy *policy; /* that `plan` was made with, where it was read again meanwhile (owned) */

    TtHostResult host; /* the same of the settings of [host] */
} TtApplyResult;

void tt_apply_result_clear(TtApplyResult *result);

/* The mark in run_dir that an undo of everything leaves; who watches stands back then. */
#define TT_REVERTED_NAME "reverted"

/* Was everything undone, and nothing tuned since? Who watches stands back then. */
bool tt_apply_is_reverted(const char *run_dir);

/* Writes nothing, takes no lock, needs no root: the plan as it stands now. (transfer full) */
TtPlan *tt_apply_look(const TtApplyOptions *options, GError **error);

/* The same of the settings of [host], whatever the other options say. */
bool tt_apply_look_host(const TtApplyOptions *options, TtHostPlan *out_plan, GError **error);

/* Makes the kernel follow the policy. False: nothing could be done (no lock, no socket, a
 * damaged journal); refused edits are counted in the result, not errors. */
bool tt_apply_run(const TtApplyOptions *options,
                  TtApplyReportFunc report,
                  gpointer data,
                  TtApplyResult *out_result,
                  GError **error);
