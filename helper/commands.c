/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command.h"

static const TtWord apply_words[] = {
    {"--dry-run", TT_WORD_ALONE},
    {"--offline", TT_WORD_ALONE},
    {"--reapply", TT_WORD_ALONE},
    {"ifname", TT_WORD_DEVICE, .repeats = true},
    {"id", TT_WORD_VALUE, .repeats = true},
    {"uuid", TT_WORD_VALUE, .repeats = true},
    {NULL},
};
static const TtWord revert_words[] = {
    {"--dry-run", TT_WORD_ALONE},
    {"--close-stale", TT_WORD_ALONE},
    {NULL},
};
static const TtWord measure_words[] = {
    {"--listen", TT_WORD_ALONE},
    {"--bulk", TT_WORD_ALONE},
    {"--rounds", TT_WORD_VALUE},
    {"--count", TT_WORD_VALUE},
    {"--size", TT_WORD_VALUE},
    {"--svg", TT_WORD_FILE},
    {NULL},
};
static const TtWord sockets_words[] = {
    {"ifname", TT_WORD_DEVICE},
    {"peer", TT_WORD_VALUE},
    {"state", TT_WORD_VALUE, .repeats = true},
    {NULL},
};
static const TtWord status_words[] = {
    {"to", TT_WORD_VALUE},
    {"--prometheus", TT_WORD_FILE},
    {NULL},
};
static const TtWord file_words[] = {{"", TT_WORD_FILE}, {NULL}};
static const TtWord device_words[] = {{"", TT_WORD_DEVICE}, {NULL}};

static const TtCommand policy_commands[] = {
    {"show", NULL, "the merged policy, with file and line of each value", tt_cmd_policy_show,
     .json = true},
    {"check", "[FILE]", "is the policy, or that file alone, free of errors?", tt_cmd_policy_check,
     file_words, .json = true},
    {"test", "IF", "which section gives what to each route of a device, and why",
     tt_cmd_policy_test, device_words, .json = true},
    {NULL},
};

const TtCommand tt_commands[] = {
    {"apply", "[--dry-run] [--reapply] [ifname IF | id ID | uuid UUID]... | --offline",
     "make the kernel's routes and the profiles follow the policy", tt_cmd_apply, apply_words,
     .needs_root = true, .json = true},
    {"check", NULL, "is everything as the policy says? exit status 11 if not", tt_cmd_check,
     .fields = tt_check_fields, .json = true},
    {"status", "[to ADDRESS | --prometheus FILE]",
     "the routes that the policy touches, or the one to an address", tt_cmd_status, status_words,
     .fields = tt_status_fields, .json = true},
    /* Before revert: an abbreviation is the first that fits, and `r` must not undo everything. */
    {"restart", NULL, "the same as apply", tt_cmd_apply, apply_words, .needs_root = true,
     .json = true},
    {"revert", "[--dry-run] [--close-stale]", "undo everything; reads no policy", tt_cmd_revert,
     revert_words, .needs_root = true, .json = true},
    {"policy", "COMMAND", "show, check and explain the policy", .commands = policy_commands},
    {"sockets", "[ifname IF] [peer PREFIX] [state STATE]...",
     "live connections, and what each has of its route", tt_cmd_sockets, sockets_words,
     .fields = tt_sockets_fields},
    {"measure", "[--bulk] [--svg FILE] HOST:PORT [METRIC=VALUE]...",
     "before and after on real connections; --listen PORT is the other end", tt_cmd_measure,
     measure_words},
    {"doctor", NULL, "what keeps this host from being tuned, and what to do about it",
     tt_cmd_doctor, .fields = tt_doctor_fields, .json = true},
    {"start", NULL, "the same as apply", tt_cmd_apply, apply_words, .needs_root = true,
     .json = true},
    {"stop", NULL, "the same as revert", tt_cmd_revert, revert_words, .needs_root = true,
     .json = true},
    {NULL},
};
