/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "colors.h"

#include <string.h>
#include <unistd.h>

#define PROGRAM "tcptune-nm"

/* terminal-colors.d(5): [[NAME][@TERM].]disable or enable; the more it names, the more it counts.
 */
static int
weigh(const char *file, const char *term, const char *type)
{
    g_auto(GStrv) parts = NULL;
    const char *dot = strrchr(file, '.');
    g_autofree char *scope = NULL;
    int weight = 1;

    if (!g_str_equal(dot ? dot + 1 : file, type))
        return 0;
    scope = g_strndup(file, dot ? (gsize) (dot - file) : 0);
    parts = g_strsplit(scope, "@", 2);
    if (parts[0] && parts[0][0] && !g_str_equal(parts[0], PROGRAM))
        return 0;
    if (parts[0] && parts[0][0])
        weight += 2;
    if (!parts[0] || !parts[1])
        return weight;
    return term && g_str_equal(parts[1], term) ? weight + 1 : 0;
}

/* Above 0: enabled; below: disabled; 0: nothing is said. */
static int
look_into(const char *folder, const char *term)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    int enable = 0, disable = 0;
    const char *name;

    while (dir && (name = g_dir_read_name(dir))) {
        enable = MAX(enable, weigh(name, term, "enable"));
        disable = MAX(disable, weigh(name, term, "disable"));
    }
    return enable >= disable ? enable : -disable;
}

static int
ask_folders(const TtColorScene *scene)
{
    for (const char *const *folder = scene->folders; folder && *folder; folder++) {
        if (g_file_test(*folder, G_FILE_TEST_IS_DIR))
            return look_into(*folder, scene->term);
    }
    return 0;
}

/* The order is nmcli's (src/nmcli/nmcli.c: check_colors, 1.46). */
bool
tt_colors_decide_in(TtColors colors, const TtColorScene *scene)
{
    if (colors != TT_COLORS_AUTO)
        return colors == TT_COLORS_YES;
    if (scene->no_color && scene->no_color[0])
        return false;
    if (scene->clicolor_force && scene->clicolor_force[0]
        && strcmp(scene->clicolor_force, "0") != 0)
        return true;
    if (!scene->is_terminal || !scene->term || g_str_equal(scene->term, "dumb"))
        return false;
    return ask_folders(scene) >= 0;
}

bool
tt_colors_decide(TtColors colors)
{
    g_autofree char *own = g_build_filename(g_get_user_config_dir(), "terminal-colors.d", NULL);
    const char *const folders[] = {own, "/etc/terminal-colors.d", NULL};
    const TtColorScene scene = {
        .no_color = g_getenv("NO_COLOR"),
        .clicolor_force = g_getenv("CLICOLOR_FORCE"),
        .term = g_getenv("TERM"),
        .is_terminal = isatty(STDOUT_FILENO),
        .folders = folders,
    };

    return tt_colors_decide_in(colors, &scene);
}
