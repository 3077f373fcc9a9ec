/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a profile: no crash; and what GKeyFile takes for a key file, is read as it reads it.
 */
#include "core/keyfile.h"

#include <arpa/inet.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static char *
value_of(GKeyFile *file, const char *group, const char *key)
{
    char *value = g_key_file_get_value(file, group, key, NULL);

    return value ? g_strstrip(value) : NULL;
}

static bool
is_address(const char *text, int family, TtAddress *out_address)
{
    static const TtAddress none;

    memset(out_address, 0, sizeof *out_address);
    return text && inet_pton(family, text, out_address) == 1
           && !tt_address_equal(out_address, &none);
}

static void
compare(GKeyFile *file, const char *group, int family, const TtMovedGateway *moved)
{
    g_autofree char *stamp_key = g_strdup_printf("tcptune-nm.%s-gateway", group);
    g_autofree char *stamp = value_of(file, "user", stamp_key);
    g_autofree char *method = value_of(file, group, "method");
    g_autofree char *gateway = value_of(file, group, "gateway");
    TtAddress address;

    g_assert_cmpint(moved->moved, ==, is_address(stamp, family, &address));
    if (!moved->moved)
        return;
    g_assert_true(tt_address_equal(&address, &moved->gateway));
    g_assert_cmpint((moved->stale & TT_STALE_METHOD) != 0, ==, g_strcmp0(method, "manual") != 0);
    if (is_address(gateway, family, &address))
        g_assert_cmpint((moved->stale & TT_STALE_GATEWAY) != 0, ==,
                        !tt_address_equal(&address, &moved->gateway));
}

int
LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    TtKeyfile keyfile;

    tt_keyfile_parse((const char *) data, size, &keyfile);
    if (g_utf8_validate((const char *) data, (gssize) size, NULL)
        && g_key_file_load_from_data(file, (const char *) data, size, G_KEY_FILE_NONE, NULL)) {
        compare(file, "ipv4", AF_INET, &keyfile.gateway[0]);
        compare(file, "ipv6", AF_INET6, &keyfile.gateway[1]);
    }
    return 0;
}
