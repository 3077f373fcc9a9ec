/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live connection in the words of a table's cells. Pure. All (transfer full). */
#pragma once

#include "live.h"

/* "12ms", "0.06ms"; "" where nothing is known. */
char *tt_live_text_us(const TtSocket *socket, guint32 us);

/* "40ms", "3.2s", "5m": since data went either way. */
char *tt_live_text_idle(const TtSocket *socket);

/* "14 connections: 10 tuned, 2 not yet, 1 stale, 1 not tuned". */
char *tt_live_text_sum(const GPtrArray *live);
