/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure-run.h"

#include "core/tcp-counters.h"
#include "measure-connection.h"

#include <unistd.h>

static void
add_counts(int fd, TtMeasureSide *side)
{
    TtSocket socket;

    tt_measure_read_info(fd, &socket);
    side->n_retransmitted += socket.n_retransmitted;
    side->n_dsacks += socket.n_dsacks;
}

static bool
take_sample(const TtMeasureRun *run, TtMeasure *measure, TtMeasureSide *side, double ms)
{
    if (ms < 0)
        return false;
    g_array_append_val(side->samples, ms);
    if (run->progress)
        run->progress(measure);
    return true;
}

static guint
last_size(const TtMeasure *measure)
{
    return g_array_index(measure->sizes, guint, measure->sizes->len - 1);
}

/* All requests of a round go over one connection. */
static bool
run_requests(const TtMeasureRun *run, TtMeasure *measure, TtMeasureSide *side, GError **error)
{
    guint n = last_size(measure);
    int fd = tt_measure_connect(run->family, &run->peer, run->port, error);
    bool ok = fd >= 0;

    for (guint i = 0; ok && i < n; i++)
        ok = take_sample(run, measure, side,
                         tt_measure_request(fd, (gsize) measure->options.bytes, error));
    if (fd >= 0) {
        add_counts(fd, side);
        close(fd);
    }
    return ok;
}

static bool
run_transfers(const TtMeasureRun *run, TtMeasure *measure, TtMeasureSide *side, GError **error)
{
    guint n = last_size(measure);
    bool ok = true;

    for (guint i = 0; ok && i < n; i++) {
        int fd = tt_measure_connect(run->family, &run->peer, run->port, error);

        if (fd < 0)
            return false;
        ok =
            take_sample(run, measure, side, tt_measure_transfer(fd, measure->options.bytes, error));
        add_counts(fd, side);
        close(fd);
    }
    return ok;
}

static guint64
count_probes(void)
{
    TtCounters counters;

    tt_counters_read(&counters);
    return counters.value[TT_COUNTER_LOSS_PROBES];
}

static void
close_round(TtMeasureSide *side, guint from)
{
    double sum = 0;

    for (guint i = from; i < side->samples->len; i++)
        sum += g_array_index(side->samples, double, i);
    g_array_append_val(side->rounds, sum);
}

/* A route that somebody changed meanwhile was not what was measured. */
static bool
run_side(const TtMeasureRun *run, TtMeasure *measure, TtMeasureSide *side, GError **error)
{
    guint from = side->samples->len;
    guint64 probes;
    bool ok;

    if (!tt_measure_route_set(run->route, &side->metrics, error))
        return false;
    probes = count_probes();
    ok = measure->options.bulk ? run_transfers(run, measure, side, error)
                               : run_requests(run, measure, side, error);
    side->n_probes += count_probes() - probes;
    if (!ok || !tt_measure_route_check(run->route, error))
        return false;
    close_round(side, from);
    return true;
}

/* Rounds of one length would be in step with whatever else comes at regular intervals: all of it
 * would hit the same side. */
static void
draw_size(TtMeasure *measure)
{
    guint count = measure->options.count;
    guint size = (count + 1) / 2 + (guint) g_random_int_range(0, (gint32) count / 2 * 2 + 1);

    g_array_append_val(measure->sizes, size);
}

bool
tt_measure_run(const TtMeasureRun *run, TtMeasure *measure, GError **error)
{
    for (guint round = 0; round < measure->options.n_rounds; round++) {
        draw_size(measure);
        for (TtSide side = 0; side < _TT_SIDE_N; side++) {
            if (!run_side(run, measure, &measure->side[side], error))
                return false;
        }
    }
    return true;
}
