/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.h"

static void
append_metrics(GString *to, const TtMetrics *metrics)
{
    gsize start = to->len;

    tt_metrics_append(metrics, to);
    if (to->len == start)
        g_string_append(to, "none");
    else
        g_string_erase(to, (gssize) start, 1);
}

char *
tt_report_metrics(const TtMetrics *metrics)
{
    GString *text = g_string_new(NULL);

    append_metrics(text, metrics);
    return g_string_free(text, FALSE);
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
    case TT_REASON_STALE:
    case _TT_REASON_N:
        break;
    }
    return false;
}

static const char *
stale_text(guint stale)
{
    if (stale & TT_STALE_GATEWAY)
        return "moved gateway removed: its profile has another one now";
    if (stale & TT_STALE_METHOD)
        return "moved gateway removed: its profile's method is not manual any more";
    return "moved gateway removed: its profile has never-default now";
}

static const char *
removal_text(const TtEdit *edit)
{
    switch (edit->reason) {
    case TT_REASON_TWIN:
        return "second copy of the route removed";
    case TT_REASON_ORPHAN:
        return "tuned route that NetworkManager no longer uses removed";
    case TT_REASON_STALE:
        return stale_text(edit->stale);
    case TT_REASON_ORDER:
        return "put back in its place: old copy removed";
    case TT_REASON_TUNE:
    case TT_REASON_UNDO:
    case _TT_REASON_N:
        break;
    }
    return "old copy removed";
}

static void
append_masked(GString *to, const TtMetrics *metrics, guint32 mask)
{
    TtMetrics masked = tt_metrics_masked(metrics, mask);

    append_metrics(to, &masked);
}

static void
append_change(GString *to, const TtEdit *edit)
{
    guint32 mask = tt_metrics_difference(&edit->before, &edit->route->metrics);

    if (edit->reason == TT_REASON_UNDO)
        g_string_append(to, "undone: ");
    append_masked(to, &edit->route->metrics, mask);
    g_string_append(to, " (was: ");
    append_masked(to, &edit->before, mask);
    g_string_append_c(to, ')');
}

/* No printf here: there may be thousands of lines, and it would be what costs most. */
static GString *
start_line(const TtEdit *edit)
{
    GString *line = g_string_sized_new(256);

    tt_route_append(edit->route, false, line);
    g_string_append(line, ": ");
    if (edit->kind == TT_EDIT_DELETE)
        g_string_append(line, removal_text(edit));
    else if (is_on_its_way(edit))
        g_string_append(line, "copy appended, marked by ssthresh until it is in its place");
    else if (edit->reason == TT_REASON_ORDER)
        g_string_append(line, "put back in its place");
    else
        append_change(line, edit);
    return line;
}

char *
tt_report_edit(const TtEdit *edit)
{
    return g_string_free(start_line(edit), FALSE);
}

char *
tt_report_failure(const TtEditReport *report)
{
    const char *reason = g_strerror(-report->error);
    GString *line = start_line(report->edit);

    g_string_append(line, ": failed: ");
    g_string_append(line, report->text ? report->text : reason);
    if (report->text && report->error)
        g_string_append_printf(line, " (%s)", reason);
    return g_string_free(line, FALSE);
}
