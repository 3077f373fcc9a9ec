/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files of sysctl.d(5) count at the next boot, and in which order. Reads no file. */
#pragma once

#include <glib.h>

/*
 * char *, the first read first: *.conf of all folders, sorted by name together, a name in /etc
 * hiding it in the others, an empty file or a link to /dev/null masking it; then /etc/sysctl.conf,
 * where no link in a folder leads to it. `root` is put before all of them; NULL: none. What cannot
 * be looked at is left out. (transfer full)
 */
GPtrArray *tt_sysctl_files_list(const char *root);
