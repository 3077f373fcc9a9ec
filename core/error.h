/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one error domain. A code exists only where a caller acts on it. */
#pragma once

#include <glib.h>

#define TT_ERROR (tt_error_quark())

typedef enum {
    TT_ERROR_POLICY,     /* a policy file: syntax, key, value, owner, mode; nothing was changed */
    TT_ERROR_NETLINK,    /* the kernel refused or the netlink socket failed */
    TT_ERROR_PERMISSION, /* the caller may not do this: not root */
    TT_ERROR_STATE,      /* journal, lock or another file could not be read or written */
    TT_ERROR_NOT_FOUND,  /* a device, file or address that the user named does not exist */
    TT_ERROR_TIMEOUT,    /* another run held the lock for longer than the user wanted to wait */
    TT_ERROR_NM,         /* NetworkManager refused, or did not answer */
    TT_ERROR_NM_NOT_RUNNING,
} TtError;

GQuark tt_error_quark(void);
