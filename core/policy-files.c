/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files make the policy, and whether they can be trusted: only root may be able to change
 * what the hook, which runs as root, does to the host.
 */
#include "policy-internal.h"

#include "conf-folder.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAIN_FILE "tcptune-nm.conf"

/* The first hides the others. */
static const char *const folders[] = {
    "/etc/tcptune-nm",
    "/run/tcptune-nm",
    "/usr/lib/tcptune-nm",
};

typedef enum {
    FOUND_ERROR,
    FOUND_NONE,
    FOUND_MASK, /* a link to /dev/null: there, and empty */
    FOUND_TEXT,
} Found;

static bool
fail(GError **error, const char *path, const char *reason)
{
    g_autofree char *name = g_filename_display_name(path);

    g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "%s: %s", name, reason);
    return false;
}

/* Not for the administrator to mend; the next time it may work. */
static bool
is_trouble_of_the_machine(int code)
{
    static const int codes[] = {EIO, EINTR, EAGAIN, ENOMEM, ENOSPC, EMFILE, ENFILE};

    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        if (codes[i] == code)
            return true;
    }
    return false;
}

static bool
fail_errno(GError **error, const char *path, const char *what, int code)
{
    g_autofree char *name = g_filename_display_name(path);

    g_set_error(error, TT_ERROR, is_trouble_of_the_machine(code) ? TT_ERROR_STATE : TT_ERROR_POLICY,
                "%s: %s: %s", name, what, g_strerror(code));
    return false;
}

/* Tests cannot always be root: below a root of their own, the caller's files will do. */
static bool
check_trust(const char *path, const struct stat *st, const char *root, GError **error)
{
    g_autofree char *reason = NULL;

    if (st->st_uid != 0 && !(root && st->st_uid == geteuid())) {
        reason = g_strdup_printf("owned by uid %u and not by root", st->st_uid);
        return fail(error, path, reason);
    }
    if (st->st_mode & (S_IWGRP | S_IWOTH)) {
        reason = g_strdup_printf("writable by group or others (mode %04o); chmod go-w",
                                 st->st_mode & 07777);
        return fail(error, path, reason);
    }
    return true;
}

static bool
check_regular(const char *path, mode_t mode, GError **error)
{
    const char *kind = "a device";

    if (S_ISREG(mode))
        return true;
    if (S_ISDIR(mode))
        kind = "a folder";
    else if (S_ISFIFO(mode))
        kind = "a FIFO";
    else if (S_ISSOCK(mode))
        kind = "a socket";
    {
        g_autofree char *reason = g_strdup_printf("%s and not a file", kind);

        return fail(error, path, reason);
    }
}

static bool
read_all(const char *path, int fd, GByteArray *text, GError **error)
{
    guint8 block[4096];

    for (;;) {
        gssize n = read(fd, block, sizeof(block));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(error, path, "cannot be read", errno);
        if (n == 0)
            return true;
        if (text->len + (gsize) n > TT_POLICY_FILE_MAX)
            return fail(error, path, "larger than 1 MiB");
        g_byte_array_append(text, block, (guint) n);
    }
}

/* Why a path that could not be opened could not; absent is no error. */
static Found
open_failed(const char *path, int code, GError **error)
{
    struct stat st;

    if (code == ENOENT && lstat(path, &st) != 0)
        return FOUND_NONE;
    if (code == ENOENT)
        fail(error, path, "a link to nowhere");
    /* open(2) of a socket, or of a device without a driver. */
    else if (code != ENXIO || stat(path, &st) != 0 || check_regular(path, st.st_mode, error))
        fail_errno(error, path, "cannot be opened", code);
    return FOUND_ERROR;
}

static Found
read_fd(const char *path, int fd, bool trusted, const char *root, GByteArray *text, GError **error)
{
    struct stat st;

    if (fstat(fd, &st) != 0) {
        fail_errno(error, path, "cannot be looked at", errno);
        return FOUND_ERROR;
    }
    if (trusted && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
        return FOUND_MASK;
    if (!check_regular(path, st.st_mode, error))
        return FOUND_ERROR;
    if (trusted && !check_trust(path, &st, root, error))
        return FOUND_ERROR;
    return read_all(path, fd, text, error) ? FOUND_TEXT : FOUND_ERROR;
}

/* `trusted`: the file counts, so it has to be root's; masks count as well. */
static Found
read_path(const char *path, bool trusted, const char *root, GByteArray *text, GError **error)
{
    /* O_NONBLOCK: a FIFO does not wait for its writer. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    Found found;

    if (fd < 0)
        return open_failed(path, errno, error);
    found = read_fd(path, fd, trusted, root, text, error);
    close(fd);
    return found;
}

/* FOUND_TEXT: a folder that only root can change. */
static Found
look_at_folder(const char *path, const char *root, GError **error)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return open_failed(path, errno, error);
    if (!S_ISDIR(st.st_mode)) {
        fail(error, path, "not a folder");
        return FOUND_ERROR;
    }
    return check_trust(path, &st, root, error) ? FOUND_TEXT : FOUND_ERROR;
}

static Found
add_file(TtPolicy *policy, const char *path, const char *root, GError **error)
{
    g_autoptr(GByteArray) text = g_byte_array_new();
    Found found = read_path(path, true, root, text, error);

    if (found == FOUND_TEXT
        && !tt_policy_add_text(policy, path, (const char *) text->data, text->len, root, error))
        return FOUND_ERROR;
    return found;
}

static bool
add_main_file(TtPolicy *policy, const char *root, GError **error)
{
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_strconcat(root ? root : "", folders[i], NULL);
        g_autofree char *path = g_build_filename(folder, MAIN_FILE, NULL);
        Found found = look_at_folder(folder, root, error);

        if (found == FOUND_TEXT)
            found = add_file(policy, path, root, error);
        if (found != FOUND_NONE)
            return found != FOUND_ERROR;
    }
    return true;
}

/* Adds name -> path of the names that are not there yet. */
static bool
list_folder(GHashTable *paths, const char *folder, const char *root, GError **error)
{
    Found found = look_at_folder(folder, root, error);

    if (found != FOUND_TEXT)
        return found == FOUND_NONE;
    return tt_conf_folder_list(folder, paths) || fail_errno(error, folder, "cannot be read", errno);
}

static bool
add_conf_d(TtPolicy *policy, const char *root, GError **error)
{
    g_autoptr(GHashTable) paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GList) names = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *parent = g_strconcat(root ? root : "", folders[i], NULL);
        g_autofree char *folder = g_build_filename(parent, "conf.d", NULL);
        Found found = look_at_folder(parent, root, error);

        if (found == FOUND_ERROR
            || (found == FOUND_TEXT && !list_folder(paths, folder, root, error)))
            return false;
    }
    names = tt_conf_folder_names(paths);
    for (GList *l = names; l; l = l->next) {
        const char *path = g_hash_table_lookup(paths, l->data);

        if (add_file(policy, path, root, error) == FOUND_ERROR)
            return false;
    }
    return true;
}

TtPolicy *
tt_policy_load(const char *root, GError **error)
{
    g_autoptr(TtPolicy) policy = tt_policy_new();

    if (!add_main_file(policy, root, error) || !add_conf_d(policy, root, error)
        || !tt_policy_finish(policy, error))
        return NULL;
    return g_steal_pointer(&policy);
}

TtPolicy *
tt_policy_load_file(const char *path, GError **error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "<stdin>" : path;
    g_autoptr(GByteArray) text = g_byte_array_new();
    Found found;

    if (is_stdin)
        found = read_all(name, STDIN_FILENO, text, error) ? FOUND_TEXT : FOUND_ERROR;
    else
        found = read_path(path, false, NULL, text, error);
    if (found == FOUND_NONE)
        fail_errno(error, path, "cannot be opened", ENOENT);
    if (found != FOUND_TEXT)
        return NULL;
    return tt_policy_parse(name, (const char *) text->data, text->len, error);
}
