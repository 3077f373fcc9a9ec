/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of device and connection specs as in NetworkManager.conf(5), "Device List Format": any
 * positive spec, but none of the `except:` ones; only `except:` specs: everything else.
 */
#include "match-internal.h"

#include "error.h"
#include "text.h"

#include <string.h>

#define MAC_ALLOWED "6 to 32 bytes as aa:bb:cc:dd:ee:ff"
#define UUID_ALLOWED "as nmcli prints it: 8-4-4-4-12 hexadecimal digits"
#define INFINIBAND_LEN 20

typedef enum {
    SPEC_ANY,
    SPEC_NAME_GLOB,
    SPEC_NAME_EXACT,
    SPEC_MAC,
    SPEC_DRIVER,
    SPEC_TYPE,
    SPEC_UUID,
    SPEC_ID,
} SpecKind;

typedef enum {
    ANSWER_NO,
    ANSWER_YES,
    ANSWER_UNKNOWN, /* not known now: neither a spec nor its opposite matches */
    ANSWER_OPEN,    /* not known before the device is there */
} Answer;

typedef struct {
    SpecKind kind;
    bool except;
    char *text;
    TtLinkType type;
    guint8 mac[32];
    guint mac_len;
} Spec;

static void
free_spec(gpointer data)
{
    Spec *spec = data;

    g_free(spec->text);
    g_free(spec);
}

bool
tt_match_refuse(GError **error, const char *item, const char *reason, const char *allowed)
{
    g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "'%s' %s; allowed: %s", item, reason, allowed);
    return false;
}

static bool
parse_mac(Spec *spec, const char *text)
{
    guint n = 0;

    for (;; text += 3) {
        if (n == sizeof(spec->mac) || !g_ascii_isxdigit(text[0]) || !g_ascii_isxdigit(text[1]))
            return false;
        spec->mac[n++] =
            (guint8) (g_ascii_xdigit_value(text[0]) << 4 | g_ascii_xdigit_value(text[1]));
        if (!text[2])
            break;
        if (text[2] != ':' && text[2] != '-')
            return false;
    }
    spec->kind = SPEC_MAC;
    spec->mac_len = n;
    return n >= 6;
}

static bool
parse_type(Spec *spec, const char *item, GError **error)
{
    const char *names[_TT_LINK_N] = {NULL};
    g_autofree char *allowed = NULL;
    g_autofree char *hint = NULL;
    g_autofree char *reason = NULL;

    spec->kind = SPEC_TYPE;
    if (tt_link_type_from_name(spec->text, &spec->type))
        return true;
    for (int type = TT_LINK_OTHER + 1; type < _TT_LINK_N; type++)
        names[type - 1] = tt_link_type_name(type);
    allowed = g_strjoinv(", ", (char **) names);
    hint = tt_text_hint(spec->text, names);
    reason = g_strdup_printf("is no type of device%s", hint);
    return tt_match_refuse(error, item, reason, allowed);
}

/* A glob longer than a name can be, its stars aside, matches nothing: a slip. */
static bool
could_be_ifname(const char *text)
{
    gsize len = 0;

    if (!text[0] || strpbrk(text, "/: \t"))
        return false;
    for (const char *p = text; *p; p++)
        len += *p != '*';
    return len < IF_NAMESIZE;
}

static bool
parse_ifname(Spec *spec, const char *item, GError **error)
{
    spec->kind = SPEC_NAME_GLOB;
    if (spec->text[0] == '=') {
        memmove(spec->text, spec->text + 1, strlen(spec->text));
        spec->kind = SPEC_NAME_EXACT;
    }
    if (!could_be_ifname(spec->text))
        return tt_match_refuse(error, item, "can name no interface", TT_DEVICE_ALLOWED);
    return true;
}

/* IFNAME or an address, as NetworkManager has them. */
static bool
parse_bare_device(Spec *spec, const char *item, GError **error)
{
    TtLinkType type;

    if (parse_mac(spec, item))
        return true;
    if (!could_be_ifname(item))
        return tt_match_refuse(error, item, "is not a device spec", TT_DEVICE_ALLOWED);
    if (strpbrk(item, "*?"))
        return tt_match_refuse(error, item, "needs interface-name: before a glob",
                               TT_DEVICE_ALLOWED);
    if (tt_link_type_from_name(item, &type))
        return tt_match_refuse(error, item, "needs type: before a type", TT_DEVICE_ALLOWED);
    spec->kind = SPEC_NAME_EXACT;
    return true;
}

static bool
parse_device(Spec *spec, const char *item, GError **error)
{
    const char *rest = spec->text;

    if (g_str_has_prefix(rest, "interface-name:")) {
        memmove(spec->text, rest + 15, strlen(rest + 15) + 1);
        return parse_ifname(spec, item, error);
    }
    if (g_str_has_prefix(rest, "type:")) {
        memmove(spec->text, rest + 5, strlen(rest + 5) + 1);
        return parse_type(spec, item, error);
    }
    if (g_str_has_prefix(rest, "mac:")) {
        return parse_mac(spec, rest + 4)
               || tt_match_refuse(error, item, "is no hardware address", MAC_ALLOWED);
    }
    if (g_str_has_prefix(rest, "driver:") && rest[7]) {
        memmove(spec->text, rest + 7, strlen(rest + 7) + 1);
        spec->kind = SPEC_DRIVER;
        return true;
    }
    if (spec->except)
        return tt_match_refuse(
            error, item,
            "needs interface-name:, mac:, driver: or type: behind except:", TT_DEVICE_ALLOWED);
    return parse_bare_device(spec, item, error);
}

/* 8-4-4-4-12, or the 40 digits that NetworkManager still reads. */
static bool
is_uuid(const char *text)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    gsize len = strlen(text);

    if (len == 40)
        return strspn(text, "0123456789abcdefABCDEF") == len;
    if (len != sizeof(form) - 1)
        return false;
    for (gsize i = 0; i < len; i++) {
        if (form[i] == '-' ? text[i] != '-' : !g_ascii_isxdigit(text[i]))
            return false;
    }
    return true;
}

static bool
parse_connection(Spec *spec, const char *item, GError **error)
{
    const char *rest = spec->text;

    if (g_str_has_prefix(rest, "id:") && rest[3]) {
        memmove(spec->text, rest + 3, strlen(rest + 3) + 1);
        spec->kind = SPEC_ID;
        return true;
    }
    if (g_str_has_prefix(rest, "uuid:")) {
        memmove(spec->text, rest + 5, strlen(rest + 5) + 1);
        spec->kind = SPEC_UUID;
        return is_uuid(spec->text) || tt_match_refuse(error, item, "is no uuid", UUID_ALLOWED);
    }
    return tt_match_refuse(error, item, "is not a connection spec", TT_CONNECTION_ALLOWED);
}

typedef bool (*ParseFunc)(Spec *spec, const char *item, GError **error);

static GPtrArray *
parse_list(const char *const *items, ParseFunc parse, GError **error)
{
    g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(free_spec);

    for (; *items; items++) {
        Spec *spec = g_new0(Spec, 1);

        g_ptr_array_add(specs, spec);
        spec->kind = SPEC_ANY;
        spec->except = g_str_has_prefix(*items, "except:");
        spec->text = g_strdup(*items + (spec->except ? 7 : 0));
        if (strcmp(*items, "*") != 0 && !parse(spec, *items, error))
            return NULL;
    }
    return g_steal_pointer(&specs);
}

GPtrArray *
tt_specs_parse_device(const char *const *items, GError **error)
{
    return parse_list(items, parse_device, error);
}

GPtrArray *
tt_specs_parse_connection(const char *const *items, GError **error)
{
    return parse_list(items, parse_connection, error);
}

static bool
mac_matches(const Spec *spec, const TtLink *link)
{
    gsize skip = 0;

    if (spec->mac_len != link->mac_len)
        return false;
    /* Only the last 8 bytes are the hardware's own; the others change with the subnet. */
    if (spec->mac_len == INFINIBAND_LEN)
        skip = INFINIBAND_LEN - 8;
    return memcmp(spec->mac + skip, link->mac + skip, spec->mac_len - skip) == 0;
}

static bool
is_open(const Spec *spec, const TtLink *link)
{
    static const guint unknown[] = {
        [SPEC_NAME_GLOB] = TT_LINK_UNKNOWN_NAME, [SPEC_NAME_EXACT] = TT_LINK_UNKNOWN_NAME,
        [SPEC_MAC] = TT_LINK_UNKNOWN_MAC,        [SPEC_DRIVER] = TT_LINK_UNKNOWN_DRIVER,
        [SPEC_TYPE] = TT_LINK_UNKNOWN_TYPE,      [SPEC_ID] = 0,
    };

    return link->unknown & unknown[spec->kind];
}

static Answer
answer(const Spec *spec, const TtLink *link)
{
    bool yes = false;

    if (is_open(spec, link))
        return ANSWER_OPEN;

    switch (spec->kind) {
    case SPEC_ANY:
        return ANSWER_YES;
    case SPEC_NAME_GLOB:
        yes = tt_text_glob(spec->text, link->name);
        break;
    case SPEC_NAME_EXACT:
        yes = strcmp(spec->text, link->name) == 0;
        break;
    case SPEC_MAC:
        yes = mac_matches(spec, link);
        break;
    case SPEC_DRIVER:
        yes = link->driver[0] && tt_text_glob(spec->text, link->driver);
        break;
    case SPEC_TYPE:
        yes = spec->type == link->type;
        break;
    case SPEC_UUID:
        yes = link->connection_uuid && g_ascii_strcasecmp(spec->text, link->connection_uuid) == 0;
        break;
    case SPEC_ID:
        if (!link->connection_id)
            return ANSWER_UNKNOWN;
        yes = tt_text_glob(spec->text, link->connection_id);
        break;
    }
    return yes ? ANSWER_YES : ANSWER_NO;
}

static TtMatch
match_link(const GPtrArray *specs, const TtLink *link)
{
    bool only_except = true;
    bool matched = false, maybe_matched = false, maybe_excepted = false;

    for (guint i = 0; i < specs->len; i++) {
        const Spec *spec = g_ptr_array_index(specs, i);
        Answer is = answer(spec, link);

        /* What is not known might be what shall be left out. */
        if (spec->except && (is == ANSWER_YES || is == ANSWER_UNKNOWN))
            return TT_MATCH_NO;
        if (spec->except) {
            maybe_excepted = maybe_excepted || is == ANSWER_OPEN;
        } else {
            only_except = false;
            matched = matched || is == ANSWER_YES;
            maybe_matched = maybe_matched || is == ANSWER_OPEN;
        }
    }
    if (!matched && !maybe_matched && !only_except)
        return TT_MATCH_NO;
    return (matched || only_except) && !maybe_excepted ? TT_MATCH_YES : TT_MATCH_UNDECIDED;
}

TtMatch
tt_specs_match(const GPtrArray *specs, const TtLink *link)
{
    if (link)
        return match_link(specs, link);
    for (guint i = 0; i < specs->len; i++) {
        const Spec *spec = g_ptr_array_index(specs, i);

        if (spec->kind != SPEC_ANY)
            return TT_MATCH_NO;
    }
    return TT_MATCH_YES;
}

static bool
has_kind(const GPtrArray *specs, SpecKind kind)
{
    for (guint i = 0; i < specs->len; i++) {
        const Spec *spec = g_ptr_array_index(specs, i);

        if (spec->kind == kind)
            return true;
    }
    return false;
}

bool
tt_specs_need_details(const GPtrArray *specs)
{
    return has_kind(specs, SPEC_DRIVER) || has_kind(specs, SPEC_MAC) || has_kind(specs, SPEC_TYPE);
}

bool
tt_specs_need_id(const GPtrArray *specs)
{
    return has_kind(specs, SPEC_ID);
}
