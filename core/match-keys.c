/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The match keys of a section: text -> what core/match compares. */
#include "match-internal.h"

#include "error.h"
#include "text.h"

#include <string.h>

#define FAMILY_ALLOWED "ipv4, ipv6, any"
#define TABLE_ALLOWED "main, any, a number from 1 but 255, a name of rt_tables"
#define PROTOCOL_ALLOWED "kernel, boot, static, dhcp, ra, any, a number from 0 to 255"
#define GATEWAY_ALLOWED "addresses"

static const char *const key_names[] = {
    [TT_KEY_DEVICE] = "match-device", [TT_KEY_CONNECTION] = "match-connection",
    [TT_KEY_FAMILY] = "family",       [TT_KEY_DESTINATION] = "destination",
    [TT_KEY_TABLE] = "table",         [TT_KEY_PROTOCOL] = "protocol",
    [TT_KEY_GATEWAY] = "gateway",
};
G_STATIC_ASSERT(G_N_ELEMENTS(key_names) == _TT_KEY_N);

static const struct {
    const char *name;
    guint8 protocol;
} protocols[] = {
    {"kernel", RTPROT_KERNEL}, {"boot", RTPROT_BOOT}, {"static", RTPROT_STATIC},
    {"dhcp", RTPROT_DHCP},     {"ra", RTPROT_RA},
};

const char *
tt_match_key_name(TtMatchKey key)
{
    return key_names[key];
}

bool
tt_match_key_from_name(const char *name, TtMatchKey *out_key)
{
    for (TtMatchKey key = 0; key < _TT_KEY_N; key++) {
        if (strcmp(name, key_names[key]) == 0) {
            *out_key = key;
            return true;
        }
    }
    return false;
}

const char *
tt_protocol_name(guint8 protocol)
{
    for (guint i = 0; i < G_N_ELEMENTS(protocols); i++) {
        if (protocols[i].protocol == protocol)
            return protocols[i].name;
    }
    return NULL;
}

TtMatchKeys *
tt_match_keys_new(void)
{
    TtMatchKeys *keys = g_new0(TtMatchKeys, 1);
    TtDest dest = {.kind = TT_DEST_DEFAULT};
    guint32 table = RT_TABLE_MAIN;

    keys->family[0] = keys->family[1] = true;
    keys->destination = g_array_new(FALSE, FALSE, sizeof(TtDest));
    g_array_append_val(keys->destination, dest);
    keys->table = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_val(keys->table, table);
    /* NetworkManager re-adds a tuned router-advertised route at every advertisement: those must
     * be asked for. */
    for (int protocol = 0; protocol < 256; protocol++)
        keys->protocol[protocol] = protocol != RTPROT_RA;
    return keys;
}

void
tt_match_keys_free(TtMatchKeys *keys)
{
    if (!keys)
        return;
    for (TtMatchKey key = 0; key < _TT_KEY_N; key++)
        g_free(keys->text[key]);
    g_clear_pointer(&keys->device, g_ptr_array_unref);
    g_clear_pointer(&keys->connection, g_ptr_array_unref);
    g_clear_pointer(&keys->gateway, g_array_unref);
    g_array_unref(keys->destination);
    g_array_unref(keys->table);
    g_free(keys);
}

static bool
set_device(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    GPtrArray *specs = tt_specs_parse_device(items, error);

    if (!specs)
        return false;
    g_clear_pointer(&keys->device, g_ptr_array_unref);
    keys->device = specs;
    return true;
}

static bool
set_connection(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    GPtrArray *specs = tt_specs_parse_connection(items, error);

    if (!specs)
        return false;
    g_clear_pointer(&keys->connection, g_ptr_array_unref);
    keys->connection = specs;
    return true;
}

static bool
set_family(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    bool family[2] = {false, false};

    for (; *items; items++) {
        bool any = strcmp(*items, "any") == 0;
        bool v4 = any || strcmp(*items, "ipv4") == 0;
        bool v6 = any || strcmp(*items, "ipv6") == 0;

        if (!v4 && !v6)
            return tt_match_refuse(error, *items, "is no family", FAMILY_ALLOWED);
        family[0] = family[0] || v4;
        family[1] = family[1] || v6;
    }
    memcpy(keys->family, family, sizeof(family));
    return true;
}

static bool
set_destination(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    g_autoptr(GArray) dests = g_array_new(FALSE, FALSE, sizeof(TtDest));

    for (; *items; items++) {
        TtDest dest;

        if (!tt_dest_parse(*items, &dest, error))
            return false;
        g_array_append_val(dests, dest);
    }
    g_array_unref(keys->destination);
    keys->destination = g_steal_pointer(&dests);
    return true;
}

static bool
parse_table(const char *item, const char *root, guint32 *out_table, GError **error)
{
    guint32 table = 0;

    if (strcmp(item, "main") == 0)
        table = RT_TABLE_MAIN;
    else if (strcmp(item, "local") == 0)
        table = RT_TABLE_LOCAL;
    else if (!tt_text_number(item, G_MAXUINT32, &table) && !tt_table_from_name(root, item, &table))
        return tt_match_refuse(error, item, "is no table", TABLE_ALLOWED);
    if (table == RT_TABLE_LOCAL)
        return tt_match_refuse(error, item, "holds the host's own addresses", TABLE_ALLOWED);
    if (table == RT_TABLE_UNSPEC)
        return tt_match_refuse(error, item, "is no table", TABLE_ALLOWED);
    *out_table = table;
    return true;
}

static bool
set_table(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    g_autoptr(GArray) tables = g_array_new(FALSE, FALSE, sizeof(guint32));
    bool any = false;

    for (; *items; items++) {
        guint32 table;

        if (strcmp(*items, "any") == 0) {
            any = true;
            continue;
        }
        if (!parse_table(*items, root, &table, error))
            return false;
        g_array_append_val(tables, table);
    }
    if (any)
        g_array_set_size(tables, 0);
    g_array_unref(keys->table);
    keys->table = g_steal_pointer(&tables);
    return true;
}

static bool
add_protocol(bool *set, const char *item, GError **error)
{
    guint32 number;

    if (strcmp(item, "any") == 0) {
        memset(set, true, 256 * sizeof(*set));
        return true;
    }
    for (guint i = 0; i < G_N_ELEMENTS(protocols); i++) {
        if (strcmp(item, protocols[i].name) == 0) {
            set[protocols[i].protocol] = true;
            return true;
        }
    }
    if (!tt_text_number(item, 255, &number))
        return tt_match_refuse(error, item, "is no protocol", PROTOCOL_ALLOWED);
    if (number == TT_PROTOCOL_MEASURE)
        return tt_match_refuse(error, item, "is tcptune-nm measure's own", PROTOCOL_ALLOWED);
    set[number] = true;
    return true;
}

static bool
set_protocol(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    bool set[256] = {false};

    for (; *items; items++) {
        if (!add_protocol(set, *items, error))
            return false;
    }
    memcpy(keys->protocol, set, sizeof(set));
    return true;
}

static bool
set_gateway(TtMatchKeys *keys, const char *const *items, const char *root, GError **error)
{
    g_autoptr(GArray) gateways = g_array_new(FALSE, FALSE, sizeof(TtDest));

    for (; *items; items++) {
        TtDest gateway;

        if (strchr(*items, '%'))
            return tt_match_refuse(error, *items, "names a device; use match-device for that",
                                   GATEWAY_ALLOWED);
        if (!tt_dest_parse_address(*items, &gateway))
            return tt_match_refuse(error, *items, "is no address", GATEWAY_ALLOWED);
        g_array_append_val(gateways, gateway);
    }
    g_clear_pointer(&keys->gateway, g_array_unref);
    keys->gateway = g_steal_pointer(&gateways);
    return true;
}

static const struct {
    bool (*set)(TtMatchKeys *keys, const char *const *items, const char *root, GError **error);
    const char *allowed;
} setters[] = {
    [TT_KEY_DEVICE] = {set_device, TT_DEVICE_ALLOWED},
    [TT_KEY_CONNECTION] = {set_connection, TT_CONNECTION_ALLOWED},
    [TT_KEY_FAMILY] = {set_family, FAMILY_ALLOWED},
    [TT_KEY_DESTINATION] = {set_destination, TT_DESTINATION_ALLOWED},
    [TT_KEY_TABLE] = {set_table, TABLE_ALLOWED},
    [TT_KEY_PROTOCOL] = {set_protocol, PROTOCOL_ALLOWED},
    [TT_KEY_GATEWAY] = {set_gateway, GATEWAY_ALLOWED},
};
G_STATIC_ASSERT(G_N_ELEMENTS(setters) == _TT_KEY_N);

bool
tt_match_keys_set(TtMatchKeys *keys,
                  TtMatchKey key,
                  const char *value,
                  const char *root,
                  GError **error)
{
    g_auto(GStrv) items = tt_text_list(value);

    if (!items) {
        g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "%s; allowed: %s",
                    value[0] ? "an item of the list is empty" : "no value", setters[key].allowed);
        return false;
    }
    if (!setters[key].set(keys, (const char *const *) items, root, error))
        return false;
    g_free(keys->text[key]);
    keys->text[key] = g_strdup(value);
    return true;
}

const char *
tt_match_keys_text(const TtMatchKeys *keys, TtMatchKey key)
{
    return keys->text[key];
}

static bool
is_default(const TtDest *dest)
{
    return dest->kind == TT_DEST_DEFAULT || (dest->kind == TT_DEST_EXACT && dest->len == 0);
}

void
tt_match_keys_reach(const TtMatchKeys *keys, TtPolicyReach *reach)
{
    bool family[2] = {false, false};

    *reach = (TtPolicyReach){.only_defaults = true};
    for (guint i = 0; i < keys->destination->len; i++) {
        const TtDest *dest = &g_array_index(keys->destination, TtDest, i);

        reach->connected = reach->connected || dest->kind == TT_DEST_CONNECTED;
        reach->only_defaults = reach->only_defaults && is_default(dest);
        family[0] = family[0] || dest->family != AF_INET6;
        family[1] = family[1] || dest->family != AF_INET;
    }
    reach->family[0] = family[0] && keys->family[0];
    reach->family[1] = family[1] && keys->family[1];
    reach->only_main = keys->table->len > 0;
    for (guint i = 0; i < keys->table->len; i++) {
        if (g_array_index(keys->table, guint32, i) != RT_TABLE_MAIN)
            reach->only_main = false;
    }
    reach->link_details = keys->device && tt_specs_need_details(keys->device);
    reach->connection = keys->connection != NULL;
}
