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
open_regular(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

static bool
read_all(int fd, GString *to)
{
    char block[4096];

    for (;;) {
        ssize_t n = read(fd, block, sizeof block);

        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
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
    int fd = open_regular(path);
    bool ok;

    *out_text = NULL;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || fail(error, "read", path);
    text = g_string_new(NULL);
    ok = read_all(fd, text);
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
