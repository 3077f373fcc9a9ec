/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses: nmcli's numbers where the meaning is the same, and the errors behind them. */
#pragma once

#include <glib.h>

typedef enum {
    TT_EXIT_OK = 0,
    TT_EXIT_FAILED = 1,  /* also: a policy file with an error */
    TT_EXIT_USAGE = 2,   /* the command line */
    TT_EXIT_TIMEOUT = 3, /* waited as long as --wait says */
    TT_EXIT_NM_NOT_RUNNING = 8,
    TT_EXIT_NOT_FOUND = 10, /* a device, file or address that was named */
    TT_EXIT_DIFFERS = 11,   /* not as the policy says */
    TT_EXIT_COMPLETE_FILE = 65,
} TtExit;

#define TT_USAGE_ERROR (tt_usage_error_quark())
GQuark tt_usage_error_quark(void);

/* An error of the command line, for TT_EXIT_USAGE. Returns false, so that it can be returned. */
gboolean tt_usage_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

TtExit tt_exit_from_error(const GError *error);
