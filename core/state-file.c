/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state-file.h"

#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
fail(GError **error, const char *what, const char *path)
{
    int saved = errno;

    g_set_error(error, TT_ERROR,
                saved == EPERM || saved == EACCES ? TT_ERROR_PERMISSION : TT_ERROR_STATE,
                "cannot %s %s: %s", what, path, g_strerror(saved));
    return false;
}

bool
tt_state_dir_make(const char *run_dir, GError **error)
{
    if (mkdir(run_dir, 0755) < 0 && errno != EEXIST)
        return fail(error, "make", run_dir);
    return true;
}

/* Whatever lies there in place of a file must not make us wait. */
static int
open_regular(const char *path, int flags, struct stat *out_st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);

    if (fd < 0)
        return -1;
    if (fstat(fd, out_st) == 0 && S_ISREG(out_st->st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

static bool
read_all(int fd, gsize max, GString *to)
{
    char block[4096];

    for (;;) {
        ssize_t n = read(fd, block, sizeof block);

        if (n == 0)
            return true;
        if ((n < 0 && errno != EINTR) || to->len > max)
            return false;
        if (n > 0)
            g_string_append_len(to, block, n);
    }
}

bool
tt_state_file_read(const char *run_dir, const char *name, char **out_text, GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, name, NULL);
    GString *text;
    struct stat st;
    int fd = open_regular(path, O_NOFOLLOW, &st);
    bool ok;

    *out_text = NULL;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || fail(error, "read", path);
    text = g_string_new(NULL);
    ok = read_all(fd, G_MAXSIZE, text);
    if (!ok)
        fail(error, "read", path);
    close(fd);
    *out_text = g_string_free(text, !ok);
    return ok;
}

static bool
write_all(int fd, const char *text, gsize len)
{
    while (len > 0) {
        ssize_t n = write(fd, text, len);

        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            text += n;
            len -= (gsize) n;
        }
    }
    return true;
}

static bool
write_aside(const char *path, const char *text, gsize len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool written;
    int saved;

    if (fd < 0)
        return false;
    /* Whatever the caller's umask is: status reads it without root. */
    written = write_all(fd, text, len) && fchmod(fd, 0644) == 0;
    saved = errno;
    close(fd);
    errno = saved;
    return written;
}

bool
tt_state_file_write(const char *run_dir,
                    const char *name,
                    const char *text,
                    gsize len,
                    GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, name, NULL);
    g_autofree char *aside = g_strconcat(path, ".new", NULL);

    if (!write_aside(aside, text, len))
        return fail(error, "write", aside);
    if (rename(aside, path) < 0)
        return fail(error, "rename", aside);
    return true;
}

bool
tt_state_file_remove(const char *run_dir, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(run_dir, name, NULL);

    if (unlink(path) < 0 && errno != ENOENT && errno != ENOTDIR)
        return fail(error, "remove", path);
    return true;
}

bool
tt_state_file_read_trusted(const char *path, gsize max, char **out_text, gsize *out_len)
{
    struct stat st;
    int fd = open_regular(path, 0, &st);
    GString *text;
    bool ok;

    if (fd < 0)
        return false;
    text = g_string_new(NULL);
    ok = st.st_uid == 0 && !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size <= (off_t) max
         && read_all(fd, max, text);
    close(fd);
    *out_len = text->len;
    *out_text = g_string_free(text, !ok);
    return ok;
}
