/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* Asks the running NetworkManager for its version and notes it for hook and plan. Without bus or
 * daemon, or if anything fails, nothing happens: what is not known is not used. */
void tt_nm_version_note(void);
