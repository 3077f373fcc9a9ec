/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"

static const TtCommand policy_commands[] = {
    {"show", NULL, "the merged policy, with file and line of each value", tt_cmd_policy_show,
     .json = true},
    {"check", "[FILE]", "is the policy, or that file alone, free of errors?", tt_cmd_policy_check,
     .json = true},
    {"test", "IF", "which section gives what to each route of a device, and why",
     tt_cmd_policy_test, .json = true},
    {NULL},
};

const TtCommand tt_commands[] = {
    {"apply", "[--dry-run] [ifname IF]...", "make the kernel's routes follow the policy",
     tt_cmd_apply, .needs_root = true, .json = true},
    {"check", NULL, "is everything as the policy says? exit status 11 if not", tt_cmd_check,
     .tabular = true, .json = true},
    {"status", "[to ADDRESS]", "the routes that the policy touches, or the one to an address",
     tt_cmd_status, .tabular = true, .json = true},
    /* Before revert: an abbreviation is the first that fits, and `r` must not undo everything. */
    {"restart", NULL, "the same as apply", tt_cmd_apply, .needs_root = true, .json = true},
    {"revert", "[--dry-run]", "undo everything; reads no policy", tt_cmd_revert, .needs_root = true,
     .json = true},
    {"policy", "COMMAND", "show, check and explain the policy", .commands = policy_commands},
    {"doctor", NULL, "what keeps this host from being tuned, and what to do about it",
     tt_cmd_doctor, .tabular = true, .json = true},
    {"start", NULL, "the same as apply", tt_cmd_apply, .needs_root = true, .json = true},
    {"stop", NULL, "the same as revert", tt_cmd_revert, .needs_root = true, .json = true},
    {NULL},
};
