/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log-edit.h"

#include "core/report.h"
#include "log.h"

void
tt_log_edit(const TtEditReport *report, gpointer data)
{
    g_autofree char *text = NULL;

    if (report->error || report->text) {
        text = tt_report_failure(report);
        tt_log(TT_LOG_ERROR, text);
    } else if (!tt_report_is_detail(report->edit)) {
        text = tt_report_edit(report->edit);
        tt_log(TT_LOG_CHANGE, text);
    }
}
