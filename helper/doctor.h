/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps a host from being tuned, found by looking at the host: each finding with what to do.
 * Nothing here changes anything.
 */
#pragma once

#include "core/plan.h"

typedef enum {
    TT_VERDICT_OK,
    TT_VERDICT_NOTE,    /* worth knowing; the host is tuned all the same */
    TT_VERDICT_PROBLEM, /* keeps something from being tuned */
    _TT_VERDICT_N,
} TtVerdict;

const char *tt_verdict_name(TtVerdict verdict); /* "ok", "note", "problem" */

typedef struct {
    const char *check; /* "hook" */
    TtVerdict verdict;
    char *text;
    char *remedy; /* a command, or what to do; NULL: nothing is to be done */
} TtFinding;

typedef struct {
    const char *root;       /* put before the paths of the host; "": the real ones */
    const char *run_dir;    /* our own, as it is */
    const TtPolicy *policy; /* NULL: there is none, or it has an error */
    const TtPlan *plan;     /* of that policy, with unmatched routes; NULL: none could be made */
    GPtrArray *findings;    /* TtFinding */
} TtDoctor;

void tt_doctor_init(TtDoctor *doctor, const char *root, const char *run_dir);
void tt_doctor_clear(TtDoctor *doctor);

/* `remedy` NULL: none. */
void tt_doctor_add(TtDoctor *doctor,
                   const char *check,
                   TtVerdict verdict,
                   const char *remedy,
                   const char *format,
                   ...) G_GNUC_PRINTF(5, 6);

/* A path of the host below the root. (transfer full) */
char *tt_doctor_path(const TtDoctor *doctor, const char *path);

/* The checks, each in its own doctor-NAME.c. */
void tt_doctor_policy(TtDoctor *doctor, const GError *policy_error);
void tt_doctor_daemon(TtDoctor *doctor);
void tt_doctor_hook(TtDoctor *doctor);
void tt_doctor_monitor(TtDoctor *doctor);
void tt_doctor_kernel(TtDoctor *doctor);
