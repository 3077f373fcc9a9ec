/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dispatcher/notify.h"
#include "tt-test.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct {
    char *dir;
    char *path; /* a socket in it, for NOTIFY_SOCKET */
    int fd;
} Fixture;

static int
listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t len = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + strlen(path));

    memcpy(address.sun_path, path, strlen(path));
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    if (fd >= 0 && bind(fd, (struct sockaddr *) &address, len) == 0)
        return fd;
    return -1;
}

static int
set_up(void **state)
{
    Fixture *f = g_new0(Fixture, 1);

    f->dir = g_dir_make_tmp("tcptune-nm-notify-XXXXXX", NULL);
    f->path = f->dir ? g_build_filename(f->dir, "socket", NULL) : NULL;
    f->fd = f->path ? listen_at(f->path) : -1;
    *state = f;
    return f->fd >= 0 ? 0 : -1;
}

static int
tear_down(void **state)
{
    Fixture *f = *state;

    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    close(f->fd);
    g_unlink(f->path);
    g_rmdir(f->dir);
    g_free(f->path);
    g_free(f->dir);
    g_free(f);
    return 0;
}

/* NULL: nothing came. */
static void
assert_received(int fd, const char *expected)
{
    char text[256];
    ssize_t len = recv(fd, text, sizeof text - 1, 0);

    if (!expected) {
        assert_true(len < 0);
        return;
    }
    assert_true(len >= 0);
    text[len] = '\0';
    assert_string_equal(text, expected);
}

static void
test_path(void **state)
{
    Fixture *f = *state;

    setenv("NOTIFY_SOCKET", f->path, 1);
    tt_notify("READY=1");
    tt_notify("RELOADING=1\nMONOTONIC_USEC=7");
    assert_received(f->fd, "READY=1");
    assert_received(f->fd, "RELOADING=1\nMONOTONIC_USEC=7");
    assert_received(f->fd, NULL);
}

static void
test_abstract(void **state)
{
    g_autofree char *name = g_strdup_printf("@tcptune-nm-test-%d", (int) getpid());
    int fd = listen_at(name);

    assert_true(fd >= 0);
    setenv("NOTIFY_SOCKET", name, 1);
    tt_notify("WATCHDOG=1");
    assert_received(fd, "WATCHDOG=1");
    close(fd);
}

/* Nobody asked, nobody listens, or it is no address: nothing is sent, and nothing happens. */
static void
test_nobody(void **state)
{
    Fixture *f = *state;
    g_autofree char *far = g_strnfill(200, 'x');
    const char *const addresses[] = {"", "@", "/", "relative", "vsock:2:1", "/no/such/socket", far};

    tt_notify("READY=1");
    far[0] = '/';
    for (guint i = 0; i < G_N_ELEMENTS(addresses); i++) {
        setenv("NOTIFY_SOCKET", addresses[i], 1);
        tt_notify("READY=1");
    }
    assert_received(f->fd, NULL);
}

static void
assert_watchdog(const char *usec, const char *pid, guint expected_ms)
{
    setenv("WATCHDOG_USEC", usec, 1);
    if (pid)
        setenv("WATCHDOG_PID", pid, 1);
    else
        unsetenv("WATCHDOG_PID");
    assert_int_equal(tt_notify_watchdog_ms(), expected_ms);
}

static void
test_watchdog(void **state)
{
    g_autofree char *self = g_strdup_printf("%d", (int) getpid());
    g_autofree char *other = g_strdup_printf("%d", (int) getppid());

    assert_int_equal(tt_notify_watchdog_ms(), 0);
    assert_watchdog("30000000", self, 15000);
    assert_watchdog("30000000", NULL, 15000);
    assert_watchdog("30000000", other, 0);
    assert_watchdog("30000000", "", 0);
    assert_watchdog("", self, 0);
    assert_watchdog("nonsense", self, 0);
    assert_watchdog("0", self, 0);
    assert_watchdog("18446744073709551615", self, G_MAXUINT);
}

#define with_socket(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        with_socket(test_path),
        with_socket(test_abstract),
        with_socket(test_nobody),
        with_socket(test_watchdog),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
