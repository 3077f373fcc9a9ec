/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of core/match share, and nobody else sees. */
#pragma once

#include "match.h"

/* For messages: what a value may be. */
#define TT_DEVICE_ALLOWED                                                                          \
    "*, IFNAME, interface-name:GLOB, interface-name:=IFNAME, mac:ADDRESS, driver:NAME, "           \
    "type:TYPE, except:SPEC"
#define TT_CONNECTION_ALLOWED "*, uuid:UUID, id:GLOB, except:SPEC"
#define TT_DESTINATION_ALLOWED "default, connected, any, PREFIX, within:PREFIX"

/* Device and connection specs: match-spec.c. */
GPtrArray *tt_specs_parse_device(const char *const *items, GError **error);
GPtrArray *tt_specs_parse_connection(const char *const *items, GError **error);

/* Does the list match this device and what is active on it? `link` is NULL where there is no
 * device or nothing is known of it: only `*` matches that. Never PARTIAL. */
TtMatch tt_specs_match(const GPtrArray *specs, const TtLink *link);

/* Some spec asks for what only ethtool tells: driver and permanent address. */
bool tt_specs_need_details(const GPtrArray *specs);

/* Some spec asks for the name of the profile. */
bool tt_specs_need_id(const GPtrArray *specs);

/* Sets TT_ERROR_POLICY "'ITEM' REASON; allowed: ALLOWED", returns false. */
bool tt_match_refuse(GError **error, const char *item, const char *reason, const char *allowed);

/* A table by its name in rt_tables: match-tables.c. */
bool tt_table_from_name(const char *root, const char *name, guint32 *out_table);

typedef enum {
    TT_DEST_DEFAULT,
    TT_DEST_CONNECTED,
    TT_DEST_EXACT,
    TT_DEST_WITHIN,
    TT_DEST_ANY,
} TtDestKind;

typedef struct {
    TtDestKind kind;
    guint8 family; /* EXACT, WITHIN */
    guint8 len;
    TtAddress address;
} TtDest;

/* `default`, `connected`, `any`, PREFIX or within:PREFIX: match-prefix.c. */
bool tt_dest_parse(const char *item, TtDest *out_dest, GError **error);
/* An address alone; false without error if it is none. */
bool tt_dest_parse_address(const char *text, TtDest *out_dest);

/* Multicast and link-local prefixes carry no TCP that a policy could mean. */
bool tt_prefix_is_reserved(int family, guint len, const TtAddress *prefix);

/* "dhcp", or NULL. */
const char *tt_protocol_name(guint8 protocol);

struct TtMatchKeys {
    char *text[_TT_KEY_N]; /* as written; NULL: omitted */
    GPtrArray *device;     /* specs; NULL: any */
    GPtrArray *connection; /* specs; NULL: any */
    bool family[2];        /* IPv4, IPv6 */
    GArray *destination;   /* TtDest */
    GArray *table;         /* guint32; empty: any */
    bool protocol[256];
    GArray *gateway; /* TtDest of an address; NULL: any */
};
