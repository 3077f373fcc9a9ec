/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the metrics of one route shall be, and what the journal shall say of it. */
#include "plan-internal.h"

static bool
noted(const TtJournalEntry *entry, int rtax)
{
    return entry && (entry->named & TT_METRIC_BIT(rtax));
}

static void
set_lock(TtMetrics *metrics, int rtax, bool on)
{
    if (on)
        metrics->lock |= TT_METRIC_BIT(rtax);
    else
        metrics->lock &= ~TT_METRIC_BIT(rtax);
}

/* A lock that we set and that nobody asks for any more goes back to what it was. */
static bool
lock_before(const TtJournalEntry *entry, const TtMetrics *now, int rtax)
{
    const TtMetrics *from = now;

    if (entry && tt_journal_entry_is_ours(entry, now, rtax))
        from = &entry->before;
    return tt_metrics_locked(from, rtax);
}

static void
apply_set(const TtPlanItem *item, TtAttr attr, const TtJournalEntry *entry, TtMetrics *target)
{
    const TtAttrInfo *info = tt_attr_info(attr);

    tt_metrics_set(target, attr, &item->wanted.wish[attr]->value);
    if (info->needs_lock || (item->wanted.lock & TT_METRIC_BIT(info->rtax)))
        set_lock(target, info->rtax, true);
    else
        set_lock(target, info->rtax, lock_before(entry, &item->route->metrics, info->rtax));
}

/* What our own work goes back to. */
typedef struct {
    const TtJournalEntry *entry; /* NULL: never touched */
    const TtNativeRoute *native; /* NULL: not in a profile of ours */
} Past;

/* Nobody has a say: our own work is undone, what others set stays. */
static void
apply_undo(const TtPlanItem *item, int rtax, const Past *past, TtMetrics *target)
{
    const TtMetrics *now = &item->route->metrics;

    if (!tt_plan_native_undo(past->native, now, past->entry, rtax, target) && past->entry
        && tt_journal_entry_is_ours(past->entry, now, rtax))
        tt_metrics_copy_one(target, &past->entry->before, rtax);
}

static void
apply_attr(TtPlanItem *item, TtAttr attr, const Past *past)
{
    TtMetrics *target = &item->target;
    const TtAttrInfo *info = tt_attr_info(attr);
    const TtWish *wish = item->left ? NULL : item->wanted.wish[attr];
    TtWishKind kind = wish ? wish->kind : TT_WISH_UNSET;
    guint32 bit = TT_METRIC_BIT(info->rtax);
    bool lock = !item->left && (item->wanted.lock & bit);

    switch (kind) {
    case TT_WISH_SET:
        apply_set(item, attr, past->entry, target);
        item->named |= bit;
        break;
    case TT_WISH_REMOVE:
        tt_metrics_clear(target, info->rtax);
        item->named |= bit;
        break;
    case TT_WISH_UNSET:
    case TT_WISH_NONE:
        if (past->native || noted(past->entry, info->rtax))
            apply_undo(item, info->rtax, past, target);
        if (lock && tt_metrics_has(target, info->rtax)) {
            set_lock(target, info->rtax, true);
            item->named |= bit;
        } else if (noted(past->entry, info->rtax)) {
            item->dropped |= bit;
        }
        break;
    }
}

/* A route that is left alone keeps nothing of ours either: without us it would go stale. */
static void
compute(TtPlanItem *item, const Past *past)
{
    item->target = item->route->metrics;
    /* A run that was killed while it moved routes may have left its mark. */
    tt_plan_clear_mark(&item->target);
    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++)
        apply_attr(item, attr, past);
}

/* Metrics that are right in value, but that the kernel does not honour without their lock. */
static guint32
find_ineffective(const TtPlanItem *item)
{
    const TtMetrics *now = &item->route->metrics;
    guint32 unlocked = item->target.lock & ~now->lock & now->present;
    guint32 found = 0;

    for (TtAttr attr = 0; unlocked && attr < _TT_ATTR_N; attr++) {
        const TtAttrInfo *info = tt_attr_info(attr);

        if (info->needs_lock && (unlocked & TT_METRIC_BIT(info->rtax))
            && now->value[info->rtax] == item->target.value[info->rtax])
            found |= TT_METRIC_BIT(info->rtax);
    }
    return found;
}

/*
 * Hops of an IPv6 multipath route have metrics each, of which a dump shows the first's only. They
 * may differ in what we set anyway; a replace would wipe any other difference.
 */
static bool
hop_is_foreign(const TtPlanItem *item, const TtMetrics *hop, const TtJournalEntry *entry)
{
    guint32 named = item->named | item->dropped;

    for (int rtax = 0; rtax < TT_METRICS_N; rtax++) {
        if (tt_metrics_equal_one(hop, &item->route->metrics, rtax))
            continue;
        if (!(named & TT_METRIC_BIT(rtax)))
            return true;
        if (tt_metrics_equal_one(hop, &item->target, rtax)
            || (entry && tt_journal_entry_is_ours(entry, hop, rtax)))
            continue;
        if (tt_metrics_has(hop, rtax) || tt_metrics_locked(hop, rtax))
            return true;
    }
    return false;
}

static void
take_from_hop(TtPlanItem *item, const TtMetrics *hop)
{
    if (!item->merged)
        item->route = item->merged = tt_route_copy(item->route);
    item->merged->metrics = *hop;
}

/* Makes one set of metrics of those of all hops, or says why they cannot be edited as one. */
static TtLeft
merge_hops(const TtPlanInput *input, TtPlanItem *item, const TtJournalEntry *entry)
{
    const TtHopMetrics *hops;

    if (item->route->family != AF_INET6 || item->route->n_hops < 2 || item->route->nh_id)
        return TT_LEFT_NONE;
    hops = input->hops ? g_hash_table_lookup(input->hops, &item->identity) : NULL;
    if (!hops || !hops->complete)
        return TT_LEFT_HOPS_UNREAD;
    if (!hops->uniform)
        return TT_LEFT_HOPS;
    for (guint i = 0; i < hops->n; i++) {
        if (hop_is_foreign(item, &hops->metrics[i], entry))
            return TT_LEFT_HOPS;
    }
    /* One hop that lacks what the first one has is enough for a difference. */
    for (guint i = 0; i < hops->n; i++) {
        if (!tt_metrics_equal(&hops->metrics[i], &item->target))
            take_from_hop(item, &hops->metrics[i]);
    }
    return TT_LEFT_NONE;
}

/* Of an infinite lifetime nothing shows but who processes advertisements on the device:
 * NetworkManager switches accept_ra off where it does so itself. */
static bool
is_kernels_own(const TtPlanInput *input, const TtRoute *route)
{
    if (tt_route_is_kernel_ra(route))
        return true;
    for (guint i = 0; i < route->n_hops; i++) {
        const TtLink *link = tt_facts_link(input->facts, route->hops[i].ifindex);

        if (route->family == AF_INET6 && route->protocol == RTPROT_RA && link && link->accept_ra)
            return true;
    }
    return false;
}

static TtLeft
find_reason_to_leave(const TtPlanInput *input, TtNmRegime regime, const TtPlanItem *item)
{
    if (is_kernels_own(input, item->route))
        return TT_LEFT_KERNEL_RA;
    if (item->wanted.match == TT_MATCH_PARTIAL)
        return TT_LEFT_PARTIAL;
    if (input->avoid && g_hash_table_contains(input->avoid, &item->identity))
        return TT_LEFT_FIGHT;
    return tt_wanted_any(&item->wanted) ? tt_plan_learned(input, regime, item->route)
                                        : TT_LEFT_NONE;
}

static void
judge(TtPlanItem *item)
{
    bool differs = !tt_metrics_equal(&item->target, &item->route->metrics);

    if (item->left)
        item->state = TT_STATE_LEFT;
    else if (differs)
        item->state = TT_STATE_DIFFERS;
    else
        item->state =
            item->since || tt_wanted_any(&item->wanted) ? TT_STATE_OK : TT_STATE_UNMATCHED;
}

bool
tt_plan_is_untouchable(TtLeft left)
{
    return left == TT_LEFT_KERNEL_RA || left == TT_LEFT_HOPS || left == TT_LEFT_HOPS_UNREAD
           || left == TT_LEFT_FIGHT || left == TT_LEFT_STALE;
}

void
tt_plan_target(const TtPlanInput *input,
               TtNmRegime regime,
               const TtNativeRoute *native,
               TtPlanItem *item)
{
    const TtJournalEntry *entry = tt_journal_get(input->journal, &item->identity);
    const Past past = {.entry = entry, .native = native};
    TtLeft hops_left;

    item->left = find_reason_to_leave(input, regime, item);
    item->since = entry ? entry->since : 0;
    item->reason = tt_wanted_any(&item->wanted) && !item->left ? TT_REASON_TUNE : TT_REASON_UNDO;
    compute(item, &past);
    hops_left = merge_hops(input, item, entry);
    if (hops_left)
        item->left = hops_left;
    if (tt_plan_is_untouchable(item->left))
        item->target = item->route->metrics;
    item->ineffective = find_ineffective(item);
    judge(item);
}
