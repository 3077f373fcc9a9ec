/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the monitor run, by the policy that is on disk, and what is not held without it? */
#include "core/monitor-status.h"
#include "doctor.h"
#include "monitor-text.h"

#define CHECK "monitor"
#define START "systemctl enable --now tcptune-nm-monitor.service"

typedef struct {
    guint n_needed;          /* left plain because it does not run */
    guint n_held;            /* tuned, and put right only at an event while it does not run */
    const TtPlanItem *first; /* that is needed for it */
} Count;

static bool
is_learned(const TtRoute *route)
{
    return route->protocol == RTPROT_DHCP || route->protocol == RTPROT_RA
           || route->protocol == RTPROT_KERNEL;
}

static Count
count(const TtPlan *plan)
{
    Count count = {0};

    for (guint i = 0; plan && i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];
        bool needed = item->left == TT_LEFT_NEEDS_MONITOR;
        bool held = item->state == TT_STATE_OK && is_learned(item->route);

        count.n_needed += needed;
        count.n_held += held;
        if (needed && !count.first)
            count.first = item;
    }
    return count;
}

static void
check_without(TtDoctor *doctor)
{
    Count found = count(doctor->plan);
    g_autofree char *route = found.first ? tt_route_format(found.first->route, false) : NULL;

    if (found.n_needed)
        tt_doctor_add(
            doctor, CHECK, TT_VERDICT_PROBLEM, START,
            "not running: %u route%s that this NetworkManager may change without an event "
            "stay%s plain%s%s",
            found.n_needed, found.n_needed == 1 ? "" : "s", found.n_needed == 1 ? "s" : "",
            route ? ", as " : "", route ? route : "");
    else if (found.n_held)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE, START,
                      "not running: %u learned route%s put right only at the next event",
                      found.n_held, found.n_held == 1 ? " is" : "s are");
    else
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL,
                      "not running, and no route of the policy needs it");
}

static void
check_running(TtDoctor *doctor, const TtMonitorStatus *status)
{
    gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    g_autofree char *complaint = tt_monitor_complaint(status);
    g_autofree char *text = tt_monitor_text(status, now);

    if (complaint)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM,
                      "mend the policy, then systemctl reload tcptune-nm-monitor.service", "%s",
                      complaint);
    else if (status->fight)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE,
                      "ip monitor route shows who; what cannot be held is left alone by none or "
                      "stop-match=yes in the policy",
                      "something kept undoing %s", status->fight);
    else
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL, "%s", text + sizeof "monitor: " - 1);
}

void
tt_doctor_monitor(TtDoctor *doctor)
{
    TtMonitorStatus status;

    if (tt_monitor_status_read(doctor->run_dir, &status))
        check_running(doctor, &status);
    else
        check_without(doctor);
    tt_monitor_status_clear(&status);
}
