/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * What every program does first: no netlink socket or state file may become one of the standard
 * descriptors, files are made readable, and a reader who goes away does not stop the work midway.
 */
void tt_process_prepare(void);
