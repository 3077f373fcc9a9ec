/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "metric-internal.h"

#include "text.h"

#include <string.h>

/* include/uapi/linux/rtnetlink.h from 6.7 on. */
#define FEATURE_TCP_USEC_TS 0x10

/*
 * Ranges. The kernel caps advmss, mtu and hoplimit silently (net/ipv4/metrics.c) and checks
 * none of the others, so whatever it would change or could not use is refused here.
 *   advmss    from TCP_MIN_MSS (include/net/tcp.h)
 *   initcwnd, initrwnd  10000 segments are 14 MB, more than tcp_wmem and tcp_rmem let be in
 *             flight by default; above that a value is a slip (the kernel takes 1000000)
 *   window    from 536, a smaller one than a segment stalls the sender, to 65535 << 14, the
 *             greatest that TCP can say (RFC 7323)
 *   mtu       from 68 (RFC 791); an IPv6 route needs 1280, see core/policy.c
 */
static const TtAttrInfo infos[] = {
    [TT_ATTR_RTO_MIN] = {"rto_min", "1ms to 120s, in whole ms (8, 8ms, 0.02s)", 1, 120000,
                         RTAX_RTO_MIN, .needs_lock = true},
    [TT_ATTR_QUICKACK] = {"quickack", TT_TEXT_BOOL, 1, 1, RTAX_QUICKACK},
    [TT_ATTR_ADVMSS] = {"advmss", "88 to 65495", 88, 65495, RTAX_ADVMSS},
    [TT_ATTR_INITCWND] = {"initcwnd", "1 to 10000", 1, 10000, RTAX_INITCWND},
    [TT_ATTR_INITRWND] = {"initrwnd", "1 to 10000", 1, 10000, RTAX_INITRWND},
    [TT_ATTR_WINDOW] = {"window", "536 to 1073725440", 536, 1073725440, RTAX_WINDOW},
    [TT_ATTR_MTU] = {"mtu", "68 to 65520, for IPv6 from 1280", 68, 65520, RTAX_MTU,
                     .may_lock = true},
    [TT_ATTR_HOPLIMIT] = {"hoplimit", "1 to 255", 1, 255, RTAX_HOPLIMIT},
    [TT_ATTR_CONGCTL] = {"congctl", "a name of at most 15 letters, digits and . _ -", 0, 0,
                         RTAX_CC_ALGO, .may_lock = true},
    [TT_ATTR_FEATURES] = {"features", "ecn, tcp_usec_ts, or their bits 0x1, 0x10", 1,
                          RTAX_FEATURE_ECN | FEATURE_TCP_USEC_TS, RTAX_FEATURES},
    [TT_ATTR_FASTOPEN_NO_COOKIE] = {"fastopen_no_cookie", TT_TEXT_BOOL, 1, 1,
                                    RTAX_FASTOPEN_NO_COOKIE},
};
G_STATIC_ASSERT(G_N_ELEMENTS(infos) == _TT_ATTR_N);

static const struct {
    const char *name;
    guint32 bit;
} features[] = {
    {"ecn", RTAX_FEATURE_ECN},
    {"tcp_usec_ts", FEATURE_TCP_USEC_TS},
};

const TtAttrInfo *
tt_attr_info(TtAttr attr)
{
    return &infos[attr];
}

bool
tt_attr_from_name(const char *name, TtAttr *out_attr)
{
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (strcmp(name, infos[attr].name) == 0) {
            *out_attr = attr;
            return true;
        }
    }
    return false;
}

guint32
tt_feature_bit(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(features); i++) {
        if (strcmp(name, features[i].name) == 0)
            return features[i].bit;
    }
    return 0;
}

static void
append_time(GString *to, guint32 ms)
{
    if (ms < 1000) {
        tt_text_append_number(to, ms);
        g_string_append(to, "ms");
        return;
    }
    /* ip-route(8) prints %g, which drops digits from 1000 seconds on. */
    g_string_append_printf(to, "%u", ms / 1000);
    if (ms % 1000) {
        g_string_append_printf(to, ".%03u", ms % 1000);
        while (to->str[to->len - 1] == '0')
            g_string_truncate(to, to->len - 1);
    }
    g_string_append_c(to, 's');
}

static void
append_features(GString *to, guint32 bits)
{
    const char *blank = "";

    for (guint i = 0; i < G_N_ELEMENTS(features); i++) {
        if (bits & features[i].bit) {
            g_string_append_printf(to, "%s%s", blank, features[i].name);
            bits &= ~features[i].bit;
            blank = " ";
        }
    }
    if (bits || !*blank)
        g_string_append_printf(to, "%s0x%x", blank, bits);
}

static void
append_value(GString *to, int rtax, guint32 number, const char *text)
{
    switch (rtax) {
    case RTAX_RTT: /* in units of 1/8 ms */
        append_time(to, number / 8);
        break;
    case RTAX_RTTVAR: /* in units of 1/4 ms */
        append_time(to, number / 4);
        break;
    case RTAX_RTO_MIN:
        append_time(to, number);
        break;
    case RTAX_FEATURES:
        append_features(to, number);
        break;
    case RTAX_CC_ALGO:
        g_string_append(to, text);
        break;
    default:
        tt_text_append_number(to, number);
        break;
    }
}

char *
tt_attr_value_format(TtAttr attr, const TtValue *value)
{
    GString *text = g_string_new(NULL);

    append_value(text, infos[attr].rtax, value->number, value->text);
    return g_string_free(text, FALSE);
}

bool
tt_attr_value_equal(TtAttr attr, const TtValue *a, const TtValue *b)
{
    return attr == TT_ATTR_CONGCTL ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static bool
same_value(const TtMetrics *a, const TtMetrics *b, int rtax)
{
    return rtax == RTAX_CC_ALGO ? strcmp(a->congctl, b->congctl) == 0
                                : a->value[rtax] == b->value[rtax];
}

guint32
tt_metrics_difference(const TtMetrics *a, const TtMetrics *b)
{
    guint32 differ = (a->present ^ b->present) | (a->lock ^ b->lock);
    int rtax;

    tt_metric_for_each(rtax, a->present & b->present)
    {
        if (!same_value(a, b, rtax))
            differ |= TT_METRIC_BIT(rtax);
    }
    return differ;
}

bool
tt_metrics_equal_one(const TtMetrics *a, const TtMetrics *b, int rtax)
{
    return tt_metrics_has(a, rtax) == tt_metrics_has(b, rtax)
           && tt_metrics_locked(a, rtax) == tt_metrics_locked(b, rtax)
           && (!tt_metrics_has(a, rtax) || same_value(a, b, rtax));
}

bool
tt_metrics_equal(const TtMetrics *a, const TtMetrics *b)
{
    return tt_metrics_difference(a, b) == 0;
}

TtMetrics
tt_metrics_masked(const TtMetrics *metrics, guint32 mask)
{
    TtMetrics masked = *metrics;

    masked.present &= mask;
    masked.lock &= mask;
    return masked;
}

void
tt_metrics_copy_one(TtMetrics *to, const TtMetrics *from, int rtax)
{
    guint32 bit = TT_METRIC_BIT(rtax);

    to->present = (to->present & ~bit) | (from->present & bit);
    to->lock = (to->lock & ~bit) | (from->lock & bit);
    to->value[rtax] = from->value[rtax];
    if (rtax == RTAX_CC_ALGO)
        memcpy(to->congctl, from->congctl, sizeof(to->congctl));
}

void
tt_metrics_set(TtMetrics *metrics, TtAttr attr, const TtValue *value)
{
    int rtax = infos[attr].rtax;

    metrics->present |= TT_METRIC_BIT(rtax);
    metrics->value[rtax] = value->number;
    if (rtax == RTAX_CC_ALGO)
        memcpy(metrics->congctl, value->text, sizeof(metrics->congctl));
}

void
tt_metrics_clear(TtMetrics *metrics, int rtax)
{
    static const TtMetrics none;

    tt_metrics_copy_one(metrics, &none, rtax);
}

const char *
tt_metric_name(int rtax)
{
    static const char *const names[] = {
        [RTAX_RTT] = "rtt",   [RTAX_RTTVAR] = "rttvar",         [RTAX_SSTHRESH] = "ssthresh",
        [RTAX_CWND] = "cwnd", [RTAX_REORDERING] = "reordering",
    };

    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        if (infos[attr].rtax == rtax)
            return infos[attr].name;
    }
    return rtax < (int) G_N_ELEMENTS(names) ? names[rtax] : NULL;
}

static void
append_one(const TtMetrics *metrics, int rtax, GString *to)
{
    const char *name = tt_metric_name(rtax);

    g_string_append_c(to, ' ');
    if (name)
        g_string_append(to, name);
    else
        g_string_append_printf(to, "metric %d", rtax);
    g_string_append_c(to, ' ');
    if (tt_metrics_locked(metrics, rtax))
        g_string_append(to, "lock ");
    if (tt_metrics_has(metrics, rtax))
        append_value(to, rtax, metrics->value[rtax], metrics->congctl);
    else
        append_value(to, rtax, 0, "");
}

void
tt_metrics_append(const TtMetrics *metrics, GString *to)
{
    guint32 said = (metrics->present | metrics->lock) & TT_METRICS_ALL;
    int rtax;

    if (tt_metrics_has(metrics, RTAX_HOPLIMIT) && metrics->value[RTAX_HOPLIMIT] == G_MAXUINT32)
        said &= ~TT_METRIC_BIT(RTAX_HOPLIMIT); /* unset */
    tt_metric_for_each(rtax, said) append_one(metrics, rtax, to);
}
