/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "route-text.h"

#include "core/rtnl-codec.h"
#include "core/uapi.h"
#include "tt-test.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>

typedef struct {
    struct nlmsghdr *header;
    struct rtmsg *rtm;
    char **words;
    TtMetrics metrics;
    char buffer[4096];
} Builder;

static guint32
number(const char *word)
{
    return (guint32) strtoul(word, NULL, 0);
}

static void
put_address(struct nlmsghdr *header, guint16 type, const char *text)
{
    guint8 bytes[16];
    int family = strchr(text, ':') ? AF_INET6 : AF_INET;

    if (inet_pton(family, text, bytes) != 1)
        fail_msg("bad address in a test: %s", text);
    mnl_attr_put(header, type, family == AF_INET ? 4 : 16, bytes);
}

static guint8
put_prefix(Builder *builder, guint16 type, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", 2);

    if (g_str_equal(text, "default"))
        return 0;
    put_address(builder->header, type, parts[0]);
    if (parts[1])
        return (guint8) number(parts[1]);
    return builder->rtm->rtm_family == AF_INET ? 32 : 128;
}

static void
put_via(Builder *builder, const char *text)
{
    struct {
        guint16 family;
        guint8 address[16];
    } via = {.family = AF_INET6};

    if (builder->rtm->rtm_family == AF_INET && strchr(text, ':')) {
        inet_pton(AF_INET6, text, via.address);
        mnl_attr_put(builder->header, RTA_VIA, sizeof via, &via);
    } else {
        put_address(builder->header, RTA_GATEWAY, text);
    }
}

/* "nexthop via X dev N [weight N] [flags N]", up to the next "nexthop" or the end. */
static void
put_nexthops(Builder *builder, char **words)
{
    struct nlattr *nest = mnl_attr_nest_start(builder->header, RTA_MULTIPATH);
    struct rtnexthop *hop = NULL;

    for (; *words; words++) {
        if (g_str_equal(*words, "nexthop")) {
            hop = mnl_nlmsg_get_payload_tail(builder->header);
            memset(hop, 0, sizeof *hop);
            builder->header->nlmsg_len += sizeof *hop;
        } else if (g_str_equal(*words, "via")) {
            put_via(builder, *++words);
        } else if (g_str_equal(*words, "dev")) {
            hop->rtnh_ifindex = (int) number(*++words);
        } else if (g_str_equal(*words, "weight")) {
            hop->rtnh_hops = (guint8) (number(*++words) - 1);
        } else if (g_str_equal(*words, "flags")) {
            hop->rtnh_flags = (guint8) number(*++words);
        } else {
            fail_msg("bad word of a next hop in a test: %s", *words);
        }
        hop->rtnh_len =
            (guint16) ((char *) mnl_nlmsg_get_payload_tail(builder->header) - (char *) hop);
    }
    mnl_attr_nest_end(builder->header, nest);
}

static void
put_metrics(Builder *builder)
{
    struct nlattr *nest;

    if (!builder->metrics.present && !builder->metrics.lock)
        return;
    nest = mnl_attr_nest_start(builder->header, RTA_METRICS);
    if (builder->metrics.lock)
        mnl_attr_put_u32(builder->header, RTAX_LOCK, builder->metrics.lock);
    for (guint16 rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if (!tt_metrics_has(&builder->metrics, rtax))
            continue;
        if (rtax == RTAX_CC_ALGO)
            mnl_attr_put_strz(builder->header, rtax, builder->metrics.congctl);
        else
            mnl_attr_put_u32(builder->header, rtax, builder->metrics.value[rtax]);
    }
    mnl_attr_nest_end(builder->header, nest);
}

static const struct {
    const char *word;
    int rtax;
} metric_words[] = {
    {"rto_min", RTAX_RTO_MIN},   {"quickack", RTAX_QUICKACK}, {"mtu", RTAX_MTU},
    {"initcwnd", RTAX_INITCWND}, {"ssthresh", RTAX_SSTHRESH},
};

static bool
take_metric(Builder *builder, const char *word, const char *value)
{
    for (guint i = 0; i < G_N_ELEMENTS(metric_words); i++) {
        if (g_str_equal(word, metric_words[i].word)) {
            builder->metrics.present |= TT_METRIC_BIT(metric_words[i].rtax);
            builder->metrics.value[metric_words[i].rtax] = number(value);
            return true;
        }
    }
    if (g_str_equal(word, "congctl")) {
        builder->metrics.present |= TT_METRIC_BIT(RTAX_CC_ALGO);
        g_strlcpy(builder->metrics.congctl, value, sizeof builder->metrics.congctl);
    } else if (g_str_equal(word, "lock")) {
        builder->metrics.lock |= TT_METRIC_BIT(number(value));
    } else {
        return false;
    }
    return true;
}

static bool
take_header_word(struct rtmsg *rtm, const char *word, const char *value)
{
    if (g_str_equal(word, "proto"))
        rtm->rtm_protocol = (guint8) number(value);
    else if (g_str_equal(word, "scope"))
        rtm->rtm_scope = (guint8) number(value);
    else if (g_str_equal(word, "type"))
        rtm->rtm_type = (guint8) number(value);
    else if (g_str_equal(word, "tos"))
        rtm->rtm_tos = (guint8) number(value);
    else if (g_str_equal(word, "flags"))
        rtm->rtm_flags = number(value);
    else
        return false;
    return true;
}

static void
put_expires(Builder *builder, guint32 seconds)
{
    struct rta_cacheinfo info = {.rta_expires = (int) (seconds * 100)};

    mnl_attr_put(builder->header, RTA_CACHEINFO, sizeof info, &info);
}

static void
take_attribute(Builder *builder, const char *word, const char *value)
{
    struct nlmsghdr *header = builder->header;

    if (g_str_equal(word, "via"))
        put_via(builder, value);
    else if (g_str_equal(word, "dev"))
        mnl_attr_put_u32(header, RTA_OIF, number(value));
    else if (g_str_equal(word, "metric"))
        mnl_attr_put_u32(header, RTA_PRIORITY, number(value));
    else if (g_str_equal(word, "table"))
        mnl_attr_put_u32(header, RTA_TABLE, number(value));
    else if (g_str_equal(word, "src"))
        put_address(header, RTA_PREFSRC, value);
    else if (g_str_equal(word, "from"))
        builder->rtm->rtm_src_len = put_prefix(builder, RTA_SRC, value);
    else if (g_str_equal(word, "nhid"))
        mnl_attr_put_u32(header, TT_RTA_NH_ID, number(value));
    else if (g_str_equal(word, "pref"))
        mnl_attr_put_u8(header, RTA_PREF, (guint8) number(value));
    else if (g_str_equal(word, "realm"))
        mnl_attr_put_u32(header, RTA_FLOW, number(value));
    else if (g_str_equal(word, "expires"))
        put_expires(builder, number(value));
    else
        fail_msg("bad word in a test: %s", word);
}

static void
start(Builder *builder)
{
    builder->header = mnl_nlmsg_put_header(builder->buffer);
    builder->header->nlmsg_type = RTM_NEWROUTE;
    builder->rtm = mnl_nlmsg_put_extra_header(builder->header, sizeof *builder->rtm);
    builder->rtm->rtm_family = g_str_equal(builder->words[0], "inet") ? AF_INET : AF_INET6;
    builder->rtm->rtm_table = RT_TABLE_MAIN;
    builder->rtm->rtm_protocol = RTPROT_STATIC;
    builder->rtm->rtm_type = RTN_UNICAST;
    builder->rtm->rtm_dst_len = put_prefix(builder, RTA_DST, builder->words[1]);
}

GByteArray *
route_message_from_text(const char *text)
{
    g_autofree char *trimmed = g_strchomp(g_strdup(text));
    Builder builder = {.words = g_strsplit(trimmed, " ", -1)};
    GByteArray *bytes = g_byte_array_new();
    char **at = builder.words + 2;

    start(&builder);
    for (; *at && !g_str_equal(*at, "nexthop"); at += 2) {
        assert_non_null(at[1]);
        if (!take_metric(&builder, at[0], at[1]) && !take_header_word(builder.rtm, at[0], at[1]))
            take_attribute(&builder, at[0], at[1]);
    }
    put_metrics(&builder);
    if (*at)
        put_nexthops(&builder, at);
    g_byte_array_append(bytes, (guint8 *) builder.buffer, builder.header->nlmsg_len);
    g_strfreev(builder.words);
    return bytes;
}

TtRoute *
route_from_text(const char *text)
{
    g_autoptr(GByteArray) bytes = route_message_from_text(text);
    TtRoute *route =
        tt_rtnl_parse_route((const struct nlmsghdr *) (void *) bytes->data, bytes->len);

    if (!route)
        fail_msg("not parsed: %s", text);
    return route;
}
