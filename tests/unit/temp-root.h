/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A temporary folder in place of the root of the file system: cmocka's *state is its path. */
#pragma once

#include "tt-test.h"

int tt_temp_root_new(void **state);
int tt_temp_root_free(void **state);

/* The path of a file below root, whose folder exists. (transfer full) */
char *tt_temp_place(const char *root, const char *file);

void tt_temp_put(const char *root, const char *file, const char *text);
void tt_temp_link(const char *root, const char *file, const char *target);

/* The file and, if it is a folder, all in it; one that is not there is none. */
void tt_temp_remove(const char *root, const char *file);
