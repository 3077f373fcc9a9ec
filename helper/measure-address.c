/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-address.h"

#include "core/error.h"
#include "core/text.h"
#include "exit.h"

#include <string.h>
#include <unistd.h>

/* Splits at the last colon. An IPv6 address needs its brackets: which colon would it be? */
static bool
split(const char *where, char **out_host, const char **out_port)
{
    const char *colon = strrchr(where, ':');
    gsize len = colon ? (gsize) (colon - where) : 0;

    *out_port = colon ? colon + 1 : where;
    if (len > 2 && where[0] == '[' && where[len - 1] == ']')
        *out_host = g_strndup(where + 1, len - 2);
    else if (memchr(where, ':', len) || (colon && len == 0))
        return false;
    else
        *out_host = len ? g_strndup(where, len) : NULL;
    return true;
}

struct addrinfo *
tt_measure_resolve(const char *where, bool to_listen, GError **error)
{
    struct addrinfo hints = {
        .ai_socktype = SOCK_STREAM,
        .ai_flags = to_listen ? AI_PASSIVE : 0,
    };
    g_autofree char *host = NULL;
    const char *port;
    struct addrinfo *found;
    guint32 number;
    int r;

    if (!split(where, &host, &port) || !tt_text_number(port, 65535, &number) || number == 0
        || (!host && !to_listen)) {
        tt_usage_error(error, "'%s' is not HOST:PORT; an IPv6 address goes in brackets.", where);
        return NULL;
    }
    if (!host) /* IPv6 sockets take IPv4 as well */
        hints.ai_family = access("/proc/self/net/if_inet6", F_OK) == 0 ? AF_INET6 : AF_INET;
    r = getaddrinfo(host, port, &hints, &found);
    if (r == 0)
        return found;
    g_set_error(error, TT_ERROR, TT_ERROR_NOT_FOUND, "%s: %s.", host ? host : where,
                gai_strerror(r));
    return NULL;
}
