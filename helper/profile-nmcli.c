/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The change of a profile as nmcli would make it. */
#include "profile-internal.h"
#include "quote.h"

static void
append_property(GString *to, int family, const char *name, const char *value)
{
    g_autofree char *word = tt_quote_word(value);

    g_string_append_printf(to, " %s.%s %s", tt_profile_family_name(family), name, word);
}

static char *
list_routes(const TtProfileSide *side)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < side->routes->len; i++) {
        g_autofree char *route = tt_profile_route_text(side->routes->pdata[i]);

        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", route);
    }
    return g_string_free(text, FALSE);
}

/* The whole list of routes, since +ipv4.routes only adds behind the others. */
static void
append_side(GString *to, const TtProfilePlan *plan, int family)
{
    TtProfileSide before, after;
    g_autofree char *routes_before = NULL;
    g_autofree char *routes = NULL;

    tt_profile_side_init(&before, plan->before, family);
    tt_profile_side_init(&after, plan->after, family);
    routes_before = list_routes(&before);
    routes = list_routes(&after);
    if (g_strcmp0(before.gateway, after.gateway) != 0)
        append_property(to, family, "gateway", after.gateway ? after.gateway : "");
    if (g_strcmp0(routes_before, routes) != 0)
        append_property(to, family, "routes", routes);
    tt_profile_side_clear(&before);
    tt_profile_side_clear(&after);
}

GPtrArray *
tt_profile_nmcli(const TtProfilePlan *plan)
{
    GPtrArray *commands = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) properties = g_string_new(NULL);

    if (!plan->after)
        return commands;
    append_side(properties, plan, AF_INET);
    append_side(properties, plan, AF_INET6);
    if (properties->len > 0)
        g_ptr_array_add(commands,
                        g_strdup_printf("nmcli connection modify uuid %s%s",
                                        nm_connection_get_uuid(plan->before), properties->str));
    return commands;
}
