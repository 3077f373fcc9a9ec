/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host-view.h"

#include "core/apply.h"
#include "core/host-devices.h"
#include "core/host-report.h"
#include "core/rtnl.h"

#include <string.h>

void
tt_host_view_clear(TtHostView *view)
{
    for (guint i = 0; i < _TT_HOST_N; i++)
        tt_host_drift_clear(&view->drift[i]);
    g_clear_pointer(&view->keepers, g_free);
}

void
tt_host_view_find_drift(TtHostView *view)
{
    for (guint i = 0; i < view->plan.n_items; i++) {
        const TtHostItem *item = &view->plan.items[i];

        if (tt_host_item_has_say(item) && item->found.status == TT_KNOB_HERE)
            tt_host_drift_find(NULL, item->key, item->wish, &view->drift[i]);
    }
}

static void
find_keepers(TtHostView *view)
{
    const TtHostItem *qdisc = tt_host_plan_find(&view->plan, TT_HOST_DEFAULT_QDISC);
    g_autoptr(TtRtnl) rtnl = NULL;

    if (!qdisc || !tt_host_item_has_say(qdisc) || qdisc->found.status != TT_KNOB_HERE)
        return;
    rtnl = tt_rtnl_new(NULL);
    view->keepers = rtnl ? tt_host_devices_keeping(rtnl, qdisc->target) : NULL;
}

bool
tt_host_view_load(TtHostView *view, const TtPolicy *policy, GError **error)
{
    memset(view, 0, sizeof *view);
    if (!tt_apply_look_host(&(TtApplyOptions){.policy = policy}, &view->plan, error))
        return false;
    tt_host_view_find_drift(view);
    find_keepers(view);
    return true;
}

char *
tt_host_view_wanted(const TtHostView *view, guint i)
{
    const TtHostItem *item = &view->plan.items[i];
    g_autofree char *value =
        item->wish ? tt_host_wish_value(item->key, item->wish) : g_strdup(item->target);

    return tt_host_value_word(item->key, value);
}

char *
tt_host_view_kernel(const TtHostView *view, guint i)
{
    return tt_host_value_word(view->plan.items[i].key, view->plan.items[i].found.value);
}

char *
tt_host_view_section(const TtHostView *view, guint i)
{
    const TtHostWish *wish = view->plan.items[i].wish;

    return wish ? g_strdup_printf("[host] %s:%u", wish->origin.file, wish->origin.line) : NULL;
}

char *
tt_host_view_state(const TtHostView *view, guint i)
{
    const TtHostItem *item = &view->plan.items[i];
    g_autofree char *state = tt_host_report_state(item);
    GString *text = g_string_new(state);

    if (item->key == TT_HOST_DEFAULT_QDISC && view->keepers)
        g_string_append_printf(text, "; devices that keep theirs: %s", view->keepers);
    if (view->drift[i].file) {
        g_autofree char *drift = tt_host_report_drift(item->key, &view->drift[i]);

        g_string_append_printf(text, "; %s", drift);
    }
    return g_string_free(text, FALSE);
}

bool
tt_host_view_is_difference(const TtHostView *view, guint i)
{
    return view->plan.items[i].state != TT_HOST_OK || view->drift[i].file;
}

TtTone
tt_host_view_tone(const TtHostView *view, guint i)
{
    return tt_host_view_is_difference(view, i) ? TT_TONE_BAD : TT_TONE_GOOD;
}
