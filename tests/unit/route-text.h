/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routes for tests, from text, by way of the message that the kernel would send:
 *
 *   "inet default via 192.0.2.1 dev 3 metric 100 proto 16 rto_min 8 lock 13"
 *   "inet6 2001:db8::/32 metric 1024 nexthop via fe80::1 dev 3 nexthop via fe80::2 dev 4"
 *
 * Words: inet|inet6 PREFIX, then via, dev, metric, proto, table, scope, type, tos, src, from,
 * flags, nhid, expires (s), pref, realm, weight, rto_min, quickack, mtu, initcwnd, ssthresh,
 * congctl, lock RTAX.
 */
#pragma once

#include "core/route.h"

/* (transfer full) Fails the test on a word that it does not know. */
TtRoute *route_from_text(const char *text);

/* The same as bytes: an RTM_NEWROUTE. (transfer full) */
GByteArray *route_message_from_text(const char *text);
