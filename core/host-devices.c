/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-devices.h"

#include <net/if.h>
#include <string.h>

#define TOLD_MAX 8

/* Not chosen by default_qdisc: no queue at all, a frame around queues, what stands beside them. */
static bool
is_chosen_by_default(const char *kind)
{
    static const char *const others[] = {"noqueue", "noop",   "mq", "mqprio",
                                         "ingress", "clsact", NULL};

    return !g_strv_contains(others, kind);
}

static bool
is_same(const TtQdisc *a, const TtQdisc *b)
{
    return a->ifindex == b->ifindex && strcmp(a->kind, b->kind) == 0;
}

/* Of a device with many queues, each has one. */
static bool
is_first(const GArray *qdiscs, guint i)
{
    const TtQdisc *qdisc = &g_array_index(qdiscs, TtQdisc, i);

    for (guint k = 0; k < i; k++) {
        if (is_same(&g_array_index(qdiscs, TtQdisc, k), qdisc))
            return false;
    }
    return true;
}

static void
append_device(GString *to, const TtQdisc *qdisc)
{
    char name[IF_NAMESIZE];

    if (to->len)
        g_string_append(to, ", ");
    if (if_indextoname((unsigned) qdisc->ifindex, name))
        g_string_append(to, name);
    else
        g_string_append_printf(to, "if%d", qdisc->ifindex);
    g_string_append_printf(to, " (%s)", qdisc->kind);
}

char *
tt_host_devices_format(const GArray *qdiscs, const char *wanted)
{
    GString *text = g_string_new(NULL);
    guint n = 0;

    for (guint i = 0; i < qdiscs->len; i++) {
        const TtQdisc *qdisc = &g_array_index(qdiscs, TtQdisc, i);

        if (!is_chosen_by_default(qdisc->kind) || strcmp(qdisc->kind, wanted) == 0
            || !is_first(qdiscs, i))
            continue;
        if (n++ < TOLD_MAX)
            append_device(text, qdisc);
    }
    if (n > TOLD_MAX)
        g_string_append_printf(text, ", and %u more", n - TOLD_MAX);
    return g_string_free(text, n == 0);
}

char *
tt_host_devices_keeping(TtRtnl *rtnl, const char *wanted)
{
    g_autoptr(GArray) qdiscs = g_array_new(FALSE, FALSE, sizeof(TtQdisc));

    if (!tt_rtnl_load_qdiscs(rtnl, qdiscs, NULL))
        return NULL;
    return tt_host_devices_format(qdiscs, wanted);
}
