/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands as data: names, usage, what they need. Usage texts and the choice by prefix come
 * from here; each command is in its own cmd-NAME.c.
 */
#pragma once

#include "exit.h"
#include "output.h"

typedef struct _JsonBuilder JsonBuilder;

typedef struct {
    const TtOptions *options;
    const char *command; /* "policy test", for messages */
    JsonBuilder *json;   /* the document of --json, its top object open; NULL: text is wanted */
    TtExit exit;         /* for a command that did its work and yet has something to say: 11 */
} TtContext;

/* What may stand on the command line behind a command, for completion. */
typedef enum {
    TT_WORD_ALONE, /* nothing follows it: --dry-run */
    TT_WORD_DEVICE,
    TT_WORD_SECTION,
    TT_WORD_FILE,
    TT_WORD_VALUE, /* something that nobody can guess */
} TtWordKind;

typedef struct {
    const char *name; /* "ifname"; "": the value itself is the first word */
    TtWordKind kind;  /* of what follows it */
    bool repeats;
} TtWord;

/* `args` is what stands after the command, ended by NULL. */
typedef bool (*TtCommandFunc)(TtContext *context, char **args, GError **error);

typedef struct TtCommand {
    const char *name;
    const char *arguments; /* "[--dry-run] [ifname IF]..." */
    const char *summary;   /* one line */
    TtCommandFunc run;
    const TtWord *words;              /* ends with a NULL name; NULL: none */
    bool needs_root;                  /* but not with --dry-run */
    const TtField *fields;            /* that -f chooses from; NULL: it prints no table */
    bool json;                        /* knows --json */
    const struct TtCommand *commands; /* of an object: ends with a NULL name; the first is the
                                         one for no word at all */
} TtCommand;

/* The top: its commands in the order in which prefixes are tried, which scripts rely on. */
extern const TtCommand tt_commands[];

/* By nmcli's rule: the first that begins so. NULL: none does. */
const TtCommand *tt_command_find(const TtCommand *commands, const char *word);

/* Runs what `args` names, with --json with its document around it, and prints usage where that is
 * asked for. */
bool tt_command_run(TtContext *context, char **args, GError **error);

/* The usage of the program itself, to standard error as nmcli does. */
void tt_command_print_help(void);

extern const TtField tt_check_fields[];
extern const TtField tt_doctor_fields[];
extern const TtField tt_sockets_fields[];
extern const TtField tt_status_fields[];

bool tt_cmd_apply(TtContext *context, char **args, GError **error);
bool tt_cmd_check(TtContext *context, char **args, GError **error);
bool tt_cmd_status(TtContext *context, char **args, GError **error);
bool tt_cmd_doctor(TtContext *context, char **args, GError **error);
bool tt_cmd_measure(TtContext *context, char **args, GError **error);
bool tt_cmd_sockets(TtContext *context, char **args, GError **error);
bool tt_cmd_revert(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_show(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_check(TtContext *context, char **args, GError **error);
bool tt_cmd_policy_test(TtContext *context, char **args, GError **error);
