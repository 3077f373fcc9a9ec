/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What NetworkManager calls a dispatcher script with, turned into what there is to do. Pure: it
 * looks at nothing but its arguments, and believes them no further than as a hint where to look.
 */
#pragma once

#include <stdbool.h>

typedef enum {
    TT_ACTION_NOTHING,
    TT_ACTION_LOOK, /* compare routes and policy */
    TT_ACTION_TIDY, /* routes went: only forget them */
    TT_ACTION_DNS,  /* tells that the daemon is 1.46 or later; a look only if that is news */
    _TT_ACTION_N,
} TtAction;

const char *tt_action_name(TtAction action); /* "look", for tests */

/*
 * How long to go on looking. NetworkManager announces reapply and connectivity-change before it
 * changes the routes (nm-device.c: reapply dispatches, the commit is an idle source), and one
 * before 1.40 may put a route back that was appended anew. pre-up holds the activation up: up
 * follows.
 */
typedef enum {
    TT_PATIENCE_NONE,
    TT_PATIENCE_IF_CHANGED, /* if this run changed something */
    TT_PATIENCE_ALWAYS,
    _TT_PATIENCE_N,
} TtPatience;

const char *tt_patience_name(TtPatience patience); /* "if-changed", for tests */

/* Strings are borrowed from the arguments. */
typedef struct {
    TtAction action;
    TtPatience patience;
    const char *ifname; /* NULL: all devices */
    const char *uuid;   /* the profile active on `ifname`, with its name; both or neither */
    const char *id;
    const char *filename; /* of that profile; NULL: not told */
    bool activated;       /* what the profile says is in force since just now */
    bool stands_back;     /* it does not end a revert: a revert reapplies devices itself */
} TtEvent;

/* argv: PROGRAM IFNAME ACTION; envp: as for main(), NULL for none. */
void tt_event_parse(int argc, char *const argv[], char *const envp[], TtEvent *out_event);
