/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One lock orders hook, monitor, apply and revert. Who cannot have it within a second marks the
 * state dirty and leaves; the holder plans again before it lets go.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct TtLock TtLock;

typedef enum {
    TT_LOCK_HELD,
    TT_LOCK_LEFT, /* somebody else has it and was told to look again */
} TtLockResult;

/* Makes run_dir (mode 0755) where it is missing. False: TT_ERROR_STATE or TT_ERROR_PERMISSION. */
bool tt_lock_take(const char *run_dir,
                  guint timeout_ms,
                  TtLock **out_lock,
                  TtLockResult *out_result,
                  GError **error);

/* True if somebody left a mark meanwhile: plan again. Clears the mark. */
bool tt_lock_was_marked(TtLock *lock);

/* True: released. False: a mark came at the last moment, the lock is still held, plan again. */
bool tt_lock_release(TtLock *lock);
void tt_lock_free(TtLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TtLock, tt_lock_free)

/* When the lock was last taken: a run of hook, monitor, apply or revert. Seconds since the epoch;
 * 0: never since the boot. */
gint64 tt_lock_last_taken(const char *run_dir);

/* Does the monitor hold its lock ("monitor" in run_dir)? */
bool tt_lock_monitor_running(const char *run_dir);

/* The lock of the monitor itself, held until the descriptor is closed. -1: TT_ERROR_STATE, also
 * where another one has it for a second. */
int tt_lock_monitor_take(const char *run_dir, GError **error);

/* Puts those in order who write profiles ("profiles-lock" in run_dir): held until the descriptor is
 * closed. -1: TT_ERROR_TIMEOUT, TT_ERROR_STATE, TT_ERROR_PERMISSION. */
int tt_lock_profiles_take(const char *run_dir, guint timeout_ms, GError **error);

/* The same for `measure`, whose routes are nobody's once its lock is free. */
bool tt_lock_measure_running(const char *run_dir);
int tt_lock_measure_take(const char *run_dir, GError **error);
