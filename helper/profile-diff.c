/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The change of a profile for people: what goes and what comes, property by property. */
#include "profile-internal.h"

#include <string.h>

/* (transfer full) */
typedef GPtrArray *(*ListFunc)(NMConnection *connection);

static GPtrArray *
list_side(NMConnection *connection, int family)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const char *name = tt_profile_family_name(family);
    TtProfileSide side;

    tt_profile_side_init(&side, connection, family);
    if (side.gateway)
        g_ptr_array_add(lines, g_strdup_printf("%s.gateway: %s", name, side.gateway));
    for (guint i = 0; i < side.routes->len; i++) {
        g_autofree char *route = tt_profile_route_text(side.routes->pdata[i]);

        g_ptr_array_add(lines, g_strdup_printf("%s.routes: %s", name, route));
    }
    tt_profile_side_clear(&side);
    return lines;
}

static GPtrArray *
list_ipv4(NMConnection *connection)
{
    return list_side(connection, AF_INET);
}

static GPtrArray *
list_ipv6(NMConnection *connection)
{
    return list_side(connection, AF_INET6);
}

static GPtrArray *
list_user(NMConnection *connection)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    NMSetting *setting = nm_connection_get_setting(connection, NM_TYPE_SETTING_USER);
    NMSettingUser *user = setting ? NM_SETTING_USER(setting) : NULL;
    const char *const *keys = user ? nm_setting_user_get_keys(user, NULL) : NULL;

    for (; keys && *keys; keys++)
        g_ptr_array_add(
            lines, g_strdup_printf("user.%s: %s", *keys, nm_setting_user_get_data(user, *keys)));
    return lines;
}

/* Row a, column b: how many lines the tails from there on have in common. (transfer full) */
static guint *
count_common(const GPtrArray *a, const GPtrArray *b)
{
    gsize columns = b->len + 1;
    guint *common = g_new0(guint, (a->len + 1) * columns);

    for (guint i = a->len; i-- > 0;) {
        for (guint k = b->len; k-- > 0;) {
            if (strcmp(a->pdata[i], b->pdata[k]) == 0)
                common[i * columns + k] = common[(i + 1) * columns + k + 1] + 1;
            else
                common[i * columns + k] =
                    MAX(common[(i + 1) * columns + k], common[i * columns + k + 1]);
        }
    }
    return common;
}

static void
append_diff(const GPtrArray *a, const GPtrArray *b, GString *to)
{
    g_autofree guint *common = count_common(a, b);
    gsize columns = b->len + 1;
    guint i = 0, k = 0;

    while (i < a->len || k < b->len) {
        if (i < a->len && k < b->len && strcmp(a->pdata[i], b->pdata[k]) == 0) {
            i++;
            k++;
        } else if (k == b->len
                   || (i < a->len
                       && common[(i + 1) * columns + k] >= common[i * columns + k + 1])) {
            g_string_append_printf(to, "-%s\n", (char *) a->pdata[i++]);
        } else {
            g_string_append_printf(to, "+%s\n", (char *) b->pdata[k++]);
        }
    }
}

/* What a plan may change, part by part, and nothing else. */
static const ListFunc parts[] = {list_ipv4, list_ipv6, list_user};

char *
tt_profile_diff(const TtProfilePlan *plan)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; plan->after && i < G_N_ELEMENTS(parts); i++) {
        g_autoptr(GPtrArray) before = parts[i](plan->before);
        g_autoptr(GPtrArray) after = parts[i](plan->after);

        append_diff(before, after, text);
    }
    return g_string_free(text, FALSE);
}
