/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What we did to a profile, in its own user setting:
 *
 *   tcptune-nm.stamp=1
 *   tcptune-nm.ipv4-gateway=192.0.2.1
 *   tcptune-nm.ipv4-routes=0.0.0.0/0 192.0.2.1, added, rto_min=8, quickack=true;
 *     10.0.0.0/8 192.0.2.9 50, mtu=1400 was 9000, quickack=none was true
 *
 * (one line). An attribute without `was` was absent. Values are at most 8 KiB (NetworkManager's
 * nm_setting_user_check_val(), 1.8 and later): a long list goes on in tcptune-nm.ipv4-routes.2.
 */
#include "profile-internal.h"

#include "core/text.h"

#include <string.h>

#define STAMP_VERSION 1
#define VERSION_KEY "tcptune-nm.stamp"
#define EMPTY_USER " on an empty [user]" /* behind the version: the setting itself is not ours */
#define VALUE_MAX (8 * 1024)

static void
free_route(gpointer data)
{
    TtStampRoute *route = data;

    g_free(route->key);
    g_free(route);
}

TtStamp *
tt_stamp_new(void)
{
    TtStamp *stamp = g_new0(TtStamp, 1);

    stamp->routes = g_ptr_array_new_with_free_func(free_route);
    return stamp;
}

TtStampRoute *
tt_stamp_add(TtStamp *stamp, const char *key)
{
    TtStampRoute *route = g_new0(TtStampRoute, 1);

    route->key = g_strdup(key);
    g_ptr_array_add(stamp->routes, route);
    return route;
}

void
tt_stamp_free(TtStamp *stamp)
{
    if (!stamp)
        return;
    g_free(stamp->gateway);
    g_ptr_array_unref(stamp->routes);
    g_free(stamp);
}

static char *
gateway_key(int family)
{
    return g_strdup_printf("tcptune-nm.%s-gateway", tt_profile_family_name(family));
}

static char *
routes_key(int family, guint chunk)
{
    const char *name = tt_profile_family_name(family);

    return chunk == 1 ? g_strdup_printf("tcptune-nm.%s-routes", name)
                      : g_strdup_printf("tcptune-nm.%s-routes.%u", name, chunk);
}

static NMSettingUser *
find_user(NMConnection *connection)
{
    return NM_SETTING_USER(nm_connection_get_setting(connection, NM_TYPE_SETTING_USER));
}

/* "rto_min=8 was 50" */
static bool
parse_attr(const char *text, TtStampRoute *route)
{
    g_auto(GStrv) halves = g_strsplit(text, " was ", 2);
    g_auto(GStrv) words = g_strsplit(halves[0] ? halves[0] : "", "=", 2);
    TtProfileAttr attr;
    gint64 set, was = TT_PROFILE_ABSENT;

    if (g_strv_length(words) != 2 || !tt_profile_attr_from_name(words[0], &attr)
        || !tt_profile_attr_parse(attr, words[1], &set)
        || (halves[1] && !tt_profile_attr_parse(attr, halves[1], &was)))
        return false;
    route->touched |= TT_PROFILE_BIT(attr);
    route->set[attr] = set;
    route->was[attr] = was;
    return true;
}

static void
parse_route(const char *text, TtStamp *stamp)
{
    g_auto(GStrv) items = g_strsplit(text, ", ", -1);
    TtStampRoute *route;

    if (!items[0] || !items[0][0])
        return;
    route = tt_stamp_add(stamp, items[0]);
    for (char **item = items + 1; *item; item++) {
        if (strcmp(*item, "added") == 0)
            route->added = true;
        else
            parse_attr(*item, route);
    }
}

TtStamp *
tt_stamp_read(NMConnection *connection, int family)
{
    NMSettingUser *user = find_user(connection);
    TtStamp *stamp = tt_stamp_new();
    g_autofree char *key = gateway_key(family);

    if (!user)
        return stamp;
    stamp->gateway = g_strdup(nm_setting_user_get_data(user, key));
    for (guint chunk = 1;; chunk++) {
        g_autofree char *name = routes_key(family, chunk);
        const char *text = nm_setting_user_get_data(user, name);
        g_auto(GStrv) routes = NULL;

        if (!text)
            return stamp;
        routes = g_strsplit(text, "; ", -1);
        for (char **route = routes; *route; route++)
            parse_route(*route, stamp);
    }
}

bool
tt_profile_is_stamped(NMConnection *connection)
{
    NMSettingUser *user = find_user(connection);

    return user && nm_setting_user_get_data(user, VERSION_KEY);
}

bool
tt_stamp_is_newer(NMConnection *connection)
{
    NMSettingUser *user = find_user(connection);
    const char *text = user ? nm_setting_user_get_data(user, VERSION_KEY) : NULL;

    return text && g_ascii_strtoull(text, NULL, 10) > STAMP_VERSION;
}

/* Was there a user setting with nothing in it before us? In a keyfile it is an empty group. */
static bool
was_empty(NMSettingUser *user)
{
    const char *version = user ? nm_setting_user_get_data(user, VERSION_KEY) : NULL;
    guint n_keys = 0;

    if (version)
        return g_str_has_suffix(version, EMPTY_USER);
    if (user)
        nm_setting_user_get_keys(user, &n_keys);
    return user && n_keys == 0;
}

static void
append_route(const TtStampRoute *route, GString *to)
{
    g_string_append(to, route->key);
    if (route->added)
        g_string_append(to, ", added");
    for (TtProfileAttr attr = 0; attr < _TT_PROFILE_ATTR_N; attr++) {
        if (!(route->touched & TT_PROFILE_BIT(attr)))
            continue;
        g_string_append_printf(to, ", %s=", tt_profile_attr_info(attr)->name);
        tt_profile_attr_append(attr, route->set[attr], to);
        if (route->was[attr] != TT_PROFILE_ABSENT) {
            g_string_append(to, " was ");
            tt_profile_attr_append(attr, route->was[attr], to);
        }
    }
}

static void
put(GHashTable *data, char *key, char *value)
{
    g_hash_table_insert(data, key, value);
}

static void
put_routes(const TtStamp *stamp, int family, GHashTable *data)
{
    g_autoptr(GString) text = g_string_new(NULL);
    guint chunk = 1;

    for (guint i = 0; i < stamp->routes->len; i++) {
        g_autoptr(GString) one = g_string_new(NULL);

        append_route(stamp->routes->pdata[i], one);
        if (text->len && text->len + 2 + one->len > VALUE_MAX) {
            put(data, routes_key(family, chunk++), g_strdup(text->str));
            g_string_truncate(text, 0);
        }
        g_string_append_printf(text, "%s%s", text->len ? "; " : "", one->str);
    }
    if (text->len)
        put(data, routes_key(family, chunk), g_strdup(text->str));
}

/* What the user setting shall have below tcptune-nm.; empty for none. */
static GHashTable *
format_data(TtStamp *const stamps[2], NMSettingUser *user)
{
    static const int families[2] = {AF_INET, AF_INET6};
    GHashTable *data = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

    for (guint i = 0; i < 2; i++) {
        if (stamps[i]->gateway)
            put(data, gateway_key(families[i]), g_strdup(stamps[i]->gateway));
        put_routes(stamps[i], families[i], data);
    }
    if (g_hash_table_size(data) > 0)
        put(data, g_strdup(VERSION_KEY),
            g_strdup_printf("%d%s", STAMP_VERSION, was_empty(user) ? EMPTY_USER : ""));
    return data;
}

/* Keys that are ours: the version, the gateways, the routes and their later chunks. */
static bool
is_our_key(const char *key)
{
    static const char *const prefixes[] = {
        VERSION_KEY,
        "tcptune-nm.ipv4-gateway",
        "tcptune-nm.ipv6-gateway",
        "tcptune-nm.ipv4-routes",
        "tcptune-nm.ipv6-routes",
    };
    guint32 chunk;

    for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        gsize len = strlen(prefixes[i]);

        if (strncmp(key, prefixes[i], len) != 0)
            continue;
        if (!key[len] || (key[len] == '.' && tt_text_number(key + len + 1, G_MAXUINT32, &chunk)))
            return true;
    }
    return false;
}

bool
tt_stamp_differs(NMConnection *connection, TtStamp *const stamps[2])
{
    NMSettingUser *user = find_user(connection);
    g_autoptr(GHashTable) data = format_data(stamps, user);
    guint n_keys = 0, n_ours = 0;
    const char *const *keys = user ? nm_setting_user_get_keys(user, &n_keys) : NULL;

    for (guint i = 0; i < n_keys; i++) {
        if (!is_our_key(keys[i]))
            continue;
        if (g_strcmp0(g_hash_table_lookup(data, keys[i]), nm_setting_user_get_data(user, keys[i])))
            return true;
        n_ours++;
    }
    return n_ours != g_hash_table_size(data);
}

static bool
set_data(NMSettingUser *user, GHashTable *data, GError **error)
{
    GHashTableIter iter;
    gpointer key, value;

    g_hash_table_iter_init(&iter, data);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        if (!nm_setting_user_set_data(user, key, value, error))
            return false;
    }
    return true;
}

static void
clear_ours(NMSettingUser *user)
{
    g_auto(GStrv) keys = g_strdupv((char **) nm_setting_user_get_keys(user, NULL));

    for (char **key = keys; key && *key; key++) {
        if (is_our_key(*key))
            nm_setting_user_set_data(user, *key, NULL, NULL);
    }
}

bool
tt_stamp_write(NMConnection *connection, TtStamp *const stamps[2], GError **error)
{
    NMSettingUser *user = find_user(connection);
    g_autoptr(GHashTable) data = format_data(stamps, user);
    bool stays = was_empty(user);
    guint n_left;

    if (user)
        clear_ours(user);
    if (!user && g_hash_table_size(data) > 0) {
        user = NM_SETTING_USER(nm_setting_user_new());
        nm_connection_add_setting(connection, NM_SETTING(user));
    }
    if (!user)
        return true;
    if (!set_data(user, data, error))
        return false;
    nm_setting_user_get_keys(user, &n_left);
    if (n_left == 0 && !stays)
        nm_connection_remove_setting(connection, NM_TYPE_SETTING_USER);
    return true;
}
