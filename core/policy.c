/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the files together, and checks what only the whole shows. */
#include "policy-internal.h"

#include "match.h"

#include <string.h>

/* A Linux peer delays its ACKs by 40 ms: below that, a peer that does not hurry them gets a
 * needless retransmission for each. */
#define DELAYED_ACK_MS 40

#define IPV6_MIN_MTU 1280 /* RFC 8200 */

static void
free_section(gpointer data)
{
    TtSection *section = data;

    g_free(section->name);
    tt_match_keys_free(section->keys);
    g_free(section);
}

TtPolicy *
tt_policy_new(void)
{
    TtPolicy *policy = g_new0(TtPolicy, 1);

    policy->sections = g_ptr_array_new_with_free_func(free_section);
    policy->files = g_ptr_array_new_with_free_func(g_free);
    policy->warnings = g_ptr_array_new_with_free_func(g_free);
    return policy;
}

void
tt_policy_free(TtPolicy *policy)
{
    if (!policy)
        return;
    for (TtHostKey key = 0; key < _TT_HOST_N; key++)
        g_free(policy->host[key].text);
    g_ptr_array_unref(policy->sections);
    g_ptr_array_unref(policy->files);
    g_ptr_array_unref(policy->warnings);
    g_free(policy);
}

/* Messages are one line each, whatever the file is called. */
static char *
printable_name(const char *name)
{
    char *printable = g_filename_display_name(name);

    for (char *p = printable; *p; p++) {
        if (g_ascii_iscntrl(*p))
            *p = '?';
    }
    return printable;
}

bool
tt_policy_add_text(TtPolicy *policy,
                   const char *name,
                   const char *text,
                   gsize len,
                   const char *root,
                   GError **error)
{
    char *file = printable_name(name);
    g_autoptr(GPtrArray) groups = NULL;

    g_ptr_array_add(policy->files, file);
    groups = tt_policy_lines_parse(file, text, len, error);
    for (guint i = 0; groups && i < groups->len; i++) {
        if (!tt_policy_add_group(policy, file, g_ptr_array_index(groups, i), root, error))
            return false;
    }
    return groups != NULL;
}

static guint
file_rank(const TtPolicy *policy, const char *file)
{
    guint rank = 0;

    while (g_ptr_array_index(policy->files, rank) != file)
        rank++;
    return rank;
}

/* From the highest file down, top to bottom in a file, plain [route] last. */
static int
compare_sections(gconstpointer a, gconstpointer b, gpointer data)
{
    const TtSection *section_a = *(const TtSection *const *) a;
    const TtSection *section_b = *(const TtSection *const *) b;
    bool is_plain_a = strcmp(section_a->name, "route") == 0;
    bool is_plain_b = strcmp(section_b->name, "route") == 0;
    guint rank_a = file_rank(data, section_a->origin.file);
    guint rank_b = file_rank(data, section_b->origin.file);

    if (is_plain_a != is_plain_b)
        return is_plain_a ? 1 : -1;
    if (rank_a != rank_b)
        return rank_a > rank_b ? -1 : 1;
    return section_a->origin.line < section_b->origin.line ? -1 : 1;
}

static bool
check_mtu(const TtSection *section, GError **error)
{
    const TtWish *mtu = &section->wish[TT_ATTR_MTU];
    TtPolicyReach reach;

    tt_match_keys_reach(section->keys, &reach);
    if (mtu->kind != TT_WISH_SET || mtu->value.number >= IPV6_MIN_MTU || !reach.family[1])
        return true;
    return tt_policy_error(error, &mtu->origin,
                           "[%s] mtu=%u: the section matches IPv6 routes too, which need %d; "
                           "allowed: less only with family=ipv4",
                           section->name, mtu->value.number, IPV6_MIN_MTU);
}

static void
warn_rto_min(TtPolicy *policy, const char *section, const TtOrigin *origin, guint32 ms)
{
    char *warning =
        g_strdup_printf("%s:%u: [%s] rto_min=%ums: below %dms is right only where the "
                        "peers are tuned too, or run quickack; any other delays its "
                        "ACKs by up to %dms, and each of those costs a needless "
                        "retransmission",
                        origin->file, origin->line, section, ms, DELAYED_ACK_MS, DELAYED_ACK_MS);

    g_ptr_array_add(policy->warnings, warning);
}

static bool
says_nothing(const TtSection *section)
{
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (section->wish[attr].kind != TT_WISH_UNSET)
            return false;
    }
    return section->lock.kind == TT_WISH_UNSET && !section->stop_match;
}

static void
warn_section(TtPolicy *policy, const TtSection *section)
{
    const TtWish *rto_min = &section->wish[TT_ATTR_RTO_MIN];

    if (rto_min->kind == TT_WISH_SET && rto_min->value.number < DELAYED_ACK_MS)
        warn_rto_min(policy, section->name, &rto_min->origin, rto_min->value.number);
    if (says_nothing(section))
        g_ptr_array_add(policy->warnings,
                        g_strdup_printf("%s:%u: [%s]: names no attribute, and does nothing",
                                        section->origin.file, section->origin.line, section->name));
}

bool
tt_policy_finish(TtPolicy *policy, GError **error)
{
    const TtHostWish *rto_min = &policy->host[TT_HOST_RTO_MIN];

    g_ptr_array_sort_with_data(policy->sections, compare_sections, policy);
    for (guint i = 0; i < policy->sections->len; i++) {
        const TtSection *section = g_ptr_array_index(policy->sections, i);

        if (!check_mtu(section, error))
            return false;
        warn_section(policy, section);
    }
    if (rto_min->kind == TT_WISH_SET && rto_min->number < DELAYED_ACK_MS * 1000)
        warn_rto_min(policy, "host", &rto_min->origin, rto_min->number / 1000);
    return true;
}

TtPolicy *
tt_policy_parse(const char *name, const char *text, gsize len, GError **error)
{
    g_autoptr(TtPolicy) policy = tt_policy_new();

    if (!tt_policy_add_text(policy, name, text, len, NULL, error)
        || !tt_policy_finish(policy, error))
        return NULL;
    return g_steal_pointer(&policy);
}

TtPolicyReach
tt_policy_reach(const TtPolicy *policy)
{
    TtPolicyReach all = {.only_defaults = true, .only_main = true};

    for (guint i = 0; i < policy->sections->len; i++) {
        const TtSection *section = g_ptr_array_index(policy->sections, i);
        TtPolicyReach one;

        tt_match_keys_reach(section->keys, &one);
        all.family[0] = all.family[0] || one.family[0];
        all.family[1] = all.family[1] || one.family[1];
        all.only_defaults = all.only_defaults && one.only_defaults;
        all.only_main = all.only_main && one.only_main;
        all.connected = all.connected || one.connected;
        all.link_details = all.link_details || one.link_details;
        all.connection = all.connection || one.connection;
    }
    return all;
}
