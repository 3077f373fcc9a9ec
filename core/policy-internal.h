/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of core/policy share, and nobody else sees. */
#pragma once

#include "policy.h"

#define TT_POLICY_FILE_MAX 1048576
#define TT_POLICY_LINE_MAX 4096

/* One `key=value` line. */
typedef struct {
    guint line;
    char *key;
    char *value;
} TtPolicyEntry;

/* One section of one file. */
typedef struct {
    guint line;
    char *name;
    GPtrArray *entries; /* TtPolicyEntry */
} TtPolicyGroup;

/*
 * Splits a file into its sections and keys (TtPolicyGroup, in the order of the file); knows their
 * form, not their meaning. (transfer full)
 */
GPtrArray *tt_policy_lines_parse(const char *file, const char *text, gsize len, GError **error);

/* Sets TT_ERROR_POLICY "FILE:LINE: ...", returns false. */
bool tt_policy_error(GError **error, const TtOrigin *origin, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* A value of any length, short enough for a message. (transfer full) */
char *tt_policy_shorten(const char *value);

/* A key with all that its error message needs. */
typedef struct {
    const char *section;
    const char *key;
    const char *value;
    TtOrigin origin;
    const char *root; /* as for tt_policy_load() */
} TtPolicyKey;

/* Sets TT_ERROR_POLICY "FILE:LINE: [section] key=value: ...", returns false. */
bool tt_policy_key_fail(const TtPolicyKey *key, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* The same for a key that is none of `names`, whose last element is NULL. */
bool tt_policy_key_unknown(const TtPolicyKey *key, GPtrArray *names, GError **error);

bool tt_policy_add_main(TtMain *values, const TtPolicyKey *key, GError **error);
bool tt_policy_add_host(TtHostWish *host, const TtPolicyKey *key, GError **error);

/* Understands the keys of one section and puts them over what the policy has already. `file` is
 * one of policy->files; `root` as for tt_policy_load(). */
bool tt_policy_add_group(TtPolicy *policy,
                         const char *file,
                         const TtPolicyGroup *group,
                         const char *root,
                         GError **error);

/* How a key of [main] and [host] is written. (transfer full) */
char *tt_policy_format_main(const TtMain *values, TtMainKey key);
char *tt_policy_format_host(TtHostKey key, const TtHostWish *wish);
const char *tt_main_key_name(TtMainKey key);

/* Policies are made in three steps: new, any number of files from the lowest priority up, and
 * the checks that need to see all of them. */
TtPolicy *tt_policy_new(void);
bool tt_policy_add_text(TtPolicy *policy,
                        const char *name,
                        const char *text,
                        gsize len,
                        const char *root,
                        GError **error);
bool tt_policy_finish(TtPolicy *policy, GError **error);
