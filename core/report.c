/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.h"

char *
tt_report_metrics(const TtMetrics *metrics)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tt_metrics_append(metrics, text);
    return g_strdup(text->len ? g_strchug(text->str) : "none");
}

TtMetrics
tt_report_masked(const TtMetrics *metrics, guint32 mask)
{
    TtMetrics masked = {0};

    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if (mask & TT_METRIC_BIT(rtax))
            tt_metrics_copy_one(&masked, metrics, rtax);
    }
    return masked;
}

guint32
tt_report_difference(const TtMetrics *a, const TtMetrics *b)
{
    guint32 mask = 0;

    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if (!tt_metrics_equal_one(a, b, rtax))
            mask |= TT_METRIC_BIT(rtax);
    }
    return mask;
}

/* No policy can name ssthresh: it marks a copy that is only on its way (core/plan-group). */
static bool
is_on_its_way(const TtEdit *edit)
{
    const TtMetrics *metrics = &edit->route->metrics;

    return edit->kind == TT_EDIT_APPEND && tt_metrics_has(metrics, RTAX_SSTHRESH)
           && !tt_metrics_equal_one(metrics, &edit->before, RTAX_SSTHRESH);
}

bool
tt_report_is_detail(const TtEdit *edit)
{
    switch (edit->reason) {
    case TT_REASON_TUNE:
    case TT_REASON_UNDO:
        return edit->kind == TT_EDIT_DELETE || is_on_its_way(edit);
    case TT_REASON_ORDER:
        return true;
    case TT_REASON_TWIN:
    case TT_REASON_ORPHAN:
    case _TT_REASON_N:
        break;
    }
    return false;
}

static char *
removal_text(const TtEdit *edit)
{
    switch (edit->reason) {
    case TT_REASON_TWIN:
        return g_strdup("untuned copy of a tuned route removed");
    case TT_REASON_ORPHAN:
        return g_strdup("tuned route that NetworkManager no longer uses removed");
    case TT_REASON_ORDER:
        return g_strdup("put back in its place: old copy removed");
    case TT_REASON_TUNE:
    case TT_REASON_UNDO:
    case _TT_REASON_N:
        break;
    }
    return g_strdup("old copy removed");
}

static char *
change_text(const TtEdit *edit)
{
    guint32 mask = tt_report_difference(&edit->before, &edit->route->metrics);
    TtMetrics now = tt_report_masked(&edit->route->metrics, mask);
    TtMetrics was = tt_report_masked(&edit->before, mask);
    g_autofree char *now_text = tt_report_metrics(&now);
    g_autofree char *was_text = tt_report_metrics(&was);

    if (is_on_its_way(edit))
        return g_strdup("copy appended, marked by ssthresh until it is in its place");
    if (edit->reason == TT_REASON_ORDER)
        return g_strdup("put back in its place");
    return g_strdup_printf("%s%s (was: %s)", edit->reason == TT_REASON_UNDO ? "undone: " : "",
                           now_text, was_text);
}

char *
tt_report_edit(const TtEdit *edit)
{
    g_autofree char *route = tt_route_format(edit->route, false);
    g_autofree char *text = edit->kind == TT_EDIT_DELETE ? removal_text(edit) : change_text(edit);

    return g_strdup_printf("%s: %s", route, text);
}

char *
tt_report_failure(const TtEditReport *report)
{
    g_autofree char *edit = tt_report_edit(report->edit);

    if (report->text && report->error)
        return g_strdup_printf("%s: failed: %s (%s)", edit, report->text,
                               g_strerror(-report->error));
    return g_strdup_printf("%s: failed: %s", edit,
                           report->text ? report->text : g_strerror(-report->error));
}
