/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/apply.h"
#include "core/error.h"
#include "core/lock.h"
#include "interrupt.h"
#include "live.h"
#include "measure-address.h"
#include "measure-guard.h"
#include "measure-metrics.h"
#include "measure-options.h"
#include "measure-peer.h"
#include "measure-run.h"
#include "measure-text.h"
#include "print.h"
#include "svg.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOCK_TRIES 100
#define LOCK_TRY_US 20000
#define PROGRESS_US 100000

static bool
take_peer(const char *where, TtMeasureRun *run, GError **error)
{
    struct addrinfo *found = tt_measure_resolve(where, false, error);
    const struct sockaddr_in *v4;
    const struct sockaddr_in6 *v6;

    if (!found)
        return false;
    v4 = (const void *) found->ai_addr;
    v6 = (const void *) found->ai_addr;
    run->family = found->ai_family;
    if (run->family == AF_INET)
        run->peer.v4 = v4->sin_addr;
    else
        run->peer.v6 = v6->sin6_addr;
    run->port = ntohs(run->family == AF_INET ? v4->sin_port : v6->sin6_port);
    freeaddrinfo(found);
    return true;
}

/* One that was killed just now has a guard that is not done yet. */
static int
take_lock(GError **error)
{
    g_autoptr(GError) failure = NULL;
    int fd = -1;

    for (guint i = 0; fd < 0 && i < LOCK_TRIES; i++) {
        g_clear_error(&failure);
        fd = tt_lock_measure_take(TT_RUN_DIR, &failure);
        if (fd < 0 && tt_interrupt_wait(-1, 0, LOCK_TRY_US) == TT_WAIT_INTERRUPTED)
            break;
    }
    if (fd < 0)
        g_propagate_error(error, g_steal_pointer(&failure));
    return fd;
}

/* On a line of its own that is written over again and again; not more often than one can read. */
static void
show_progress(const TtMeasure *measure)
{
    static gint64 last_us;
    gint64 now_us = g_get_monotonic_time();
    g_autofree char *text = NULL;

    if (now_us - last_us < PROGRESS_US)
        return;
    last_us = now_us;
    text = tt_measure_format_progress(measure);
    fprintf(stderr, "\r%s\033[K", text);
}

/* They use the route while it is in, and keep what they learn of it. */
static void
warn_of_others(const TtMeasureRun *run)
{
    TtLiveFilter filter = {
        .peer_family = (guint8) run->family,
        .peer_len = (guint8) (tt_address_len(run->family) * 8),
        .peer = run->peer,
    };
    g_autoptr(GPtrArray) live = tt_live_look(&filter, NULL, false, NULL);

    if (live && live->len > 0)
        fprintf(stderr,
                "Warning: %u other live connection%s of this host to the peer will carry the same "
                "metrics meanwhile, and may keep a lowered RTO.\n",
                live->len, live->len == 1 ? "" : "s");
}

static bool
write_svg(const char *path, const TtMeasure *measure, GError **error)
{
    g_autofree char *text = NULL;

    if (!path)
        return true;
    text = tt_svg_draw(measure);
    return g_file_set_contents(path, text, -1, error);
}

/* Also of one that was broken off, as far as it came. */
static bool
tell(const TtMeasureArgs *args, TtMeasure *measure, GError **error)
{
    g_autofree char *text = NULL;

    if (tt_measure_trim(measure) == 0)
        return true;
    text = tt_measure_format(measure);
    tt_print(stdout, text);
    return write_svg(args->svg, measure, error);
}

/* With the lock held: until the route is out again. */
static bool
run_guarded(TtMeasureRun *run, TtMeasure *measure, GError **error)
{
    g_autoptr(TtMeasureGuard) guard = tt_measure_guard_start(error);
    bool ok;

    if (!guard)
        return false;
    ok = tt_measure_run(run, measure, error);
    if (run->progress)
        fputs("\r\033[K", stderr);
    return tt_measure_route_remove(run->route, ok ? error : NULL) && ok;
}

static bool
prepare(const TtMeasureArgs *args, TtMeasureRun *run, TtMeasure *measure, GError **error)
{
    TtMetrics metrics[_TT_SIDE_N];

    if (!tt_measure_route_sweep(false, NULL, error))
        return false;
    run->route = tt_measure_route_new(run->family, &run->peer, error);
    if (!run->route
        || !tt_measure_metrics(tt_measure_route_base(run->route), args->words, metrics, error))
        return false;
    for (TtSide side = 0; side < _TT_SIDE_N; side++)
        measure->side[side].metrics = metrics[side];
    measure->peer = g_strdup(args->where);
    measure->route = tt_route_format(tt_measure_route_base(run->route), false);
    if (isatty(STDERR_FILENO))
        run->progress = show_progress;
    warn_of_others(run);
    return true;
}

static bool
measure_locked(const TtMeasureArgs *args, TtMeasureRun *run, GError **error)
{
    TtMeasure measure;
    bool ok;

    tt_measure_init(&measure, &args->measure);
    ok = prepare(args, run, &measure, error);
    if (ok) {
        ok = run_guarded(run, &measure, error);
        ok &= tell(args, &measure, ok ? error : NULL);
    }
    tt_measure_route_free(run->route);
    tt_measure_clear(&measure);
    return ok;
}

bool
tt_cmd_measure(TtContext *context, char **words, GError **error)
{
    TtMeasureArgs args;
    TtMeasureRun run = {0};
    int lock_fd;
    bool ok;

    if (!tt_measure_args_parse(words, &args, error))
        return false;
    if (args.listen)
        return tt_measure_listen(args.where, error);
    if (!take_peer(args.where, &run, error))
        return false;
    if (geteuid() != 0) {
        g_set_error(error, TT_ERROR, TT_ERROR_PERMISSION, "'%s' must run as root.",
                    context->command);
        return false;
    }
    tt_interrupt_catch();
    lock_fd = take_lock(error);
    if (lock_fd < 0)
        return false;
    ok = measure_locked(&args, &run, error);
    close(lock_fd);
    return ok;
}
