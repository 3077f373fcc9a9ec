/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "effect.h"

#include "core/apply.h"
#include "counters-text.h"
#include "print.h"

guint32
tt_effect_least_rto_min(const TtPlan *plan)
{
    guint32 least = 0;

    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];
        const TtMetrics *metrics = &item->route->metrics;
        guint32 ms = metrics->value[RTAX_RTO_MIN];

        if (tt_wanted_any(&item->wanted) && tt_metrics_has(metrics, RTAX_RTO_MIN)
            && tt_metrics_locked(metrics, RTAX_RTO_MIN) && (least == 0 || ms < least))
            least = ms;
    }
    return least;
}

void
tt_effect_print(const TtPlan *plan)
{
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    g_autofree char *text = NULL;
    g_autofree char *complaint = NULL;
    TtCounters counters;

    if (!tt_counters_since(TT_RUN_DIR, &counters))
        return;
    text = tt_counters_text(&counters, now);
    complaint = tt_counters_complaint(&counters, tt_effect_least_rto_min(plan));
    tt_print_line(stdout, "", text);
    if (complaint)
        tt_print_line(stderr, "Warning: ", complaint);
}
