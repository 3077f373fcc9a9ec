/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The change of a profile for people: what goes and what comes, property by property. */
#include "profile-internal.h"

#include <string.h>

static void
add_side(GPtrArray *lines, NMConnection *connection, int family)
{
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
}

static void
add_user(GPtrArray *lines, NMConnection *connection)
{
    NMSetting *setting = nm_connection_get_setting(connection, NM_TYPE_SETTING_USER);
    NMSettingUser *user = setting ? NM_SETTING_USER(setting) : NULL;
    const char *const *keys = user ? nm_setting_user_get_keys(user, NULL) : NULL;

    for (; keys && *keys; keys++)
        g_ptr_array_add(
            lines, g_strdup_printf("user.%s: %s", *keys, nm_setting_user_get_data(user, *keys)));
}

/* What a plan may change, and nothing else. */
static GPtrArray *
list_lines(NMConnection *connection)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);

    add_side(lines, connection, AF_INET);
    add_side(lines, connection, AF_INET6);
    add_user(lines, connection);
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

char *
tt_profile_diff(const TtProfilePlan *plan)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GPtrArray) a = list_lines(plan->before);
    g_autoptr(GPtrArray) b = plan->after ? list_lines(plan->after) : g_ptr_array_ref(a);
    g_autofree guint *common = plan->after ? count_common(a, b) : NULL;
    gsize columns = b->len + 1;
    guint i = 0, k = 0;

    while (common && (i < a->len || k < b->len)) {
        if (i < a->len && k < b->len && strcmp(a->pdata[i], b->pdata[k]) == 0) {
            i++;
            k++;
        } else if (k == b->len
                   || (i < a->len
                       && common[(i + 1) * columns + k] >= common[i * columns + k + 1])) {
            g_string_append_printf(text, "-%s\n", (char *) a->pdata[i++]);
        } else {
            g_string_append_printf(text, "+%s\n", (char *) b->pdata[k++]);
        }
    }
    return g_string_free(text, FALSE);
}
