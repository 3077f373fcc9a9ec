/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keyfile.h"

#include "state-file.h"

#include <arpa/inet.h>
#include <string.h>

/* Many times a profile with 10,000 routes. */
#define SIZE_MAX_BYTES (16 * 1024 * 1024)

#define STAMP "tcptune-nm."

typedef struct {
    const char *at;
    gsize len;
} Slice;

typedef enum { SECTION_IPV4, SECTION_IPV6, SECTION_USER, SECTION_OTHER } Section;

/* Of one family, as written; of a key that is repeated, the last. */
typedef struct {
    Slice stamp;
    Slice gateway;
    Slice address_gateway; /* behind an address, as up to 1.56 it is written */
    Slice method;
    Slice never_default;
    Slice table;
} Words;

typedef struct {
    Section section;
    bool stamped;
    Words words[2];
} Parser;

static Slice
trim(Slice slice)
{
    while (slice.len > 0 && g_ascii_isspace(slice.at[0])) {
        slice.at++;
        slice.len--;
    }
    while (slice.len > 0 && g_ascii_isspace(slice.at[slice.len - 1]))
        slice.len--;
    return slice;
}

static bool
is(Slice slice, const char *text)
{
    return slice.len == strlen(text) && memcmp(slice.at, text, slice.len) == 0;
}

static bool
skip(Slice *slice, const char *start)
{
    gsize len = strlen(start);

    if (slice->len < len || memcmp(slice->at, start, len) != 0)
        return false;
    slice->at += len;
    slice->len -= len;
    return true;
}

/* The first `len` bytes, and what stands behind the separator that follows them. */
static Slice
take(Slice *rest, gsize len)
{
    Slice word = {rest->at, len};
    gsize taken = MIN(len + 1, rest->len);

    rest->at += taken;
    rest->len -= taken;
    return word;
}

static Slice
take_until(Slice *rest, char end)
{
    const char *at = memchr(rest->at, end, rest->len);

    return take(rest, at ? (gsize) (at - rest->at) : rest->len);
}

/* A piece of an address: key files of many ages separate by any of these. */
static Slice
take_piece(Slice *rest)
{
    gsize len = 0;

    while (len < rest->len && rest->at[len] != '/' && rest->at[len] != ',' && rest->at[len] != ';')
        len++;
    return take(rest, len);
}

/* False for none, which may be written as 0.0.0.0 or ::. */
static bool
to_address(Slice slice, int family, TtAddress *out_address)
{
    static const TtAddress none;
    char text[INET6_ADDRSTRLEN];

    memset(out_address, 0, sizeof *out_address);
    if (slice.len == 0 || slice.len >= sizeof text)
        return false;
    memcpy(text, slice.at, slice.len);
    text[slice.len] = '\0';
    return inet_pton(family, text, out_address) == 1 && !tt_address_equal(out_address, &none);
}

static guint32
to_table(Slice slice)
{
    guint64 table = 0;

    for (gsize i = 0; i < slice.len && i < 10 && g_ascii_isdigit(slice.at[i]); i++)
        table = table * 10 + (guint64) g_ascii_digit_value(slice.at[i]);
    return table == 0 || table > G_MAXUINT32 ? RT_TABLE_MAIN : (guint32) table;
}

/* address, address1, addresses7: "ADDRESS/LEN,GATEWAY". */
static bool
is_address_key(Slice key)
{
    if (!skip(&key, "address"))
        return false;
    skip(&key, "es");
    while (key.len > 0 && g_ascii_isdigit(key.at[key.len - 1]))
        key.len--;
    return key.len == 0;
}

static void
take_address(Slice value, Words *words)
{
    take_piece(&value);
    take_piece(&value);
    if (words->address_gateway.len == 0)
        words->address_gateway = trim(take_piece(&value));
}

static void
take_ip(Slice key, Slice value, Words *words)
{
    if (is(key, "gateway"))
        words->gateway = value;
    else if (is(key, "method"))
        words->method = value;
    else if (is(key, "never-default"))
        words->never_default = value;
    else if (is(key, "route-table"))
        words->table = value;
    else if (is_address_key(key))
        take_address(value, words);
}

static void
take_user(Parser *parser, Slice key, Slice value)
{
    if (!skip(&key, STAMP))
        return;
    parser->stamped = true;
    if (is(key, "ipv4-gateway"))
        parser->words[0].stamp = value;
    else if (is(key, "ipv6-gateway"))
        parser->words[1].stamp = value;
}

static Section
find_section(Slice line)
{
    return is(line, "[ipv4]")   ? SECTION_IPV4
           : is(line, "[ipv6]") ? SECTION_IPV6
           : is(line, "[user]") ? SECTION_USER
                                : SECTION_OTHER;
}

static void
take_line(Parser *parser, Slice line)
{
    Slice key;

    line = trim(line);
    if (line.len == 0 || line.at[0] == '#')
        return;
    if (line.at[0] == '[') {
        parser->section = find_section(line);
        return;
    }
    if (parser->section == SECTION_OTHER || !memchr(line.at, '=', line.len))
        return;
    key = trim(take_until(&line, '='));
    if (parser->section == SECTION_USER)
        take_user(parser, key, trim(line));
    else
        take_ip(key, trim(line), &parser->words[parser->section == SECTION_IPV6]);
}

static void
judge(const Words *words, int family, TtMovedGateway *out)
{
    out->moved = to_address(words->stamp, family, &out->gateway);
    out->table = to_table(words->table);
    if (!out->moved)
        return;
    if (to_address(words->gateway, family, &out->new_gateway)
        || to_address(words->address_gateway, family, &out->new_gateway)) {
        /* The same once more is a twin, not another way. */
        if (!tt_address_equal(&out->new_gateway, &out->gateway))
            out->stale |= TT_STALE_GATEWAY;
    }
    if (!is(words->method, "manual"))
        out->stale |= TT_STALE_METHOD;
    /* As g_key_file_get_boolean() has it. */
    if (is(words->never_default, "true") || is(words->never_default, "1"))
        out->stale |= TT_STALE_NEVER_DEFAULT;
}

void
tt_keyfile_parse(const char *text, gsize len, TtKeyfile *out_keyfile)
{
    Parser parser = {.section = SECTION_OTHER};
    Slice rest = {text, len};

    while (rest.len > 0)
        take_line(&parser, take_until(&rest, '\n'));
    memset(out_keyfile, 0, sizeof *out_keyfile);
    out_keyfile->stamped = parser.stamped;
    judge(&parser.words[0], AF_INET, &out_keyfile->gateway[0]);
    judge(&parser.words[1], AF_INET6, &out_keyfile->gateway[1]);
}

bool
tt_keyfile_read(const char *path, TtKeyfile *out_keyfile)
{
    g_autofree char *text = NULL;
    gsize len;

    if (!tt_state_file_read_trusted(path, SIZE_MAX_BYTES, &text, &len))
        return false;
    tt_keyfile_parse(text, len, out_keyfile);
    return true;
}
