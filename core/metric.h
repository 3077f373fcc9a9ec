/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP metrics of a route: what a policy may name (TtAttr), and what a route
 * carries (TtMetrics). Pure; knows nothing of files or sockets.
 */
#pragma once

#include <glib.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>

/* The attributes of a [route] section, spelled as in ip-route(8) and nmcli. */
typedef enum {
    TT_ATTR_RTO_MIN,
    TT_ATTR_QUICKACK,
    TT_ATTR_ADVMSS,
    TT_ATTR_INITCWND,
    TT_ATTR_INITRWND,
    TT_ATTR_WINDOW,
    TT_ATTR_MTU,
    TT_ATTR_HOPLIMIT,
    TT_ATTR_CONGCTL,
    TT_ATTR_FEATURES,
    TT_ATTR_FASTOPEN_NO_COOKIE,
    _TT_ATTR_N,
} TtAttr;

#define TT_CONGCTL_MAX 16 /* TCP_CA_NAME_MAX, with the NUL */

/* A value: `text` for congctl, `number` for all others (rto_min: milliseconds). */
typedef struct {
    guint32 number;
    char text[TT_CONGCTL_MAX];
} TtValue;

typedef struct {
    const char *name;
    const char *allowed; /* for messages: "1 to 255" */
    guint32 min;
    guint32 max;
    int rtax;        /* RTAX_* */
    bool needs_lock; /* without its RTAX_LOCK bit the kernel ignores it: rto_min (include/net/tcp.h)
                      */
    bool may_lock;   /* `lock=` may name it: mtu, congctl */
} TtAttrInfo;

const TtAttrInfo *tt_attr_info(TtAttr attr);

/* True and *out_attr set if `name` is an attribute that a policy may set. */
bool tt_attr_from_name(const char *name, TtAttr *out_attr);

/*
 * Parses a value other than "none". *out_remove is true where the value asks for the
 * metric's absence (quickack=no, features=none is "none" and not seen here).
 * Error: TT_ERROR_POLICY, text "the unit must be ms or s; allowed: 1ms to 120s", to stand
 * behind "rto_min=500us: ".
 */
bool tt_attr_value_parse(TtAttr attr,
                         const char *text,
                         TtValue *out_value,
                         bool *out_remove,
                         GError **error);

/* As ip-route(8) prints it: "8ms", "1", "cubic". (transfer full) */
char *tt_attr_value_format(TtAttr attr, const TtValue *value);

bool tt_attr_value_equal(TtAttr attr, const TtValue *a, const TtValue *b);

/* Of a metric RTAX_*, also of those that no policy may set; NULL: of a newer kernel. */
const char *tt_metric_name(int rtax);

#define TT_METRICS_N 32 /* RTAX_LOCK is a 32 bit word: metrics of newer kernels fit */

/* What RTA_METRICS of a route says. Value type; all zero is "no metrics". */
typedef struct {
    guint32 present; /* bit 1 << RTAX_x: the metric has a value */
    guint32 lock;    /* the RTAX_LOCK word */
    guint32 value[TT_METRICS_N];
    char congctl[TT_CONGCTL_MAX]; /* RTAX_CC_ALGO, where present */
} TtMetrics;

#define TT_METRIC_BIT(rtax) (1u << (rtax))

#define TT_METRICS_ALL (~0u << (RTAX_LOCK + 1)) /* RTAX_UNSPEC and RTAX_LOCK are none */

/* The metrics of a mask (TT_METRIC_BIT()s), in ascending order. */
#define tt_metric_for_each(rtax, mask)                                                             \
    for (guint32 left_ = (mask); left_ && ((rtax) = __builtin_ctz(left_), true); left_ &= left_ - 1)

static inline bool
tt_metrics_has(const TtMetrics *metrics, int rtax)
{
    return (metrics->present & TT_METRIC_BIT(rtax)) != 0;
}

static inline bool
tt_metrics_locked(const TtMetrics *metrics, int rtax)
{
    return (metrics->lock & TT_METRIC_BIT(rtax)) != 0;
}

bool tt_metrics_equal(const TtMetrics *a, const TtMetrics *b);

/* Equal in this one metric: value (or absence) and lock bit. */
bool tt_metrics_equal_one(const TtMetrics *a, const TtMetrics *b, int rtax);

/* TT_METRIC_BIT()s of the metrics in which the two differ. */
guint32 tt_metrics_difference(const TtMetrics *a, const TtMetrics *b);

/* Those of the metrics that are in `mask` (TT_METRIC_BIT()s), the lock bits likewise. */
TtMetrics tt_metrics_masked(const TtMetrics *metrics, guint32 mask);

/* Copies value (or absence) and lock bit of one metric. */
void tt_metrics_copy_one(TtMetrics *to, const TtMetrics *from, int rtax);

/* Sets value and nothing else; the lock bit stays as it is. */
void tt_metrics_set(TtMetrics *metrics, TtAttr attr, const TtValue *value);

/* Takes value and lock bit away: a lock without a value means rto_min 0 (facts: RTO 4 ms). */
void tt_metrics_clear(TtMetrics *metrics, int rtax);

/* Appends " rto_min lock 8ms quickack 1" as ip-route(8) prints metrics, with its argument order. */
void tt_metrics_append(const TtMetrics *metrics, GString *to);
