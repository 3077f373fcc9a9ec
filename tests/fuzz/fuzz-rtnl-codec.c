/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a netlink message: nothing outside is read; what parses as a route is the same
 * route after it was built and parsed again. */
#include "core/identity.h"
#include "core/rtnl-codec.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void
round_trip(const TtRoute *route, guint16 type)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    guint32 absent = ~route->metrics.present;
    g_autoptr(TtRoute) again = NULL;

    tt_rtnl_build_route(bytes, route, type, 0, type == RTM_DELROUTE ? absent : 0);
    again = tt_rtnl_parse_route((const struct nlmsghdr *) (void *) bytes->data, bytes->len);
    g_assert_true(again);
    g_assert_true(tt_metrics_equal(&route->metrics, &again->metrics));
    g_assert_true(route->nh_id || tt_route_same_identity(route, again));
}

static void
read_texts(const TtRoute *route)
{
    g_autoptr(TtRoute) copy = tt_route_copy(route);
    g_autofree char *text = tt_route_format(copy, true);
    TtIdentity identity = tt_identity_of(copy), again;
    g_autoptr(GString) line = g_string_new(NULL);
    const char *at;

    tt_identity_append(&identity, line);
    at = line->str;
    g_assert_true(text[0] && tt_identity_take(&at, &again) && !*at);
    g_assert_true(tt_identity_equal(&identity, &again));
}

/* Where it forwards, a route to one address does so by the same hop. */
static void
make_host_route(const TtRoute *route)
{
    TtAddress address = {.bytes = {192, 0, 2, 1}};
    g_autoptr(TtRoute) host = tt_rtnl_new_host_route(route, &address);

    if (!host)
        return;
    g_assert_cmpint(host->n_hops, ==, 1);
    g_assert_cmpint(host->hops[0].ifindex, ==, route->hops[0].ifindex);
    g_assert_cmpint(host->table, ==, route->table);
    g_assert_cmpint(host->metrics.present, ==, 0);
}

int
LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autofree struct nlmsghdr *message = g_malloc(MAX(size, sizeof *message));
    g_autoptr(TtRoute) route = NULL;
    TtLink link;
    TtOwnAddress address;
    TtQdisc qdisc;

    memcpy(message, data, size);
    if (size < sizeof *message)
        return 0;
    tt_rtnl_parse_link(message, size, &link);
    tt_rtnl_parse_address(message, size, &address);
    tt_rtnl_parse_qdisc(message, size, &qdisc);
    /* The length of an attribute is 16 bits: a longer message is none of the kernel's. */
    if (size > 16384 || !(route = tt_rtnl_parse_route(message, size)))
        return 0;
    read_texts(route);
    make_host_route(route);
    round_trip(route, RTM_NEWROUTE);
    round_trip(route, RTM_DELROUTE);
    return 0;
}
