/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way out for text: no name of a device commands the terminal (quote.h). */
#pragma once

#include <stdio.h>

void tt_print(FILE *to, const char *text);

/* "BEGINNINGtext\n"; to standard error only after what standard output still holds. */
void tt_print_line(FILE *to, const char *beginning, const char *text);
