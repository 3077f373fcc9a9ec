/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plan-internal.h"

static const int mark_rtax[] = {RTAX_SSTHRESH, RTAX_REORDERING};

static bool
is_mark(guint32 value)
{
    return value >= TT_MARK_MIN && value <= TT_MARK_MAX;
}

bool
tt_plan_is_marked(const TtMetrics *metrics)
{
    for (guint i = 0; i < G_N_ELEMENTS(mark_rtax); i++) {
        if (tt_metrics_has(metrics, mark_rtax[i]) && is_mark(metrics->value[mark_rtax[i]]))
            return true;
    }
    return false;
}

bool
tt_plan_has_mark(const TtMetrics *metrics, guint32 mark)
{
    for (guint i = 0; i < G_N_ELEMENTS(mark_rtax); i++) {
        if (tt_metrics_has(metrics, mark_rtax[i]) && metrics->value[mark_rtax[i]] == mark)
            return true;
    }
    return false;
}

void
tt_plan_clear_mark(TtMetrics *metrics)
{
    for (guint i = 0; i < G_N_ELEMENTS(mark_rtax); i++) {
        if (is_mark(metrics->value[mark_rtax[i]]))
            tt_metrics_clear(metrics, mark_rtax[i]);
    }
}

bool
tt_plan_set_mark(TtMetrics *metrics, guint32 mark)
{
    for (guint i = 0; i < G_N_ELEMENTS(mark_rtax); i++) {
        if (tt_metrics_has(metrics, mark_rtax[i]))
            continue;
        metrics->value[mark_rtax[i]] = mark;
        metrics->present |= TT_METRIC_BIT(mark_rtax[i]);
        return true;
    }
    return false;
}
