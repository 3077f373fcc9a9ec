/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `measure --listen`: the other end. Echoes requests and swallows transfers, for anybody who
 * connects. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Serves "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT" until a signal comes. */
bool tt_measure_listen(const char *where, GError **error);
