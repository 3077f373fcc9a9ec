/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor.h"

#include "core/apply.h"
#include "core/error.h"
#include "core/lock.h"
#include "core/monitor-status.h"
#include "core/rtnl.h"
#include "core/state-file.h"
#include "fights.h"
#include "kernel-events.h"
#include "lease-watch.h"
#include "log-edit.h"
#include "log-host.h"
#include "log.h"
#include "notify.h"
#include "revert-watch.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sysexits.h>
#include <unistd.h>

/* What comes while we look is one look anyway. Beyond this many a second, something runs in
 * circles: then there is a pause between looks. */
#define LOOKS_PER_S 2000
#define PAUSE_MS 5
#define RETRY_MAX_S 64 /* what the kernel refuses is tried again after 1, 2, 4 ... seconds */
#define TWIN_MS                                                                                    \
    25 /* no change for this long: NetworkManager has put its own in and taken ours out */
#define STATUS_S 1 /* the status file is written at most so often */

typedef struct {
    TtPolicy *policy;
    TtRtnl *rtnl;
    TtKernelEvents *events;
    guint events_source;
    TtLeaseWatch *leases;
    TtRevertWatch *reverts;
    TtFights *fights;
    TtMonitorStatus status;
    TtHostTold host_told;
    TtHints hints;
    int lock_fd;
    int signal_fd;
    guint look_source;
    guint status_source;
    guint truce_source;
    guint retry_source;
    guint retry_s;     /* the last delay; 0: nothing failed lately */
    guint twin_source; /* twins were spared: the look at which they go */
    bool spare_twins;
    gint64 second_us; /* the second that n_looks counts in */
    guint n_looks;
    bool stand_back; /* not for the first look after a start or a reload */
    GMainLoop *loop;
} Monitor;

static void
log_error(const char *what, const GError *error)
{
    g_autofree char *text =
        g_strdup_printf("%s%s", what, error ? error->message : "internal error");

    tt_log(TT_LOG_ERROR, text);
}

/*
 * What it tells of itself.
 */

static gboolean
write_status(gpointer data)
{
    Monitor *monitor = data;
    g_autoptr(GError) error = NULL;

    monitor->status_source = 0;
    monitor->status.n_events = monitor->hints.n_events;
    if (!tt_monitor_status_write(TT_RUN_DIR, &monitor->status, &error))
        log_error("", error);
    return G_SOURCE_REMOVE;
}

static void
schedule_status(Monitor *monitor)
{
    if (!monitor->status_source)
        monitor->status_source = g_timeout_add_seconds(STATUS_S, write_status, monitor);
}

/*
 * Looks.
 */

static void schedule_look(Monitor *monitor);

static gboolean
end_truce(gpointer data)
{
    Monitor *monitor = data;

    monitor->truce_source = 0;
    tt_hints_add(&monitor->hints, 0);
    schedule_look(monitor);
    return G_SOURCE_REMOVE;
}

static void
begin_truce(Monitor *monitor, const TtRoute *route)
{
    g_autofree char *name = tt_route_format(route, false);
    g_autofree char *text =
        g_strdup_printf("%s: something keeps undoing what the policy says (more than %d times in "
                        "%d s); left alone for %d s",
                        name, TT_FIGHT_LIMIT, TT_FIGHT_WINDOW_S, TT_FIGHT_TRUCE_S);

    tt_log(TT_LOG_WARNING, text);
    g_free(monitor->status.fight);
    monitor->status.fight = g_steal_pointer(&name);
    monitor->status.last_fight = g_get_real_time() / G_USEC_PER_SEC;
}

/* Writing a route once more means that somebody undid it. */
static void
watch_for_fight(Monitor *monitor, const TtEdit *edit)
{
    TtIdentity identity;

    if (edit->reason == TT_REASON_ORDER || edit->reason == TT_REASON_ORPHAN
        || edit->reason == TT_REASON_STALE || (edit->kind == TT_EDIT_DELETE && edit->pair >= 0))
        return;
    identity = tt_identity_of(edit->route);
    if (tt_fights_note(monitor->fights, &identity, g_get_monotonic_time()))
        begin_truce(monitor, edit->route);
}

static void
take_report(const TtEditReport *report, gpointer data)
{
    Monitor *monitor = data;

    tt_log_edit(report, NULL);
    if (report->error)
        return;
    monitor->status.n_changes++;
    monitor->status.last_change = g_get_real_time() / G_USEC_PER_SEC;
    watch_for_fight(monitor, report->edit);
}

static void
take_host_report(const TtHostReport *report, gpointer data)
{
    Monitor *monitor = data;

    tt_host_told_report(&monitor->host_told, report);
}

static gboolean
retry(gpointer data)
{
    Monitor *monitor = data;

    monitor->retry_source = 0;
    tt_hints_add(&monitor->hints, 0);
    schedule_look(monitor);
    return G_SOURCE_REMOVE;
}

/* No event may ever come for what failed: it is tried again, less and less often. */
static void
schedule_retry(Monitor *monitor, bool failed)
{
    if (monitor->retry_source)
        return;
    monitor->retry_s = failed ? CLAMP(monitor->retry_s * 2, 1, RETRY_MAX_S) : 0;
    if (failed)
        monitor->retry_source = g_timeout_add_seconds(monitor->retry_s, retry, monitor);
}

static gboolean
take_twins_away(gpointer data)
{
    Monitor *monitor = data;

    monitor->twin_source = 0;
    monitor->spare_twins = false;
    tt_hints_add(&monitor->hints, 0);
    schedule_look(monitor);
    return G_SOURCE_REMOVE;
}

/* Each change starts the time anew. */
static void
await_twins(Monitor *monitor, bool any)
{
    if (!any && !monitor->twin_source)
        return;
    if (monitor->twin_source)
        g_source_remove(monitor->twin_source);
    monitor->twin_source = g_timeout_add(TWIN_MS, take_twins_away, monitor);
}

static void
look_at(Monitor *monitor, int ifindex)
{
    TtApplyOptions options = {
        .policy = monitor->policy,
        .ifindex = ifindex,
        .eager = true,
        .stand_back = monitor->stand_back,
        .spare_twins = monitor->spare_twins,
        .rtnl = monitor->rtnl,
        .report_host = take_host_report,
        .avoid = tt_fights_avoided(monitor->fights, g_get_monotonic_time()),
    };
    TtApplyResult result = {0};
    g_autoptr(GError) error = NULL;
    bool done = tt_apply_run(&options, take_report, monitor, &result, &error);

    if (done) {
        monitor->stand_back = true;
        tt_host_told_plan(&monitor->host_told, &result.host.plan);
    } else {
        log_error("", error);
    }
    schedule_retry(monitor, !done || result.n_failed > 0);
    await_twins(monitor, result.plan && result.plan->n_spared > 0);
    tt_apply_result_clear(&result);
}

static void
schedule_truce_end(Monitor *monitor)
{
    gint64 end_us = tt_fights_next_end_us(monitor->fights);
    gint64 wait_us = end_us - g_get_monotonic_time();

    if (end_us && !monitor->truce_source)
        monitor->truce_source =
            g_timeout_add((guint) (MAX(wait_us, 0) / 1000 + 1), end_truce, monitor);
}

static gboolean
look(gpointer data)
{
    Monitor *monitor = data;
    TtHints hints = monitor->hints;

    monitor->look_source = 0;
    tt_hints_clear(&monitor->hints);
    if (hints.all)
        look_at(monitor, 0);
    for (guint i = 0; i < hints.n_devices && !hints.all; i++)
        look_at(monitor, hints.ifindex[i]);
    monitor->spare_twins = true;
    schedule_truce_end(monitor);
    schedule_status(monitor);
    return G_SOURCE_REMOVE;
}

static bool
runs_in_circles(Monitor *monitor)
{
    gint64 now_us = g_get_monotonic_time();

    if (now_us - monitor->second_us > G_USEC_PER_SEC) {
        monitor->second_us = now_us;
        monitor->n_looks = 0;
    }
    return ++monitor->n_looks > LOOKS_PER_S;
}

static void
schedule_look(Monitor *monitor)
{
    if (monitor->look_source || !tt_hints_any(&monitor->hints))
        return;
    if (runs_in_circles(monitor))
        monitor->look_source = g_timeout_add(PAUSE_MS, look, monitor);
    else
        look(monitor);
}

/*
 * Events.
 */

static gboolean
on_kernel_event(int fd, GIOCondition condition, gpointer data)
{
    Monitor *monitor = data;

    tt_kernel_events_read(monitor->events, &monitor->hints);
    schedule_look(monitor);
    return G_SOURCE_CONTINUE;
}

static gboolean
on_lease(int fd, GIOCondition condition, gpointer data)
{
    Monitor *monitor = data;

    tt_lease_watch_read(monitor->leases, &monitor->hints);
    schedule_look(monitor);
    return G_SOURCE_CONTINUE;
}

static void
forget_fights(Monitor *monitor)
{
    tt_fights_free(monitor->fights);
    monitor->fights = tt_fights_new();
}

/* What a revert undoes is no fight. Once its mark is gone, everything that we let be is due, though
 * the run that took it away may have looked at one device only. */
static gboolean
on_revert(int fd, GIOCondition condition, gpointer data)
{
    Monitor *monitor = data;

    if (tt_revert_watch_read(monitor->reverts)) {
        forget_fights(monitor);
        tt_hints_add(&monitor->hints, 0);
        schedule_look(monitor);
    }
    return G_SOURCE_CONTINUE;
}

/* What the policy cannot concern does not get through to us. */
static bool
listen_for_policy(Monitor *monitor, GError **error)
{
    TtPolicyReach reach = tt_policy_reach(monitor->policy);
    TtKernelEvents *events = tt_kernel_events_new(&reach, tt_rtnl_port(monitor->rtnl), error);

    if (!events)
        return false;
    if (monitor->events_source)
        g_source_remove(monitor->events_source);
    tt_kernel_events_free(monitor->events);
    monitor->events = events;
    monitor->events_source =
        g_unix_fd_add(tt_kernel_events_fd(events), G_IO_IN, on_kernel_event, monitor);
    return true;
}

static void
set_policy_error(Monitor *monitor, const GError *error)
{
    g_free(monitor->status.policy_error);
    monitor->status.policy_error = error ? g_strdup(error->message) : NULL;
}

static void
reload(Monitor *monitor)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TtPolicy) policy = NULL;
    g_autofree char *text =
        g_strdup_printf("RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT, g_get_monotonic_time());

    tt_notify(text);
    policy = tt_policy_load(NULL, &error);
    set_policy_error(monitor, error);
    if (!policy) {
        log_error("the policy that runs stays: ", error);
    } else {
        tt_policy_free(monitor->policy);
        monitor->policy = g_steal_pointer(&policy);
        monitor->stand_back = false;
        tt_host_told_clear(&monitor->host_told);
        /* An administrator at work is no fight, and a truce ends with what it was about. */
        forget_fights(monitor);
        if (!listen_for_policy(monitor, &error))
            log_error("", error);
        tt_hints_add(&monitor->hints, 0);
        schedule_look(monitor);
    }
    schedule_status(monitor);
    tt_notify("READY=1");
}

static gboolean
on_signal(int fd, GIOCondition condition, gpointer data)
{
    Monitor *monitor = data;
    struct signalfd_siginfo info;

    if (read(fd, &info, sizeof info) != sizeof info)
        return G_SOURCE_CONTINUE;
    if (info.ssi_signo == SIGHUP)
        reload(monitor);
    else
        g_main_loop_quit(monitor->loop);
    return G_SOURCE_CONTINUE;
}

static gboolean
on_watchdog(gpointer unused)
{
    tt_notify("WATCHDOG=1");
    return G_SOURCE_CONTINUE;
}

/*
 * Start and stop.
 */

static int
open_signals(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool
start(Monitor *monitor, GError **error)
{
    guint watchdog_ms = tt_notify_watchdog_ms();

    monitor->signal_fd = open_signals();
    if (monitor->signal_fd < 0) { /* it could not be stopped */
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "signalfd: %s", g_strerror(errno));
        return false;
    }
    monitor->policy = tt_policy_load(NULL, error);
    if (!monitor->policy)
        return false;
    monitor->lock_fd = tt_lock_monitor_take(TT_RUN_DIR, error);
    if (monitor->lock_fd < 0)
        return false;
    monitor->rtnl = tt_rtnl_new(error);
    monitor->leases = monitor->rtnl ? tt_lease_watch_new("/run", error) : NULL;
    monitor->reverts = monitor->leases ? tt_revert_watch_new(TT_RUN_DIR, error) : NULL;
    if (!monitor->reverts || !listen_for_policy(monitor, error))
        return false;
    g_unix_fd_add(tt_lease_watch_fd(monitor->leases), G_IO_IN, on_lease, monitor);
    g_unix_fd_add(tt_revert_watch_fd(monitor->reverts), G_IO_IN, on_revert, monitor);
    g_unix_fd_add(monitor->signal_fd, G_IO_IN, on_signal, monitor);
    if (watchdog_ms)
        g_timeout_add(watchdog_ms, on_watchdog, monitor);
    monitor->status.since = g_get_real_time() / G_USEC_PER_SEC;
    return true;
}

static void
serve(Monitor *monitor)
{
    monitor->spare_twins = true;
    tt_hints_add(&monitor->hints, 0);
    look(monitor);
    write_status(monitor);
    tt_notify("READY=1");
    g_main_loop_run(monitor->loop);
    tt_notify("STOPPING=1");
    /* Without its lock the plan takes back what is only safe while we watch. */
    close(monitor->lock_fd);
    monitor->lock_fd = -1;
    monitor->spare_twins = false;
    look_at(monitor, 0);
    tt_state_file_remove(TT_RUN_DIR, "monitor-status", NULL);
}

static void
clear(Monitor *monitor)
{
    if (monitor->lock_fd >= 0)
        close(monitor->lock_fd);
    if (monitor->signal_fd >= 0)
        close(monitor->signal_fd);
    tt_kernel_events_free(monitor->events);
    tt_lease_watch_free(monitor->leases);
    tt_revert_watch_free(monitor->reverts);
    tt_fights_free(monitor->fights);
    tt_rtnl_free(monitor->rtnl);
    tt_policy_free(monitor->policy);
    tt_monitor_status_clear(&monitor->status);
    tt_host_told_clear(&monitor->host_told);
    g_main_loop_unref(monitor->loop);
}

int
tt_monitor_run(void)
{
    Monitor monitor = {.lock_fd = -1, .signal_fd = -1};
    g_autoptr(GError) error = NULL;
    bool started;

    monitor.loop = g_main_loop_new(NULL, FALSE);
    monitor.fights = tt_fights_new();
    started = start(&monitor, &error);
    if (started)
        serve(&monitor);
    else
        log_error("", error);
    clear(&monitor);
    if (!started && g_error_matches(error, TT_ERROR, TT_ERROR_POLICY))
        return EX_CONFIG;
    return started ? 0 : 1;
}
