/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy as one file that means the same. */
#include "policy-internal.h"

#include "match.h"

static void
append_key(GString *to, const TtOrigin *origin, const char *key, const char *value)
{
    g_string_append_printf(to, "# %s:%u\n%s=%s\n", origin->file, origin->line, key, value);
}

static void
append_header(GString *to, const char *name)
{
    g_string_append_printf(to, "%s[%s]\n", to->len ? "\n" : "", name);
}

static void
append_main(GString *to, const TtMain *values)
{
    bool has_header = false;

    for (TtMainKey key = 0; key < _TT_MAIN_N; key++) {
        g_autofree char *value = NULL;

        if (!values->origin[key].file)
            continue;
        if (!has_header)
            append_header(to, "main");
        has_header = true;
        value = tt_policy_format_main(values, key);
        append_key(to, &values->origin[key], tt_main_key_name(key), value);
    }
}

static void
append_host(GString *to, const TtHostWish *host)
{
    bool has_header = false;

    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        g_autofree char *value = NULL;

        if (host[key].kind == TT_WISH_UNSET)
            continue;
        if (!has_header)
            append_header(to, "host");
        has_header = true;
        value = tt_policy_format_host(key, &host[key]);
        append_key(to, &host[key].origin, tt_host_key_name(key), value);
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
append_lock(GString *to, const TtWish *lock)
{
    g_autoptr(GString) names = g_string_new(NULL);

    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (lock->value.number & TT_METRIC_BIT(tt_attr_info(attr)->rtax))
            g_string_append_printf(names, "%s%s", names->len ? "," : "", tt_attr_info(attr)->name);
    }
    append_key(to, &lock->origin, "lock", names->len ? names->str : "none");
}

static void
append_section(GString *to, const TtSection *section)
{
    append_header(to, section->name);
    for (TtMatchKey key = 0; key < _TT_KEY_N; key++) {
        const char *text = tt_match_keys_text(section->keys, key);

        if (text)
            append_key(to, &section->key_origin[key], tt_match_key_name(key), text);
    }
    if (section->stop_origin.file)
        append_key(to, &section->stop_origin, "stop-match", section->stop_match ? "yes" : "no");
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        g_autofree char *value = format_wish(attr, &section->wish[attr]);

        if (section->wish[attr].kind != TT_WISH_UNSET)
            append_key(to, &section->wish[attr].origin, tt_attr_info(attr)->name, value);
    }
    if (section->lock.kind != TT_WISH_UNSET)
        append_lock(to, &section->lock);
}

char *
tt_policy_format(const TtPolicy *policy)
{
    GString *to = g_string_new(NULL);

    append_main(to, &policy->main);
    for (guint i = 0; i < policy->sections->len; i++)
        append_section(to, g_ptr_array_index(policy->sections, i));
    append_host(to, policy->host);
    return g_string_free(to, FALSE);
}
