/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prefixes and addresses, as the match keys destination and gateway have them. */
#include "match-internal.h"

#include "text.h"

#include <arpa/inet.h>
#include <string.h>

bool
tt_prefix_contains(guint len, const TtAddress *prefix, const TtAddress *address)
{
    guint whole = len / 8;
    guint8 mask = (guint8) (0xff00 >> len % 8);

    return memcmp(prefix->bytes, address->bytes, whole) == 0
           && (len % 8 == 0 || ((prefix->bytes[whole] ^ address->bytes[whole]) & mask) == 0);
}

bool
tt_prefix_is_reserved(int family, guint len, const TtAddress *prefix)
{
    static const struct {
        int family;
        guint len;
        TtAddress prefix;
    } reserved[] = {
        {AF_INET, 4, {.bytes = {224}}},
        {AF_INET, 16, {.bytes = {169, 254}}},
        {AF_INET6, 8, {.bytes = {0xff}}},
        {AF_INET6, 10, {.bytes = {0xfe, 0x80}}},
    };

    for (guint i = 0; i < G_N_ELEMENTS(reserved); i++) {
        if (reserved[i].family == family && len >= reserved[i].len
            && tt_prefix_contains(reserved[i].len, &reserved[i].prefix, prefix))
            return true;
    }
    return false;
}

bool
tt_dest_parse_address(const char *text, TtDest *out_dest)
{
    TtDest dest = {.kind = TT_DEST_EXACT, .family = AF_INET, .len = 32};

    if (inet_pton(AF_INET, text, &dest.address) != 1) {
        dest.family = AF_INET6;
        dest.len = 128;
        if (inet_pton(AF_INET6, text, &dest.address) != 1)
            return false;
    }
    *out_dest = dest;
    return true;
}

/* ADDRESS/LENGTH; an address alone is itself. */
static bool
parse_prefix(const char *text, TtDest *out_dest)
{
    g_autofree char *address = g_strndup(text, strcspn(text, "/"));
    const char *slash = strchr(text, '/');
    guint32 len;

    if (!tt_dest_parse_address(address, out_dest))
        return false;
    if (!slash)
        return true;
    if (!tt_text_number(slash + 1, out_dest->len, &len))
        return false;
    out_dest->len = (guint8) len;
    return true;
}

static bool
check_prefix(const TtDest *dest, const char *item, GError **error)
{
    TtAddress masked = {.bytes = {0}};
    char text[INET6_ADDRSTRLEN];
    g_autofree char *reason = NULL;
    bool is_clean;

    if (tt_prefix_is_reserved(dest->family, dest->len, &dest->address))
        return tt_match_refuse(error, item, "is link-local or multicast, which is never tuned",
                               TT_DESTINATION_ALLOWED);
    for (guint i = 0; i < dest->len; i++)
        masked.bytes[i / 8] |= dest->address.bytes[i / 8] & (0x80 >> i % 8);
    is_clean = tt_address_equal(&masked, &dest->address);
    if (is_clean)
        return true;
    inet_ntop(dest->family, &masked, text, sizeof(text));
    reason = g_strdup_printf("has host bits set (did you mean %s/%u?)", text, dest->len);
    return tt_match_refuse(error, item, reason, TT_DESTINATION_ALLOWED);
}

bool
tt_dest_parse(const char *item, TtDest *out_dest, GError **error)
{
    static const char *const words[] = {"default", "connected", "any", NULL};
    bool within = g_str_has_prefix(item, "within:");
    TtDest dest = {.kind = TT_DEST_DEFAULT};
    g_autofree char *hint = NULL;
    g_autofree char *reason = NULL;

    if (strcmp(item, "default") == 0) {
        dest.kind = TT_DEST_DEFAULT;
    } else if (strcmp(item, "connected") == 0) {
        dest.kind = TT_DEST_CONNECTED;
    } else if (strcmp(item, "any") == 0) {
        dest.kind = TT_DEST_ANY;
    } else if (parse_prefix(item + (within ? 7 : 0), &dest)) {
        dest.kind = within ? TT_DEST_WITHIN : TT_DEST_EXACT;
        if (!check_prefix(&dest, item, error))
            return false;
    } else {
        hint = tt_text_hint(item, words);
        reason = g_strdup_printf("is no destination%s", hint);
        return tt_match_refuse(error, item, reason, TT_DESTINATION_ALLOWED);
    }
    *out_dest = dest;
    return true;
}
