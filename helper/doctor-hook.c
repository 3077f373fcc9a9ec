/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does NetworkManager run the hook? What nm-dispatcher looks at is what stat(2) says of the file
 * (src/nm-dispatcher/nm-dispatcher.c: check_permissions, 1.42); one in /etc hides one of the same
 * name in /usr/lib, whatever it is.
 */
#include "core/hook-note.h"
#include "core/nm-state.h"
#include "doctor.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#define CHECK "hook"
#define HOOK "90-tcptune-nm"
#define ETC_DIR "/etc/NetworkManager/dispatcher.d"
#define LIB_DIR "/usr/lib/NetworkManager/dispatcher.d"
#define LABEL "NetworkManager_dispatcher_script_t"
#define INSTALL                                                                                    \
    "install -o root -g root -m 0755 " HOOK " " LIB_DIR "/, or install the package tcptune-nm"

/* "/etc/NetworkManager/dispatcher.d/pre-up.d/90-tcptune-nm" */
static char *
path_of(const TtDoctor *doctor, const char *dir, const char *below)
{
    return g_build_filename(doctor->root, dir, below, HOOK, NULL);
}

static bool
is_there(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

/* The one that counts. NULL: there is none. */
static char *
find(const TtDoctor *doctor, const char *below)
{
    g_autofree char *etc = path_of(doctor, ETC_DIR, below);
    g_autofree char *lib = path_of(doctor, LIB_DIR, below);

    if (is_there(etc))
        return g_steal_pointer(&etc);
    return is_there(lib) ? g_steal_pointer(&lib) : NULL;
}

static void
refused(TtDoctor *doctor, const char *path, const char *why, const char *command)
{
    g_autofree char *remedy = g_strdup_printf("%s %s", command, path);

    tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, remedy,
                  "%s is %s: nm-dispatcher does not run it", path, why);
}

/* Masked on purpose or by accident: the dispatcher says nothing about it. */
static bool
is_masked(TtDoctor *doctor, const char *path, const struct stat *st)
{
    g_autofree char *target = g_file_read_link(path, NULL);
    bool null = target && g_str_equal(target, "/dev/null");
    g_autofree char *remedy = g_strdup_printf("rm %s", path);

    if (!null && !(S_ISREG(st->st_mode) && st->st_size == 0))
        return false;
    tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, remedy, "%s is %s: the hook is switched off",
                  path, null ? "a link to /dev/null" : "an empty file");
    return true;
}

static bool
is_runnable(TtDoctor *doctor, const char *path)
{
    guint n = doctor->findings->len;
    struct stat st;

    if (stat(path, &st) < 0) {
        refused(doctor, path, "a link that leads nowhere", "rm");
        return false;
    }
    if (is_masked(doctor, path, &st))
        return false;
    if (!S_ISREG(st.st_mode)) {
        refused(doctor, path, "no regular file", "rm -r");
        return false;
    }
    if (st.st_uid != 0)
        refused(doctor, path, "not owned by root", "chown root:root");
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        refused(doctor, path, "writable by group or others", "chmod 0755");
    if (st.st_mode & S_ISUID)
        refused(doctor, path, "set-user-ID", "chmod 0755");
    if (!(st.st_mode & S_IXUSR))
        refused(doctor, path, "not executable by its owner", "chmod 0755");
    return doctor->findings->len == n;
}

static bool
has_selinux(const TtDoctor *doctor)
{
    g_autofree char *path = tt_doctor_path(doctor, "/sys/fs/selinux/enforce");

    return is_there(path);
}

/* The domain that scripts of the dispatcher run in comes from the file's own label. */
static void
check_label(TtDoctor *doctor, const char *path)
{
    char label[256] = "";
    g_autofree char *remedy = g_strdup_printf("restorecon -v %s", path);
    g_autofree char *target = g_file_read_link(path, NULL);

    if (!has_selinux(doctor))
        return;
    if (target)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, INSTALL,
                      "%s is a link to %s: SELinux goes by the label of that file", path, target);
    else if (getxattr(path, "security.selinux", label, sizeof label - 1) < 0
             || !strstr(label, ":" LABEL ":"))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, remedy,
                      "%s has the SELinux label '%s', not " LABEL, path, label);
}

static void
check_hidden(TtDoctor *doctor)
{
    g_autofree char *etc = path_of(doctor, ETC_DIR, "");
    g_autofree char *lib = path_of(doctor, LIB_DIR, "");
    g_autofree char *remedy = g_strdup_printf("rm %s", etc);

    if (is_there(etc) && is_there(lib))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE, remedy,
                      "%s hides %s: an upgrade of the package will not reach it", etc, lib);
}

static void
check_pre_up(TtDoctor *doctor, const char *hook)
{
    g_autofree char *found = find(doctor, "pre-up.d");
    g_autofree char *dir = g_path_get_dirname(hook);
    g_autofree char *remedy =
        g_strdup_printf("mkdir -p %s/pre-up.d && ln -s ../" HOOK " %s/pre-up.d/" HOOK, dir, dir);

    if (!found)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE, remedy,
                      "there is no link in pre-up.d: programs that wait for the network may begin "
                      "before their route is tuned");
}

static void
check_ran(TtDoctor *doctor, const char *hook)
{
    if (tt_hook_note_is_there(doctor->run_dir))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL, "%s, has run since boot", hook);
    else
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE,
                      "nmcli connection up ID makes an event (and interrupts that connection)",
                      "%s has not run since boot: no event has come since it was installed, or "
                      "nm-dispatcher does not run it",
                      hook);
}

void
tt_doctor_hook(TtDoctor *doctor)
{
    g_autofree char *hook = find(doctor, "");

    if (tt_nm_state_regime(doctor->run_dir) == TT_NM_ABSENT)
        return;
    if (!hook) {
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, INSTALL,
                      HOOK " is neither in " ETC_DIR " nor in " LIB_DIR
                           ": NetworkManager undoes what apply did at its next change");
        return;
    }
    check_hidden(doctor);
    if (!is_runnable(doctor, hook))
        return;
    check_label(doctor, hook);
    check_pre_up(doctor, hook);
    check_ran(doctor, hook);
}
