/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hook.h"

#include "core/error.h"
#include "core/hook-note.h"
#include "core/nm-state.h"
#include "core/rtnl.h"
#include "kernel-events.h"
#include "log-edit.h"
#include "log-host.h"
#include "log.h"

#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <unistd.h>

#define QUIET_MS 200 /* no change for this long: NetworkManager is done */
#define PATIENCE_MS 2000

/* dns-change is an event of 1.46 and later. */
#define DNS_CHANGE_VERSION "1.46"

static bool
policy_is_empty(const TtPolicy *policy)
{
    return policy->sections->len == 0;
}

static bool
have_journal(bool *out_have, GError **error)
{
    g_autoptr(TtJournal) journal = tt_journal_load(TT_RUN_DIR, error);

    if (!journal)
        return false;
    *out_have = tt_journal_size(journal) > 0;
    return true;
}

/* Without a policy, and nothing of ours to undo or to watch, this host is none of our business. */
static bool
is_concerned(const TtPolicy *policy, bool *out_concerned, GError **error)
{
    *out_concerned = true;
    return !policy_is_empty(policy) || tt_host_is_concerned(policy->host, TT_RUN_DIR)
           || tt_nm_state_has_profiles(TT_RUN_DIR) || have_journal(out_concerned, error);
}

typedef struct {
    guint n_failed;
    guint n_changed;
} Outcome;

static bool
run(const TtApplyOptions *options, Outcome *outcome, GError **error)
{
    TtApplyResult result = {0};

    if (!tt_apply_run(options, tt_log_edit, NULL, &result, error))
        return false;
    /* What failed before and is right now has not failed. */
    outcome->n_failed = result.n_failed + result.host.n_failed;
    outcome->n_changed += result.n_changed;
    tt_apply_result_clear(&result);
    return true;
}

static bool
is_change_within(TtKernelEvents *events, int timeout_ms)
{
    struct pollfd poll_fd = {.fd = tt_kernel_events_fd(events), .events = POLLIN};
    TtHints hints = {0};

    if (poll(&poll_fd, 1, timeout_ms) <= 0)
        return false;
    tt_kernel_events_read(events, &hints);
    return true;
}

/* Goes on while routes change that the policy concerns, others' changes and not our own. */
static bool
run_until_quiet(const TtApplyOptions *options,
                TtPatience patience,
                Outcome *outcome,
                GError **error)
{
    gint64 end_us = g_get_monotonic_time() + PATIENCE_MS * G_TIME_SPAN_MILLISECOND;
    g_autoptr(TtRtnl) rtnl = tt_rtnl_new(error);
    g_autoptr(TtKernelEvents) events = NULL;
    TtPolicyReach reach = tt_policy_reach(options->policy);
    TtApplyOptions shared = *options;

    if (!rtnl || !(events = tt_kernel_events_new(&reach, tt_rtnl_port(rtnl), error)))
        return false;
    shared.rtnl = rtnl;
    if (patience != TT_PATIENCE_ALWAYS)
        shared.stand_back = true; /* it has run before */
    do {
        if (!run(&shared, outcome, error))
            return false;
        shared.stand_back = true;
    } while (g_get_monotonic_time() < end_us && is_change_within(events, QUIET_MS));
    return true;
}

static bool
run_with_patience(const TtApplyOptions *options,
                  TtPatience patience,
                  Outcome *outcome,
                  GError **error)
{
    if (patience != TT_PATIENCE_ALWAYS) {
        if (!run(options, outcome, error))
            return false;
        if (patience == TT_PATIENCE_NONE || outcome->n_changed == 0)
            return true;
    }
    return run_until_quiet(options, patience, outcome, error);
}

static bool
tidy(int ifindex, Outcome *outcome, GError **error)
{
    TtApplyOptions options = {.ifindex = ifindex, .tidy_only = true};
    bool have;

    if (!have_journal(&have, error))
        return false;
    return !have || run(&options, outcome, error);
}

/* *out_go_on: the event still calls for a look at the routes. */
static bool
take_notes(const TtEvent *event, int ifindex, bool *out_go_on, GError **error)
{
    *out_go_on = true;
    if (event->action == TT_ACTION_DNS)
        return tt_nm_state_note_version(TT_RUN_DIR, DNS_CHANGE_VERSION, out_go_on, error);
    if (event->id)
        return tt_nm_state_note_id(TT_RUN_DIR, ifindex, event->uuid, event->id, error);
    return true;
}

/* Also where there is no policy, or one with an error: where the host's traffic goes depends on
 * what `apply` wrote into the profile. */
static bool
note_profiles(const TtEvent *event, GError **error)
{
    if (event->filename
        && !tt_nm_state_note_profile(TT_RUN_DIR, event->uuid, event->filename, event->activated,
                                     error))
        return false;
    return tt_nm_state_tidy_profiles(TT_RUN_DIR, error);
}

/* A policy with an error changes nothing (I6). What leads nowhere, or where the administrator does
 * not want to go any more, is our own earlier work: it goes all the same. */
static bool
take_orphans_away(int ifindex, Outcome *outcome)
{
    TtApplyOptions options = {.ifindex = ifindex, .orphans_only = true};
    bool have;

    if (tt_nm_state_has_profiles(TT_RUN_DIR) || (have_journal(&have, NULL) && have))
        run(&options, outcome, NULL);
    return false;
}

static bool
look(const TtEvent *event, int ifindex, Outcome *outcome, GError **error)
{
    g_autoptr(TtPolicy) policy = tt_policy_load(NULL, error);
    TtApplyOptions options = {
        .policy = policy,
        .ifindex = ifindex,
        .report_host = tt_log_host,
        .stand_back = event->stands_back,
    };
    g_autoptr(GError) note_error = NULL;
    bool go_on, noted = note_profiles(event, &note_error);

    if (!policy)
        return take_orphans_away(ifindex, outcome);
    if (!is_concerned(policy, &go_on, error))
        return false;
    if (!go_on)
        return true;
    noted = noted && take_notes(event, ifindex, &go_on, &note_error)
            && tt_hook_note(TT_RUN_DIR, &note_error);
    if (go_on && !run_with_patience(&options, event->patience, outcome, error))
        return false;
    if (!noted)
        g_propagate_error(error, g_steal_pointer(&note_error));
    return noted;
}

static bool
fail(const char *ifname, GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_NETLINK, "cannot find %s: %s", ifname, g_strerror(errno));
    return false;
}

static bool
act(const TtEvent *event, Outcome *outcome, GError **error)
{
    int ifindex = event->ifname ? (int) if_nametoindex(event->ifname) : 0;

    if (event->action == TT_ACTION_TIDY)
        return tidy(ifindex, outcome, error) && tt_nm_state_tidy_profiles(TT_RUN_DIR, error);
    /* Events come late: the device may be gone. */
    if (event->ifname && !ifindex)
        return errno == ENODEV || fail(event->ifname, error);
    return look(event, ifindex, outcome, error);
}

int
tt_hook_run(const TtEvent *event)
{
    g_autoptr(GError) error = NULL;
    Outcome outcome = {0};

    if (event->action == TT_ACTION_NOTHING)
        return 0;
    if (geteuid() != 0) {
        tt_log(TT_LOG_ERROR, "the hook must run as root; by hand, use tcptune-nm apply");
        return 1;
    }
    if (!act(event, &outcome, &error)) {
        tt_log(TT_LOG_ERROR, error ? error->message : "internal error");
        return 1;
    }
    return outcome.n_failed ? 1 : 0;
}
