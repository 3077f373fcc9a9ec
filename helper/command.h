/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands as data: names, usage, what they need. Usage texts and the choice by prefix come
 * from here; each command is in its own cmd-NAME.c.
 */
#pragma once

#include "exit.h"
#include "options.h"

typedef struct _JsonBuilder JsonBuilder;

typedef struct {
    const TtOptions *options;
    const char *command; /* "policy test", for messages */
    JsonBuilder *json;   /* the document of --json, its top object open; NULL: text is wanted */
    TtExit exit;         /* for a command that did its work and yet has something to say: 11 */
} TtContext;

/* `args` is what stands after the command, ended by NULL. */
typedef bool (*TtCommandFunc)(TtContext *context, char **args, GError **error);

typedef struct TtCommand {
    const char *name;
    const char *arguments; /* "[--dry-run] [ifname IF]..." */
    const char *summary;   /* one line */
    TtCommandFunc run;
    bool needs_root;                  /* but not with --dry-run */
    bool tabular;                     /* has fields: -f counts */
    bool json;                        /* knows --json */
    const struct TtCommand *commands; /* of an object: ends with a NULL name; the first is the
                                         one for no word at all */
} TtCommand;

/* The top: its commands in the order in which prefixes are tried, which scripts rely on. */
extern const TtCommand tt_commands[];

/* Runs what `args` names, with --json with its document around it, and prints usage where that is
 * asked for. */
bool tt_command_run(TtContext *context, char **args, GError **error);

/* The usage of the program itself, to standard error as nmcli does. */
void tt_command_print_help(void);

bool tt_cmd_apply(TtContext *context, char **args, GError **error);
bool tt_cmd_check(TtContext *context, char **args, GError **error);
bool tt_cmd_status(TtContext *context, char **args, GError **error);
bool tt_cmd_doctor(TtContext *context, char **args, GError **error);
bool tt_cmd_revert(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_show(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_check(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_test(TtContext *context, char **args, GError **error);
