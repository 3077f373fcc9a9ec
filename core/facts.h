/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is true of this host's devices at one moment, as far as matching needs it. Plain data:
 * core/rtnl and core/nm-state fill it, core/match and core/plan read it.
 */
#pragma once

#include "route.h"

typedef enum {
    TT_LINK_OTHER,
    TT_LINK_ETHERNET, /* also veth, as in NetworkManager's device specs */
    TT_LINK_WIFI,
    TT_LINK_INFINIBAND,
    TT_LINK_BOND,
    TT_LINK_TEAM,
    TT_LINK_BRIDGE,
    TT_LINK_VLAN,
    TT_LINK_VRF,
    TT_LINK_TUN,
    TT_LINK_WIREGUARD,
    TT_LINK_IP_TUNNEL,
    TT_LINK_PPP,
    TT_LINK_LOOPBACK,
    _TT_LINK_N,
} TtLinkType;

/* "ethernet", "tun": as written after `type:` in match-device. */
const char *tt_link_type_name(TtLinkType type);
bool tt_link_type_from_name(const char *name, TtLinkType *out_type);

/* Facts that a device which is not there yet does not have: TtLink.unknown. */
#define TT_LINK_UNKNOWN_NAME 0x1u
#define TT_LINK_UNKNOWN_TYPE 0x2u
#define TT_LINK_UNKNOWN_DRIVER 0x4u
#define TT_LINK_UNKNOWN_MAC 0x8u

typedef struct {
    int ifindex;
    guint unknown; /* TT_LINK_UNKNOWN_*: only of the device of a profile that is not active */
    TtLinkType type;
    char name[IF_NAMESIZE];
    char driver[32];         /* ETHTOOL_GDRVINFO; "" if there is none */
    guint8 mac[32];          /* the permanent address, else the current one */
    bool accept_ra;          /* the kernel itself makes routes of router advertisements here */
    guint mac_len;           /* 0: no address */
    char *connection_uuid;   /* of the profile that NetworkManager has active here; NULL: none */
    char *connection_id;     /* NULL: not known (no event seen yet) */
    GPtrArray *dhcp_routers; /* char *: dhcp4.routers of NetworkManager's state file; NULL: no DHCP
                                or not known */
} TtLink;

void tt_link_free(TtLink *link);

/* What an administrator did to a profile whose gateway we had moved into its routes. */
typedef enum {
    TT_STALE_GATEWAY = 1 << 0,       /* it has another one again */
    TT_STALE_METHOD = 1 << 1,        /* its method is not manual any more */
    TT_STALE_NEVER_DEFAULT = 1 << 2, /* it shall not have the default route */
} TtStale;

/* In one family of a profile. */
typedef struct {
    bool moved;                  /* all else says nothing without it */
    bool never_default_in_force; /* TT_STALE_NEVER_DEFAULT since the profile was last activated */
    TtAddress gateway;           /* the one that was moved */
    TtAddress new_gateway;       /* TT_STALE_GATEWAY */
    guint32 table;               /* where its default route is */
    guint stale;                 /* TT_STALE_*: what the profile says, in force or not */
} TtMovedGateway;

/* A profile that `apply` wrote to, as it is on disk. */
typedef struct {
    char *path;
    TtMovedGateway gateway[2]; /* IPv4, IPv6 */
} TtNotedProfile;

/* An address of this host with its prefix length: makes a prefix route "connected". */
typedef struct {
    guint8 family;
    guint8 prefix_len;
    int ifindex;
    TtAddress address;
    TtAddress prefix; /* the address (or its peer) with the host bits cleared */
} TtOwnAddress;

/* What the running NetworkManager does to a learned route that was tuned (design: which path). */
typedef enum {
    TT_NM_UNKNOWN,    /* no evidence */
    TT_NM_ABSENT,     /* this host has none: nobody changes a learned route behind our back */
    TT_NM_OLD,        /* before 1.40: leaves a tuned route alone */
    TT_NM_SILENT,     /* 1.40.0 to 1.42.5: changes it at a renewal, without an event */
    TT_NM_ANNOUNCING, /* 1.42.6, 1.44 and later: changes it, and the event comes with the change */
} TtNmRegime;

typedef struct {
    GHashTable *links;    /* ifindex -> TtLink (owned) */
    GHashTable *profiles; /* uuid -> TtNotedProfile: those that `apply` wrote to (owned) */
    GArray *addresses;    /* TtOwnAddress; empty unless the policy says destination=connected */
    TtNmRegime regime; /* from the daemon's version note; the plan adds the routes' own evidence */
    bool monitor_running; /* the monitor holds its lock */
} TtFacts;

TtFacts *tt_facts_new(void);
void tt_facts_free(TtFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtFacts, tt_facts_free)

/* (transfer none), NULL if the device is not among the facts. */
const TtLink *tt_facts_link(const TtFacts *facts, int ifindex);

/* Takes what it is given. */
void tt_facts_add_profile(TtFacts *facts, const char *uuid, TtNotedProfile *profile);
void tt_noted_profile_free(TtNotedProfile *profile);

/* Of the profile that is active on a device; NULL: there is no note of it, or it was not moved.
 * (transfer none) */
const TtMovedGateway *tt_facts_moved_gateway(const TtFacts *facts, int ifindex, int family);

/* Is this the prefix route of one of the host's own addresses? */
bool tt_facts_is_connected(const TtFacts *facts, const TtRoute *route);
