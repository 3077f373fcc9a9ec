/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of devices are bytes that anybody may have chosen: all but blank, slash and colon. Pure.
 */
#pragma once

/* For a terminal: whatever is not printable UTF-8 becomes \033, byte by byte; line ends stay.
 * (transfer full) */
char *tt_quote_escape(const char *text);

/* One word of a shell: as it is, 'in quotes', or $'with \033'. (transfer full) */
char *tt_quote_word(const char *text);
