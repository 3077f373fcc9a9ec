/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy as one file that means the same. */
#include "policy-internal.h"

#include "match.h"

typedef struct {
    TtPolicyFunc func;
    gpointer data;
    const char *section;
} Visit;

static void
tell(const Visit *visit, const TtOrigin *origin, const char *key, const char *value)
{
    visit->func(visit->section, key, value, origin, visit->data);
}

static void
begin(Visit *visit, const char *section, const TtOrigin *origin)
{
    visit->section = section;
    visit->func(section, NULL, NULL, origin, visit->data);
}

static void
visit_main(Visit *visit, const TtMain *values)
{
    visit->section = NULL;
    for (TtMainKey key = 0; key < _TT_MAIN_N; key++) {
        g_autofree char *value = NULL;

        if (!values->origin[key].file)
            continue;
        if (!visit->section)
            begin(visit, "main", NULL);
        value = tt_policy_format_main(values, key);
        tell(visit, &values->origin[key], tt_main_key_name(key), value);
    }
}

static void
visit_host(Visit *visit, const TtHostWish *host)
{
    visit->section = NULL;
    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        g_autofree char *value = NULL;

        if (host[key].kind == TT_WISH_UNSET)
            continue;
        if (!visit->section)
            begin(visit, "host", NULL);
        value = tt_policy_format_host(key, &host[key]);
        tell(visit, &host[key].origin, tt_host_key_name(key), value);
    }
}

static char *
format_wish(TtAttr attr, const TtWish *wish)
{
    switch (wish->kind) {
    case TT_WISH_NONE:
        return g_strdup("none");
    case TT_WISH_REMOVE:
        return g_strdup("no");
    case TT_WISH_SET:
    case TT_WISH_UNSET:
        break;
    }
    return tt_attr_value_format(attr, &wish->value);
}

static void
visit_lock(const Visit *visit, const TtWish *lock)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (lock->value.number & TT_METRIC_BIT(tt_attr_info(attr)->rtax))
            g_string_append_printf(names, "%s%s", names->len ? "," : "", tt_attr_info(attr)->name);
    }
    tell(visit, &lock->origin, "lock", names->len ? names->str : "none");
}

static void
visit_section(Visit *visit, const TtSection *section)
{
    begin(visit, section->name, &section->origin);
    for (TtMatchKey key = 0; key < _TT_KEY_N; key++) {
        const char *text = tt_match_keys_text(section->keys, key);

        if (text)
            tell(visit, &section->key_origin[key], tt_match_key_name(key), text);
    }
    if (section->stop_origin.file)
        tell(visit, &section->stop_origin, "stop-match", section->stop_match ? "yes" : "no");
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        g_autofree char *value = format_wish(attr, &section->wish[attr]);

        if (section->wish[attr].kind != TT_WISH_UNSET)
            tell(visit, &section->wish[attr].origin, tt_attr_info(attr)->name, value);
    }
    if (section->lock.kind != TT_WISH_UNSET)
        visit_lock(visit, &section->lock);
}

void
tt_policy_foreach(const TtPolicy *policy, TtPolicyFunc func, gpointer data)
{
    Visit visit = {func, data, NULL};

    visit_main(&visit, &policy->main);
    for (guint i = 0; i < policy->sections->len; i++)
        visit_section(&visit, g_ptr_array_index(policy->sections, i));
    visit_host(&visit, policy->host);
}

static void
append(const char *section,
       const char *key,
       const char *value,
       const TtOrigin *origin,
       gpointer data)
{
    GString *to = data;

    if (!key)
        g_string_append_printf(to, "%s[%s]\n", to->len ? "\n" : "", section);
    else
        g_string_append_printf(to, "# %s:%u\n%s=%s\n", origin->file, origin->line, key, value);
}

char *
tt_policy_format(const TtPolicy *policy)
{
    GString *to = g_string_new(NULL);

    tt_policy_foreach(policy, append, to);
    return g_string_free(to, FALSE);
}
