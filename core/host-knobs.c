/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-knobs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SYSCTL_DIR "/proc/sys/"

/* Only the first network namespace has it, in all versions (net/core/sysctl_net_core.c). */
#define FIRST_NAMESPACE_FILE "/proc/sys/net/core/netdev_budget"

static const struct {
    const char *path;
    const char *home;   /* always there where /proc and /sys are what they should be */
    const char *module; /* there while its module is loaded, or built in */
    bool host_wide;
} knobs[] = {
    [TT_HOST_TCP_THIN_LINEAR_TIMEOUTS] = {"/proc/sys/net/ipv4/tcp_thin_linear_timeouts",
                                          "/proc/sys/net/ipv4"},
    [TT_HOST_TCP_THIN_DUPACK] = {"/proc/sys/net/ipv4/tcp_thin_dupack", "/proc/sys/net/ipv4"},
    [TT_HOST_TCP_TW_REUSE] = {"/proc/sys/net/ipv4/tcp_tw_reuse", "/proc/sys/net/ipv4"},
    [TT_HOST_HYSTART_DETECT] = {"/sys/module/tcp_cubic/parameters/hystart_detect", "/sys/module",
                                "/sys/module/tcp_cubic", .host_wide = true},
    [TT_HOST_DEFAULT_QDISC] = {"/proc/sys/net/core/default_qdisc", "/proc/sys/net/core",
                               .host_wide = true},
    [TT_HOST_RTO_MIN] = {"/proc/sys/net/ipv4/tcp_rto_min_us", "/proc/sys/net/ipv4"},
};
G_STATIC_ASSERT(G_N_ELEMENTS(knobs) == _TT_HOST_N);

const char *
tt_knob_path(TtHostKey key)
{
    return knobs[key].path;
}

const char *
tt_knob_sysctl(TtHostKey key)
{
    return g_str_has_prefix(knobs[key].path, SYSCTL_DIR) ? knobs[key].path + strlen(SYSCTL_DIR)
                                                         : NULL;
}

bool
tt_knob_is_host_wide(TtHostKey key)
{
    return knobs[key].host_wide;
}

static bool
is_there(const char *root, const char *path)
{
    g_autofree char *full = g_strconcat(root ? root : "", path, NULL);

    return access(full, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool
tt_knob_in_namespace(const char *root)
{
    return is_there(root, "/proc/sys/net/core") && !is_there(root, FIRST_NAMESPACE_FILE);
}

static int
open_knob(const char *root, TtHostKey key, int flags)
{
    g_autofree char *path = g_strconcat(root ? root : "", knobs[key].path, NULL);
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

static TtKnobStatus
why_absent(const char *root, TtHostKey key)
{
    if (!is_there(root, knobs[key].home))
        return TT_KNOB_HIDDEN;
    if (knobs[key].module)
        return is_there(root, knobs[key].module) ? TT_KNOB_ABSENT : TT_KNOB_NOT_LOADED;
    return knobs[key].host_wide && tt_knob_in_namespace(root) ? TT_KNOB_ELSEWHERE : TT_KNOB_ABSENT;
}

/* One word on one line; *text is ended by 0. */
static bool
take_value(char *text, char *value)
{
    text[strcspn(text, "\n")] = '\0';
    for (const char *p = text; *p; p++) {
        if (!g_ascii_isgraph(*p))
            return false;
    }
    return *text && g_strlcpy(value, text, TT_KNOB_VALUE_LEN) < TT_KNOB_VALUE_LEN;
}

static int
read_value(int fd, char *value)
{
    char text[2 * TT_KNOB_VALUE_LEN];
    ssize_t n;

    do
        n = read(fd, text, sizeof text - 1);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    text[n] = '\0';
    if (take_value(text, value))
        return 0;
    value[0] = '\0';
    return -EBADMSG;
}

void
tt_knob_read(const char *root, TtHostKey key, TtKnobReading *out_reading)
{
    int fd = open_knob(root, key, O_RDONLY);
    TtKnobReading reading = {.status = TT_KNOB_HERE};

    reading.error = fd < 0 ? fd : read_value(fd, reading.value);
    if (fd >= 0)
        close(fd);
    if (fd == -ENOENT)
        reading.status = why_absent(root, key);
    else if (reading.error)
        reading.status = TT_KNOB_UNREADABLE;
    *out_reading = reading;
}

int
tt_knob_open(const char *root, TtHostKey key)
{
    return open_knob(root, key, O_WRONLY);
}

int
tt_knob_write(int fd, const char *value)
{
    g_autofree char *line = g_strconcat(value, "\n", NULL);
    ssize_t n;

    /* The kernel takes a number only at offset 0 (sysctl_writes_strict). */
    do
        n = pwrite(fd, line, strlen(line), 0);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : 0;
}
