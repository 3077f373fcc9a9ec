/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The IP settings of one family of a profile, read, edited aside and written back. */
#include "profile-internal.h"

#include <string.h>

static void
unref_route(gpointer route)
{
    nm_ip_route_unref(route);
}

const char *
tt_profile_family_name(int family)
{
    return family == AF_INET6 ? "ipv6" : "ipv4";
}

static NMSettingIPConfig *
find_setting(NMConnection *connection, int family)
{
    return family == AF_INET6 ? nm_connection_get_setting_ip6_config(connection)
                              : nm_connection_get_setting_ip4_config(connection);
}

void
tt_profile_side_init(TtProfileSide *side, NMConnection *connection, int family)
{
    NMSettingIPConfig *setting = find_setting(connection, family);
    guint n_routes = setting ? nm_setting_ip_config_get_num_routes(setting) : 0;

    *side =
        (TtProfileSide){.family = family, .routes = g_ptr_array_new_with_free_func(unref_route)};
    if (!setting)
        return;
    side->setting = g_object_ref(setting);
    side->gateway = g_strdup(nm_setting_ip_config_get_gateway(setting));
    for (guint i = 0; i < n_routes; i++) {
        NMIPRoute *route = nm_setting_ip_config_get_route(setting, (int) i);

        nm_ip_route_ref(route);
        g_ptr_array_add(side->routes, route);
    }
}

void
tt_profile_side_clear(TtProfileSide *side)
{
    g_clear_object(&side->setting);
    g_clear_pointer(&side->gateway, g_free);
    g_clear_pointer(&side->routes, g_ptr_array_unref);
}

NMIPRoute *
tt_profile_side_edit(TtProfileSide *side, guint i)
{
    NMIPRoute *copy = tt_profile_route_copy(side->routes->pdata[i]);

    nm_ip_route_unref(side->routes->pdata[i]);
    side->routes->pdata[i] = copy;
    return copy;
}

bool
tt_profile_side_differs(const TtProfileSide *side)
{
    if (!side->setting)
        return false;
    if (g_strcmp0(side->gateway, nm_setting_ip_config_get_gateway(side->setting)) != 0
        || side->routes->len != nm_setting_ip_config_get_num_routes(side->setting))
        return true;
    for (guint i = 0; i < side->routes->len; i++) {
        if (!tt_profile_route_equal(side->routes->pdata[i],
                                    nm_setting_ip_config_get_route(side->setting, (int) i)))
            return true;
    }
    return false;
}

void
tt_profile_side_write(const TtProfileSide *side, NMConnection *connection)
{
    NMSettingIPConfig *setting = find_setting(connection, side->family);

    /* As properties: nm_setting_ip_config_add_route() leaves out copies, of which a profile may
     * have some. */
    g_object_set(setting, NM_SETTING_IP_CONFIG_GATEWAY, side->gateway, NM_SETTING_IP_CONFIG_ROUTES,
                 side->routes, NULL);
}

guint32
tt_profile_side_table(const TtProfileSide *side, NMIPRoute *route)
{
    GVariant *own = nm_ip_route_get_attribute(route, NM_IP_ROUTE_ATTRIBUTE_TABLE);
    guint32 table = 0;

    if (own && g_variant_is_of_type(own, G_VARIANT_TYPE_UINT32))
        table = g_variant_get_uint32(own);
    if (table == 0)
        table = nm_setting_ip_config_get_route_table(side->setting);
    return table ? table : RT_TABLE_MAIN;
}

gint64
tt_profile_side_metric(const TtProfileSide *side, NMIPRoute *route)
{
    gint64 metric = nm_ip_route_get_metric(route);

    return metric >= 0 ? metric : nm_setting_ip_config_get_route_metric(side->setting);
}

NMIPRoute *
tt_profile_side_gateway_route(const TtProfileSide *side, const char *gateway)
{
    return nm_ip_route_new(side->family, side->family == AF_INET6 ? "::" : "0.0.0.0", 0, gateway,
                           -1, NULL);
}

bool
tt_profile_side_is_manual(const TtProfileSide *side)
{
    return side->setting
           && g_strcmp0(nm_setting_ip_config_get_method(side->setting),
                        NM_SETTING_IP4_CONFIG_METHOD_MANUAL)
                  == 0;
}
