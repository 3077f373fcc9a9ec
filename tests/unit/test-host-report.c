/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "core/host-devices.h"
#include "core/host-report.h"

#include <errno.h>

static const TtHostWish wish = {.kind = TT_WISH_SET, .number = 2};

static TtHostItem
make_item(TtHostKey key, const char *found, const char *target)
{
    TtHostItem item = {.key = key, .wish = &wish, .state = TT_HOST_DIFFERS};

    g_strlcpy(item.found.value, found, sizeof item.found.value);
    g_strlcpy(item.target, target, sizeof item.target);
    return item;
}

static void
assert_write(const TtHostReport *report, const char *expected)
{
    g_autofree char *text = tt_host_report_write(report);

    assert_string_equal(text, expected);
}

static void
assert_state(const TtHostItem *item, const char *expected)
{
    g_autofree char *text = tt_host_report_state(item);

    assert_string_equal(text, expected);
}

static void
test_writes(void **state)
{
    TtHostItem item = make_item(TT_HOST_TCP_TW_REUSE, "0", "2");

    assert_write(&(TtHostReport){.item = &item}, "[host] tcp_tw_reuse: loopback (was: no)");
    item = make_item(TT_HOST_TCP_TW_REUSE, "7", "1");
    item.wish = NULL;
    assert_write(&(TtHostReport){.item = &item}, "[host] tcp_tw_reuse: undone: yes (was: 7)");
    item = make_item(TT_HOST_RTO_MIN, "123456", "50000");
    assert_write(&(TtHostReport){.item = &item},
                 "[host] rto_min: 50ms (was: 123456us); sockets that listen already, and what they "
                 "accept, keep the old one");
    item = make_item(TT_HOST_DEFAULT_QDISC, "pfifo_fast", "fq");
    assert_write(&(TtHostReport){.item = &item, .keepers = "eth0 (pfifo_fast)"},
                 "[host] default_qdisc: fq (was: pfifo_fast); devices that keep theirs: eth0 "
                 "(pfifo_fast)");
    item = make_item(TT_HOST_HYSTART_DETECT, "3", "2");
    item.whole_host = true;
    assert_write(
        &(TtHostReport){.item = &item},
        "[host] hystart_detect: delay (was: both); counts for the whole host, not for this "
        "network namespace alone");
}

static void
test_failures(void **state)
{
    TtHostItem item = make_item(TT_HOST_TCP_TW_REUSE, "0", "2");

    assert_write(&(TtHostReport){.item = &item, .error = -EROFS},
                 "[host] tcp_tw_reuse: loopback (was: no): failed: "
                 "/proc/sys/net/ipv4/tcp_tw_reuse: Read-only file system");
    assert_write(&(TtHostReport){.item = &item, .error = -EAGAIN, .text = "1"},
                 "[host] tcp_tw_reuse: loopback (was: no): failed: the kernel has yes instead");
    item = make_item(TT_HOST_DEFAULT_QDISC, "pfifo_fast", "fq");
    assert_write(&(TtHostReport){.item = &item, .error = -ENOENT},
                 "[host] default_qdisc: fq (was: pfifo_fast): failed: "
                 "/proc/sys/net/core/default_qdisc: this kernel has no such queueing discipline");
    item.state = TT_HOST_UNREADABLE;
    item.found.error = -EACCES;
    assert_write(&(TtHostReport){.item = &item, .error = -EACCES},
                 "[host] default_qdisc: /proc/sys/net/core/default_qdisc cannot be read: "
                 "Permission denied");
}

static void
test_states(void **state)
{
    TtHostItem item = make_item(TT_HOST_TCP_TW_REUSE, "0", "2");

    assert_state(&item, "differs");
    item.wish = NULL;
    assert_state(&item, "to be undone");
    item.state = TT_HOST_OK;
    assert_state(&item, "ok");
    item.state = TT_HOST_UNAVAILABLE;
    item.lacks = true;
    assert_state(&item, "refused: this kernel does not know loopback (2, since 4.19), and would "
                        "take it for yes");
    item.found.status = TT_KNOB_ABSENT;
    assert_state(&item, "not available here: this kernel has no /proc/sys/net/ipv4/tcp_tw_reuse");
    item.found.status = TT_KNOB_HIDDEN;
    assert_state(&item, "not available here: /proc/sys/net/ipv4/tcp_tw_reuse is not shown");
    item.key = TT_HOST_TCP_THIN_DUPACK;
    item.found.status = TT_KNOB_ABSENT;
    assert_state(&item, "not available here: gone from the kernel since 4.11");
    item.key = TT_HOST_HYSTART_DETECT;
    item.wish = &wish;
    item.found.status = TT_KNOB_NOT_LOADED;
    assert_state(&item, "not available here: tcp_cubic is not loaded; for when it is, \"options "
                        "tcp_cubic hystart_detect=2\" belongs into "
                        "/etc/modprobe.d/tcptune-nm.conf");
}

static void
test_commands(void **state)
{
    TtHostItem item = make_item(TT_HOST_TCP_TW_REUSE, "0", "2");
    g_autofree char *sysctl = tt_host_report_command(&item);
    g_autofree char *module = NULL;

    assert_string_equal(sysctl, "sysctl -w net.ipv4.tcp_tw_reuse=2");
    item.key = TT_HOST_HYSTART_DETECT;
    module = tt_host_report_command(&item);
    assert_string_equal(module, "echo 2 >/sys/module/tcp_cubic/parameters/hystart_detect");
}

static void
test_drift(void **state)
{
    TtHostDrift drift = {.file = (char *) "/etc/sysctl.d/a.conf", .line = 3, .value = (char *) "1"};
    g_autofree char *text = tt_host_report_drift(TT_HOST_TCP_TW_REUSE, &drift);

    assert_string_equal(text, "drift to come: /etc/sysctl.d/a.conf:3 sets net.ipv4.tcp_tw_reuse=1 "
                              "at the next boot");
}

static void
add(GArray *qdiscs, int ifindex, const char *kind)
{
    TtQdisc qdisc = {.ifindex = ifindex};

    g_strlcpy(qdisc.kind, kind, sizeof qdisc.kind);
    g_array_append_val(qdiscs, qdisc);
}

static void
test_devices(void **state)
{
    g_autoptr(GArray) qdiscs = g_array_new(FALSE, FALSE, sizeof(TtQdisc));
    g_autofree char *some = NULL;
    g_autofree char *many = NULL;

    add(qdiscs, 1, "noqueue");
    add(qdiscs, 900000001, "fq");
    add(qdiscs, 900000001, "clsact");
    assert_null(tt_host_devices_format(qdiscs, "fq"));
    add(qdiscs, 900000002, "mq");
    add(qdiscs, 900000002, "fq_codel");
    add(qdiscs, 900000002, "fq_codel");
    add(qdiscs, 900000003, "pfifo_fast");
    some = tt_host_devices_format(qdiscs, "fq");
    assert_string_equal(some, "if900000002 (fq_codel), if900000003 (pfifo_fast)");
    for (int i = 4; i < 12; i++)
        add(qdiscs, 900000000 + i, "pfifo_fast");
    many = tt_host_devices_format(qdiscs, "fq");
    assert_true(g_str_has_suffix(many, "if900000009 (pfifo_fast), and 2 more"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_states), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_drift),  cmocka_unit_test(test_devices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
