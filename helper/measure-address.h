/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <glib.h>
#include <netdb.h>
#include <stdbool.h>

/*
 * "HOST:PORT", "[2001:db8::1]:PORT"; to listen also "PORT", which means all addresses of both
 * families. The first address of a name counts. NULL: TT_USAGE_ERROR, or TT_ERROR_NOT_FOUND for a
 * name that has no address. freeaddrinfo() frees it.
 */
struct addrinfo *tt_measure_resolve(const char *where, bool to_listen, GError **error);
