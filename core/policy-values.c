/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the keys of a [route] section mean, and which file says what of which section. */
#include "policy-internal.h"

#include "error.h"
#include "match.h"
#include "text.h"

#include <string.h>

#define SECTION_ALLOWED "[main], [host], [route], [route-NAME] with letters, digits, . _ - in NAME"
#define LOCK_ALLOWED "mtu, congctl, none"

static const struct {
    const char *name;
    const char *reason;
} refused[] = {
    {"ssthresh",
     "refused: it acts through the tcp_metrics cache only, and not even there by default"},
    {"cwnd",
     "refused: it acts through the tcp_metrics cache only, which keeps it when the route loses it"},
    {"rtt",
     "refused: it acts through the tcp_metrics cache only, which keeps it when the route loses it"},
    {"rttvar",
     "refused: it acts through the tcp_metrics cache only, which keeps it when the route loses it"},
    {"reordering",
     "refused: it acts through the tcp_metrics cache only, which keeps it when the route loses it"},
};

bool
tt_policy_key_fail(const TtPolicyKey *key, GError **error, const char *format, ...)
{
    g_autofree char *shown_key = tt_policy_shorten(key->key);
    g_autofree char *shown = tt_policy_shorten(key->value);
    g_autofree char *reason = NULL;
    const char *comment = "";
    va_list args;

    va_start(args, format);
    reason = g_strdup_vprintf(format, args);
    va_end(args);
    if (strstr(key->value, " #") || strstr(key->value, " ;"))
        comment = "; a comment needs a line of its own";
    return tt_policy_error(error, &key->origin, "[%s] %s=%s: %s%s", key->section, shown_key, shown,
                           reason, comment);
}

bool
tt_policy_key_unknown(const TtPolicyKey *key, GPtrArray *names, GError **error)
{
    g_autofree char *hint = tt_text_hint(key->key, (const char *const *) names->pdata);
    g_autofree char *allowed = g_strjoinv(", ", (char **) names->pdata);

    return tt_policy_key_fail(key, error, "no key of this section%s; allowed: %s", hint, allowed);
}

static bool
set_attr(TtSection *section, TtAttr attr, const TtPolicyKey *key, GError **error)
{
    TtWish wish = {.kind = TT_WISH_NONE, .origin = key->origin};
    g_autoptr(GError) local = NULL;
    bool is_remove = false;

    if (strcmp(key->value, "none") != 0) {
        if (!tt_attr_value_parse(attr, key->value, &wish.value, &is_remove, &local))
            return tt_policy_key_fail(key, error, "%s, none", local->message);
        wish.kind = is_remove ? TT_WISH_REMOVE : TT_WISH_SET;
    }
    section->wish[attr] = wish;
    return true;
}

static bool
set_lock(TtSection *section, const TtPolicyKey *key, GError **error)
{
    g_auto(GStrv) items = tt_text_list(key->value);
    TtWish wish = {.kind = TT_WISH_NONE, .origin = key->origin};
    TtAttr attr;

    if (!items)
        return tt_policy_key_fail(key, error, "%s; allowed: %s",
                                  key->value[0] ? "an item of the list is empty" : "no value",
                                  LOCK_ALLOWED);
    for (guint i = 0; strcmp(key->value, "none") != 0 && items[i]; i++) {
        if (strcmp(items[i], "rto_min") == 0)
            return tt_policy_key_fail(
                key, error,
                "rto_min is locked always, else the kernel would ignore it; allowed: %s",
                LOCK_ALLOWED);
        if (!tt_attr_from_name(items[i], &attr) || !tt_attr_info(attr)->may_lock)
            return tt_policy_key_fail(key, error, "'%s' cannot be locked; allowed: %s", items[i],
                                      LOCK_ALLOWED);
        wish.kind = TT_WISH_SET;
        wish.value.number |= TT_METRIC_BIT(tt_attr_info(attr)->rtax);
    }
    section->lock = wish;
    return true;
}

static bool
set_stop(TtSection *section, const TtPolicyKey *key, GError **error)
{
    if (!tt_text_bool(key->value, &section->stop_match))
        return tt_policy_key_fail(key, error, "not a boolean; allowed: %s", TT_TEXT_BOOL);
    section->stop_origin = key->origin;
    return true;
}

static bool
set_match(TtSection *section, TtMatchKey match_key, const TtPolicyKey *key, GError **error)
{
    g_autoptr(GError) local = NULL;

    if (!tt_match_keys_set(section->keys, match_key, key->value, key->root, &local))
        return tt_policy_key_fail(key, error, "%s", local->message);
    section->key_origin[match_key] = key->origin;
    return true;
}

static bool
is_plain(const TtSection *section)
{
    return strcmp(section->name, "route") == 0;
}

static bool
fail_unknown_route_key(const TtSection *section, const TtPolicyKey *key, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        if (strcmp(key->key, refused[i].name) == 0)
            return tt_policy_key_fail(key, error, "%s", refused[i].reason);
    }
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++)
        g_ptr_array_add(names, (gpointer) tt_attr_info(attr)->name);
    g_ptr_array_add(names, (gpointer) "lock");
    if (!is_plain(section)) {
        for (TtMatchKey i = 0; i < _TT_KEY_N; i++)
            g_ptr_array_add(names, (gpointer) tt_match_key_name(i));
        g_ptr_array_add(names, (gpointer) "stop-match");
    }
    g_ptr_array_add(names, NULL);
    return tt_policy_key_unknown(key, names, error);
}

static bool
add_route_key(TtSection *section, const TtPolicyKey *key, GError **error)
{
    bool is_stop = strcmp(key->key, "stop-match") == 0;
    TtMatchKey match_key;
    TtAttr attr;

    if (tt_attr_from_name(key->key, &attr))
        return set_attr(section, attr, key, error);
    if (strcmp(key->key, "lock") == 0)
        return set_lock(section, key, error);
    if (!is_stop && !tt_match_key_from_name(key->key, &match_key))
        return fail_unknown_route_key(section, key, error);
    if (is_plain(section))
        return tt_policy_key_fail(
            key, error, "[route] is the fallback and takes no match keys; use a [route-NAME]");
    return is_stop ? set_stop(section, key, error) : set_match(section, match_key, key, error);
}

static TtSection *
get_section(TtPolicy *policy, const char *name)
{
    TtSection *section;

    for (guint i = 0; i < policy->sections->len; i++) {
        section = g_ptr_array_index(policy->sections, i);
        if (strcmp(section->name, name) == 0)
            return section;
    }
    section = g_new0(TtSection, 1);
    section->name = g_strdup(name);
    section->keys = tt_match_keys_new();
    g_ptr_array_add(policy->sections, section);
    return section;
}

static bool
fail_section(const TtOrigin *at, const char *name, const char *reason, GError **error)
{
    static const char *const names[] = {"main", "host", "route", NULL};
    const char *closest = tt_text_closest(name, names);
    g_autofree char *shown = tt_policy_shorten(name);
    g_autofree char *hint =
        closest ? g_strdup_printf(" (did you mean [%s]?)", closest) : g_strdup("");

    return tt_policy_error(error, at, "[%s]: %s%s; allowed: %s", shown, reason, hint,
                           SECTION_ALLOWED);
}

/* *out_section is NULL for [main] and [host]. */
static bool
find_section(TtPolicy *policy,
             const TtOrigin *at,
             const char *name,
             TtSection **out_section,
             GError **error)
{
    *out_section = NULL;
    if (strcmp(name, "main") == 0 || strcmp(name, "host") == 0)
        return true;
    if (strcmp(name, "route") != 0) {
        if (!g_str_has_prefix(name, "route-"))
            return fail_section(at, name, "no section of a policy", error);
        if (!name[6])
            return fail_section(at, name, "the name behind route- is missing", error);
        if (name[6 + strspn(name + 6, G_CSET_a_2_z G_CSET_A_2_Z "0123456789._-")])
            return fail_section(at, name, "a character that no name may have", error);
    }
    *out_section = get_section(policy, name);
    (*out_section)->origin = *at;
    return true;
}

bool
tt_policy_add_group(TtPolicy *policy,
                    const char *file,
                    const TtPolicyGroup *group,
                    const char *root,
                    GError **error)
{
    TtOrigin at = {.file = file, .line = group->line};
    TtSection *section;

    if (!find_section(policy, &at, group->name, &section, error))
        return false;
    for (guint i = 0; i < group->entries->len; i++) {
        const TtPolicyEntry *entry = g_ptr_array_index(group->entries, i);
        TtPolicyKey key = {
            .section = group->name,
            .key = entry->key,
            .value = entry->value,
            .origin = {.file = file, .line = entry->line},
            .root = root,
        };
        bool ok;

        if (section)
            ok = add_route_key(section, &key, error);
        else if (strcmp(group->name, "main") == 0)
            ok = tt_policy_add_main(&policy->main, &key, error);
        else
            ok = tt_policy_add_host(policy->host, &key, error);
        if (!ok)
            return false;
    }
    return true;
}
