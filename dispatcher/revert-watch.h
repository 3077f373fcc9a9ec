/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A revert leaves a mark, and the next run that somebody asked for takes it away; that run may
 * concern one device only, and change no route. Who stood back meanwhile has to know. inotify(7).
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct TtRevertWatch TtRevertWatch;

TtRevertWatch *tt_revert_watch_new(const char *run_dir, GError **error);
void tt_revert_watch_free(TtRevertWatch *watch);
int tt_revert_watch_fd(const TtRevertWatch *watch);

/* True if the mark came or went since the last call. */
bool tt_revert_watch_read(TtRevertWatch *watch);
