/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy: what the files under /etc/tcptune-nm say, checked in full. Immutable once loaded.
 * An error anywhere gives no policy at all (I6). Messages name file, line, section, key, value
 * and what is allowed.
 */
#pragma once

#include "facts.h"
#include "metric.h"

/* Where a value stands; `file` is owned by the policy. */
typedef struct {
    const char *file;
    guint line; /* from 1 */
} TtOrigin;

typedef enum {
    TT_WISH_UNSET,  /* not named */
    TT_WISH_NONE,   /* `none`: not managed here; what tcptune-nm set is undone */
    TT_WISH_REMOVE, /* the metric shall be absent: quickack=no */
    TT_WISH_SET,
} TtWishKind;

typedef struct {
    TtWishKind kind;
    TtValue value; /* TT_WISH_SET */
    TtOrigin origin;
} TtWish;

typedef enum { TT_TRISTATE_AUTO, TT_TRISTATE_YES, TT_TRISTATE_NO } TtTristate;
typedef enum { TT_LEARNED_AUTO, TT_LEARNED_ALWAYS, TT_LEARNED_NEVER } TtLearned;
typedef enum { TT_GATEWAY_MOVE, TT_GATEWAY_KEEP } TtGatewayMode;

typedef enum { TT_MAIN_NATIVE, TT_MAIN_LEARNED, TT_MAIN_GATEWAY, _TT_MAIN_N } TtMainKey;

typedef struct {
    TtTristate native;
    TtLearned learned;
    TtGatewayMode gateway;
    TtOrigin origin[_TT_MAIN_N]; /* file NULL: the default */
} TtMain;

/* The match keys of a section, in the order in which they are printed. */
typedef enum {
    TT_KEY_DEVICE,
    TT_KEY_CONNECTION,
    TT_KEY_FAMILY,
    TT_KEY_DESTINATION,
    TT_KEY_TABLE,
    TT_KEY_PROTOCOL,
    TT_KEY_GATEWAY,
    _TT_KEY_N,
} TtMatchKey;

typedef struct TtMatchKeys TtMatchKeys; /* the parsed match keys of a section: core/match.h */

typedef struct {
    char *name; /* "route" or "route-storage" */
    TtOrigin origin;
    TtMatchKeys *keys;
    TtOrigin key_origin[_TT_KEY_N]; /* file NULL: omitted */
    TtWish wish[_TT_ATTR_N];
    TtWish lock; /* value.number: TT_METRIC_BIT()s that shall be locked; NONE as above */
    bool stop_match;
    TtOrigin stop_origin;
} TtSection;

/* [host], parsed and checked; names of the kernel's own knobs. */
typedef enum {
    TT_HOST_TCP_THIN_LINEAR_TIMEOUTS, /* 0, 1 */
    TT_HOST_TCP_THIN_DUPACK,          /* 0, 1 */
    TT_HOST_TCP_TW_REUSE,             /* 0 no, 1 yes, 2 loopback */
    TT_HOST_HYSTART_DETECT,           /* 0 none, 1 ack-train, 2 delay, 3 both */
    TT_HOST_DEFAULT_QDISC,            /* text */
    TT_HOST_RTO_MIN,                  /* microseconds, for net.ipv4.tcp_rto_min_us */
    _TT_HOST_N,
} TtHostKey;

typedef struct {
    TtWishKind kind;
    guint32 number;
    char *text;
    TtOrigin origin;
} TtHostWish;

typedef struct {
    TtMain main;
    GPtrArray *sections; /* TtSection, in the order in which they are tried; plain [route] last */
    TtHostWish host[_TT_HOST_N];
    GPtrArray *files;    /* char *: every file read, lowest priority first */
    GPtrArray *warnings; /* char *: "FILE:LINE: ..." */
} TtPolicy;

/*
 * Reads the policy of this host. `root` is put before /etc, /run and /usr/lib; NULL for the real
 * ones. No file at all is an empty policy, not an error. Error: TT_ERROR_POLICY. (transfer full)
 */
TtPolicy *tt_policy_load(const char *root, GError **error);

/* Reads one file alone, for `policy check FILE`; "-" is standard input, whose owner and mode
 * do not count. A named file's do not either: it is a candidate. (transfer full) */
TtPolicy *tt_policy_load_file(const char *path, GError **error);

/* Parses text as if it were a file of that name. (transfer full) */
TtPolicy *tt_policy_parse(const char *name, const char *text, gsize len, GError **error);

void tt_policy_free(TtPolicy *policy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtPolicy, tt_policy_free)

const char *tt_host_key_name(TtHostKey key);

/*
 * Every key that some file names, in the order of the search: `value` as the file would say it.
 * A section begins with a call of its own, without key and value; `origin` is where it stands,
 * NULL for main and host, which may be spread over files.
 */
typedef void (*TtPolicyFunc)(const char *section,
                             const char *key,
                             const char *value,
                             const TtOrigin *origin,
                             gpointer data);
void tt_policy_foreach(const TtPolicy *policy, TtPolicyFunc func, gpointer data);

/* A wish that is set as the kernel writes the value ("2"), and the kernel's value as a policy
 * writes it ("loopback", "50ms"); what has no word stays as it is. (transfer full) */
char *tt_host_wish_value(TtHostKey key, const TtHostWish *wish);
char *tt_host_value_word(TtHostKey key, const char *value);

/* As the file would say it, every key with " # FILE:LINE" on the line above. (transfer full) */
char *tt_policy_format(const TtPolicy *policy);

/* What a reader of the kernel's tables has to look at for this policy; cheap to ask. */
typedef struct {
    bool family[2];     /* IPv4, IPv6: some section can match it */
    bool only_defaults; /* no section names another destination than `default` */
    bool only_main;     /* no section names another table than main */
    bool connected;     /* some section says destination=connected: addresses are needed */
    bool link_details;  /* some section matches by type, driver or mac: a name is not enough */
    bool connection;    /* some section matches by connection */
} TtPolicyReach;

TtPolicyReach tt_policy_reach(const TtPolicy *policy);
