/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A route of a profile as text: what tells it from others, and what nmcli takes. */
#include "profile-internal.h"

#include <stdlib.h>
#include <string.h>

static int
compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static void
append_place(NMIPRoute *route, GString *to)
{
    const char *next_hop = nm_ip_route_get_next_hop(route);

    g_string_append_printf(to, "%s/%u", nm_ip_route_get_dest(route), nm_ip_route_get_prefix(route));
    if (next_hop)
        g_string_append_printf(to, " %s", next_hop);
}

static void
append_metric(NMIPRoute *route, GString *to)
{
    if (nm_ip_route_get_metric(route) >= 0)
        g_string_append_printf(to, " %" G_GINT64_FORMAT, nm_ip_route_get_metric(route));
}

/* nmcli parses these back, escapes included (nm_utils_parse_variant_attributes). */
static void
append_attribute(NMIPRoute *route, const char *name, GString *to)
{
    g_autoptr(GHashTable) one = g_hash_table_new(g_str_hash, g_str_equal);
    g_autofree char *text = NULL;

    g_hash_table_insert(one, (gpointer) name, nm_ip_route_get_attribute(route, name));
    text = nm_utils_format_variant_attributes(one, ' ', '=');
    g_string_append_printf(to, " %s", text);
}

static void
append_attributes(NMIPRoute *route, bool with_ours, GString *to)
{
    g_auto(GStrv) names = nm_ip_route_get_attribute_names(route);
    TtProfileAttr attr;

    if (!names)
        return;
    qsort(names, g_strv_length(names), sizeof(*names), compare_names);
    for (char **name = names; *name; name++) {
        if (with_ours || !tt_profile_attr_from_name(*name, &attr))
            append_attribute(route, *name, to);
    }
}

char *
tt_profile_route_place(NMIPRoute *route)
{
    GString *text = g_string_new(NULL);

    append_place(route, text);
    return g_string_free(text, FALSE);
}

char *
tt_profile_route_key(NMIPRoute *route)
{
    GString *text = g_string_new(NULL);

    append_place(route, text);
    append_metric(route, text);
    append_attributes(route, false, text);
    return g_string_free(text, FALSE);
}

char *
tt_profile_route_text(NMIPRoute *route)
{
    GString *text = g_string_new(NULL);

    append_place(route, text);
    append_metric(route, text);
    append_attributes(route, true, text);
    return g_string_free(text, FALSE);
}

guint8
tt_profile_route_gateway(NMIPRoute *route, TtAddress *out_gateway)
{
    if (!nm_ip_route_get_next_hop_binary(route, out_gateway))
        return 0;
    return (guint8) nm_ip_route_get_family(route);
}

/* nm_ip_route_dup() came with 1.32. */
NMIPRoute *
tt_profile_route_copy(NMIPRoute *route)
{
    g_auto(GStrv) names = nm_ip_route_get_attribute_names(route);
    NMIPRoute *copy = nm_ip_route_new(
        nm_ip_route_get_family(route), nm_ip_route_get_dest(route), nm_ip_route_get_prefix(route),
        nm_ip_route_get_next_hop(route), nm_ip_route_get_metric(route), NULL);

    for (char **name = names; name && *name; name++)
        nm_ip_route_set_attribute(copy, *name, nm_ip_route_get_attribute(route, *name));
    return copy;
}

bool
tt_profile_route_equal(NMIPRoute *a, NMIPRoute *b)
{
    return a == b || nm_ip_route_equal_full(a, b, NM_IP_ROUTE_EQUAL_CMP_FLAGS_WITH_ATTRS);
}
