/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether output has colours, by nmcli's rules and terminal-colors.d(5). */
#pragma once

#include "options.h"

/* What the choice depends on beside the option. */
typedef struct {
    const char *no_color;       /* $NO_COLOR; NULL: not set */
    const char *clicolor_force; /* $CLICOLOR_FORCE */
    const char *term;           /* $TERM */
    bool is_terminal;           /* is standard output one? */
    const char *const *folders; /* of terminal-colors.d, the first that is there counts */
} TtColorScene;

bool tt_colors_decide_in(TtColors colors, const TtColorScene *scene);

/* In the scene of this process. */
bool tt_colors_decide(TtColors colors);
