/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hook.h"

#include "core/error.h"
#include "core/nm-state.h"
#include "log-edit.h"
#include "log.h"

#include <net/if.h>
#include <unistd.h>

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

/* Without a policy, and nothing of ours to undo, this host is none of our business. */
static bool
is_concerned(const TtPolicy *policy, bool *out_concerned, GError **error)
{
    *out_concerned = true;
    return !policy_is_empty(policy) || have_journal(out_concerned, error);
}

static bool
run(const TtApplyOptions *options, guint *out_n_failed, GError **error)
{
    TtApplyResult result = {0};

    if (!tt_apply_run(options, tt_log_edit, NULL, &result, error))
        return false;
    *out_n_failed = result.n_failed;
    tt_apply_result_clear(&result);
    return true;
}

static bool
tidy(int ifindex, guint *out_n_failed, GError **error)
{
    TtApplyOptions options = {.ifindex = ifindex, .tidy_only = true};
    bool have;

    if (!have_journal(&have, error))
        return false;
    return !have || run(&options, out_n_failed, error);
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

static bool
look(const TtEvent *event, int ifindex, guint *out_n_failed, GError **error)
{
    g_autoptr(TtPolicy) policy = tt_policy_load(NULL, error);
    TtApplyOptions options = {.policy = policy, .ifindex = ifindex};
    bool go_on;

    if (!policy || !is_concerned(policy, &go_on, error))
        return false;
    if (!go_on)
        return true;
    if (!take_notes(event, ifindex, &go_on, error))
        return false;
    return !go_on || run(&options, out_n_failed, error);
}

static bool
act(const TtEvent *event, guint *out_n_failed, GError **error)
{
    int ifindex = event->ifname ? (int) if_nametoindex(event->ifname) : 0;

    if (event->action == TT_ACTION_TIDY)
        return tidy(ifindex, out_n_failed, error);
    /* Events come late: the device may be gone. */
    if (event->ifname && !ifindex)
        return true;
    return look(event, ifindex, out_n_failed, error);
}

int
tt_hook_run(const TtEvent *event)
{
    g_autoptr(GError) error = NULL;
    guint n_failed = 0;

    if (event->action == TT_ACTION_NOTHING)
        return 0;
    if (geteuid() != 0) {
        tt_log(TT_LOG_ERROR, "the hook must run as root; by hand, use tcptune-nm apply");
        return 1;
    }
    if (!act(event, &n_failed, &error)) {
        tt_log(TT_LOG_ERROR, error ? error->message : "internal error");
        return 1;
    }
    return n_failed ? 1 : 0;
}
