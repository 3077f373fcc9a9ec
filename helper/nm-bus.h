/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls to the NetworkManager that runs now, many at a time but never too many: a bus may allow a
 * client 128 unanswered calls (max_replies_per_connection of dbus-daemon), and refuses the others.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct TtNmBus TtNmBus;

/* Does not start the daemon. TT_ERROR_NM_NOT_RUNNING: there is no daemon, or no bus.
 * (transfer full) */
TtNmBus *tt_nm_bus_new(GError **error);
void tt_nm_bus_free(TtNmBus *bus);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtNmBus, tt_nm_bus_free)

typedef struct {
    const char *path;
    const char *interface;
    const char *method;
    GVariant *arguments; /* a tuple, floating or not; NULL: none */
    int timeout_ms;      /* 0: 25 s, as libnm has it */
} TtNmCall;

/* `reply` is a tuple, NULL with an error. Both are borrowed. */
typedef void (*TtNmReplyFunc)(GVariant *reply, const GError *error, gpointer data);

/* Puts a call in line; `func` gets its outcome, whatever it is, and may put further calls in line.
 * `first`: before those that wait. */
void
tt_nm_bus_queue(TtNmBus *bus, const TtNmCall *call, bool first, TtNmReplyFunc func, gpointer data);

/* Until every call in line has been answered or given up. */
void tt_nm_bus_run(TtNmBus *bus);

/* One call, now. NULL: with an error. (transfer full) */
GVariant *tt_nm_bus_call(TtNmBus *bus, const TtNmCall *call, GError **error);

/* Is the error of a call that of a daemon, or a bus, that has gone? */
bool tt_nm_bus_is_gone(const GError *error);

/* Did the daemon answer with this error ("VersionIdMismatch", whatever its interface)? */
bool tt_nm_bus_is_refusal(const GError *error, const char *name);

/* Without what GDBus puts in front of it. (transfer full) */
char *tt_nm_bus_error_text(const GError *error);
