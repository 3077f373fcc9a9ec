/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nm-settings.h"

#include <stdbool.h>

typedef GHashTable Values; /* name -> GVariant */

static Values *
values_new(GVariant *dict)
{
    Values *values =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
    GVariantIter iter;
    char *name;
    GVariant *value;

    if (!dict)
        return values;
    g_variant_iter_init(&iter, dict);
    while (g_variant_iter_next(&iter, "{sv}", &name, &value))
        g_hash_table_insert(values, name, value);
    return values;
}

static bool
same_value(GVariant *a, GVariant *b)
{
    return a == b || (a && b && g_variant_equal(a, b));
}

/* Keys of `after` that are other than in `before` come in, those that it has not go. */
static void
edit_values(Values *values, Values *before, Values *after)
{
    GHashTableIter iter;
    gpointer name, value;

    g_hash_table_iter_init(&iter, before);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        if (!g_hash_table_contains(after, name))
            g_hash_table_remove(values, name);
    }
    g_hash_table_iter_init(&iter, after);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        if (!same_value(value, g_hash_table_lookup(before, name)))
            g_hash_table_replace(values, g_strdup(name), g_variant_ref(value));
    }
}

static GVariant *
values_pack(Values *values)
{
    GVariantBuilder packed;
    GHashTableIter iter;
    gpointer name, value;

    g_variant_builder_init(&packed, NM_VARIANT_TYPE_SETTING);
    g_hash_table_iter_init(&iter, values);
    while (g_hash_table_iter_next(&iter, &name, &value))
        g_variant_builder_add(&packed, "{sv}", name, value);
    return g_variant_builder_end(&packed);
}

/* What a daemon tells twice, as it did before 1.0 as well. It looks into the old form for what the
 * new one lacks, and finds the gateway that was taken out. */
static void
drop_old_forms(Values *values)
{
    static const char *const forms[][2] = {{"addresses", "address-data"}, {"routes", "route-data"}};

    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        if (g_hash_table_contains(values, forms[i][1]))
            g_hash_table_remove(values, forms[i][0]);
    }
}

static GVariant *
edit_setting(GVariant *setting, GVariant *before, GVariant *after)
{
    g_autoptr(GHashTable) values = values_new(setting);
    g_autoptr(GHashTable) old = values_new(before);
    g_autoptr(GHashTable) new = values_new(after);

    edit_values(values, old, new);
    drop_old_forms(values);
    return values_pack(values);
}

static GVariant *
lookup(GVariant *settings, const char *name)
{
    return g_variant_lookup_value(settings, name, NM_VARIANT_TYPE_SETTING);
}

/* A setting that both have: untouched, edited, or gone. */
static void
add_setting(GVariantBuilder *merged,
            const char *name,
            GVariant *value,
            GVariant *old,
            GVariant *new)
{
    g_autoptr(GVariant) before = lookup(old, name);
    g_autoptr(GVariant) after = lookup(new, name);

    if (before && !after)
        return;
    if (same_value(before, after))
        g_variant_builder_add(merged, "{s@a{sv}}", name, value);
    else
        g_variant_builder_add(merged, "{s@a{sv}}", name, edit_setting(value, before, after));
}

GVariant *
tt_nm_settings_merge(GVariant *settings, NMConnection *before, NMConnection *after)
{
    g_autoptr(GVariant) old =
        g_variant_ref_sink(nm_connection_to_dbus(before, NM_CONNECTION_SERIALIZE_ALL));
    g_autoptr(GVariant) new =
        g_variant_ref_sink(nm_connection_to_dbus(after, NM_CONNECTION_SERIALIZE_ALL));
    GVariantBuilder merged;
    GVariantIter iter;
    char *name;
    GVariant *value;

    g_variant_builder_init(&merged, NM_VARIANT_TYPE_CONNECTION);
    g_variant_iter_init(&iter, settings);
    while (g_variant_iter_loop(&iter, "{s@a{sv}}", &name, &value))
        add_setting(&merged, name, value, old, new);
    g_variant_iter_init(&iter, new);
    while (g_variant_iter_loop(&iter, "{s@a{sv}}", &name, &value)) {
        g_autoptr(GVariant) there = lookup(settings, name);

        if (!there)
            g_variant_builder_add(&merged, "{s@a{sv}}", name, value);
    }
    return g_variant_ref_sink(g_variant_builder_end(&merged));
}
