/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "counters-text.h"

#include "describe.h"

static void
append_start(GString *text, gint64 since, gint64 now)
{
    g_autofree char *age = tt_describe_age(now, since);

    if (since)
        g_string_append_printf(text, "TCP since the policy took effect (%s ago):", age);
    else
        g_string_append(text, "TCP since boot:");
}

/* Of segments that were sent again, only their share says anything. */
static void
append_share(GString *text, const TtCounters *counters)
{
    guint64 again = counters->value[TT_COUNTER_RETRANSMITTED];
    guint64 sent = counters->value[TT_COUNTER_SENT];

    g_string_append_printf(text, " %s/%s %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                           tt_counter_name(TT_COUNTER_RETRANSMITTED),
                           tt_counter_name(TT_COUNTER_SENT), again, sent);
    if (sent > 0)
        g_string_append_printf(text, " (%.2f %%)", (double) again * 100 / (double) sent);
    g_string_append_c(text, ',');
}

char *
tt_counters_text(const TtCounters *counters, gint64 now)
{
    GString *text = g_string_new(NULL);

    append_start(text, counters->since, now);
    for (TtCounter i = 0; i < _TT_COUNTER_N; i++) {
        if (!counters->present[i] || i == TT_COUNTER_SENT)
            continue;
        if (i == TT_COUNTER_RETRANSMITTED && counters->present[TT_COUNTER_SENT])
            append_share(text, counters);
        else
            g_string_append_printf(text, " %s %" G_GUINT64_FORMAT ",", tt_counter_name(i),
                                   counters->value[i]);
    }
    g_string_truncate(text, text->len - 1);
    return g_string_free(text, FALSE);
}

/* 50 ms is above what Linux delays an acknowledgement, 200 ms above what anybody does. */
char *
tt_counters_complaint(const TtCounters *counters, guint32 least_ms)
{
    if (!counters->since || least_ms == 0 || least_ms >= 200
        || !tt_counters_look_spurious(counters))
        return NULL;
    return g_strdup_printf("DSACKs follow loss probes one to one (%" G_GUINT64_FORMAT
                           " of %" G_GUINT64_FORMAT "): rto_min is below your peers' delayed ACK; "
                           "tune them too, or use %u ms",
                           counters->value[TT_COUNTER_DSACKS],
                           counters->value[TT_COUNTER_LOSS_PROBES]
                               + counters->value[TT_COUNTER_TIMEOUTS],
                           least_ms < 50 ? 50 : 200);
}
