/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One profile: restored, tuned, compared. */
#include "profile-internal.h"

#include "core/error.h"

#include <string.h>

typedef struct {
    TtProfileSide side[2];
    TtStamp *old_stamp[2];
    TtStamp *stamp[2];
    GPtrArray *wishes[2]; /* NULL: no policy */
} Work;

static const int families[2] = {AF_INET, AF_INET6};

static void
work_init(Work *work, NMConnection *connection)
{
    for (guint i = 0; i < 2; i++) {
        tt_profile_side_init(&work->side[i], connection, families[i]);
        work->old_stamp[i] = tt_stamp_read(connection, families[i]);
        work->stamp[i] = tt_stamp_new();
        work->wishes[i] = NULL;
    }
}

static void
work_clear(Work *work)
{
    for (guint i = 0; i < 2; i++) {
        tt_profile_side_clear(&work->side[i]);
        tt_stamp_free(work->old_stamp[i]);
        tt_stamp_free(work->stamp[i]);
        g_clear_pointer(&work->wishes[i], g_ptr_array_unref);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Work, work_clear)

static void
free_route(gpointer data)
{
    TtProfileRoute *route = data;

    g_free(route->route);
    g_free(route->why);
    g_free(route);
}

static TtProfileRoute *
add_route(TtProfilePlan *plan, int family, char *text, TtPath path, const char *why)
{
    TtProfileRoute *route = g_new0(TtProfileRoute, 1);

    route->family = family;
    route->route = text;
    route->path = path;
    route->why = g_strdup(why);
    g_ptr_array_add(plan->routes, route);
    return route;
}

void
tt_profile_plan_free(TtProfilePlan *plan)
{
    if (!plan)
        return;
    g_clear_object(&plan->before);
    g_clear_object(&plan->after);
    g_ptr_array_unref(plan->routes);
    g_ptr_array_unref(plan->native);
    g_free(plan->left);
    g_free(plan->stale);
    g_free(plan);
}

bool
tt_profile_supported(GError **error)
{
    const char *name = tt_profile_attr_info(TT_PROFILE_RTO_MIN)->name;
    g_autoptr(GVariant) value = g_variant_ref_sink(g_variant_new_uint32(1));
    gboolean known = FALSE;

    nm_ip_route_attribute_validate(name, value, AF_INET, &known, NULL);
    if (!known)
        g_set_error_literal(error, TT_ERROR, TT_ERROR_NOT_FOUND,
                            "this libnm is older than 1.40 and does not know rto_min");
    return known;
}

/* False: plan->left says why. */
static bool
tune(Work *work, const TtProfileMatcher *matcher, TtProfilePlan *plan)
{
    for (guint i = 0; i < 2; i++) {
        work->wishes[i] = tt_profile_wishes(matcher, &work->side[i], &plan->left);
        if (!work->wishes[i])
            return false;
        tt_profile_weights_judge(matcher->input->weights, work->wishes[i]);
    }
    for (guint i = 0; i < 2; i++)
        tt_profile_tune(&work->side[i], work->wishes[i], work->stamp[i]);
    return true;
}

static void
report_wishes(const Work *work, guint i, TtProfilePlan *plan)
{
    for (guint k = 0; work->wishes[i] && k < work->wishes[i]->len; k++) {
        const TtProfileWish *wish = work->wishes[i]->pdata[k];

        if (tt_wanted_any(&wish->wanted))
            add_route(plan, families[i], tt_profile_route_key(wish->route), wish->path, wish->why);
    }
}

static bool
is_reported(const TtProfilePlan *plan, const char *text)
{
    for (guint i = 0; i < plan->routes->len; i++) {
        const TtProfileRoute *route = plan->routes->pdata[i];

        if (strcmp(route->route, text) == 0)
            return true;
    }
    return false;
}

/* Routes that the policy does not match any more. */
static void
report_restored(const Work *work, guint i, TtProfilePlan *plan)
{
    for (guint k = 0; k < work->old_stamp[i]->routes->len; k++) {
        const TtStampRoute *route = work->old_stamp[i]->routes->pdata[k];

        if (!is_reported(plan, route->key))
            add_route(plan, families[i], g_strdup(route->key), TT_PATH_NATIVE, NULL)->taken_back =
                true;
    }
}

static void
report_learned(const TtProfileMatcher *matcher, const Work *work, guint i, TtProfilePlan *plan)
{
    const TtProfileSide *side = &work->side[i];
    g_autofree char *undecided = NULL;
    NMIPRoute *route;
    TtWanted wanted;

    if (!side->setting || side->gateway || tt_profile_side_is_manual(side)
        || g_strcmp0(nm_setting_ip_config_get_method(side->setting), "auto") != 0
        || nm_setting_ip_config_get_never_default(side->setting))
        return;
    route = tt_profile_side_gateway_route(side, NULL);
    if (tt_profile_match(matcher, side, route, side->family == AF_INET ? RTPROT_DHCP : RTPROT_RA,
                         &wanted, &undecided)
        && tt_wanted_any(&wanted))
        add_route(plan, side->family, tt_profile_route_place(route), TT_PATH_KERNEL,
                  "learned, not in the profile");
    nm_ip_route_unref(route);
}

static void
report(const Work *work, TtProfilePlan *plan)
{
    for (guint i = 0; i < 2; i++) {
        report_wishes(work, i, plan);
        if (!plan->left)
            report_restored(work, i, plan);
    }
}

static void
leave(TtProfilePlan *plan, const char *why)
{
    g_free(plan->left);
    plan->left = g_strdup(why);
    for (guint i = 0; i < plan->routes->len; i++) {
        TtProfileRoute *route = plan->routes->pdata[i];

        route->path = TT_PATH_KERNEL;
    }
}

static void
make_after(const Work *work, TtProfilePlan *plan)
{
    g_autoptr(NMConnection) after = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *why = NULL;

    if (!tt_profile_side_differs(&work->side[0]) && !tt_profile_side_differs(&work->side[1])
        && !tt_stamp_differs(plan->before, work->stamp))
        return;
    after = nm_simple_connection_new_clone(plan->before);
    for (guint i = 0; i < 2; i++) {
        if (tt_profile_side_differs(&work->side[i]))
            tt_profile_side_write(&work->side[i], after);
    }
    if (tt_stamp_write(after, work->stamp, &error) && nm_connection_verify(after, &error)) {
        plan->after = g_steal_pointer(&after);
        return;
    }
    why = g_strdup_printf("it would not be valid: %s", error->message);
    leave(plan, why);
}

static void
conclude(const Work *work, const TtProfileInput *input, TtProfilePlan *plan)
{
    const char *why = tt_profile_why_left(plan->before, input);

    report(work, plan);
    if (why && (plan->left || plan->routes->len > 0 || tt_profile_is_stamped(plan->before)))
        leave(plan, why);
    if (!plan->left)
        make_after(work, plan);
    if (!plan->left && input->links)
        tt_profile_natives(plan->before, input->links, plan->native);
}

TtProfilePlan *
tt_profile_plan(NMConnection *connection, const TtProfileInput *input, GError **error)
{
    TtProfilePlan *plan;
    TtProfileMatcher matcher;
    g_auto(Work) work;

    work_init(&work, connection);
    if (!tt_profile_supported(error))
        return NULL;
    plan = g_new0(TtProfilePlan, 1);
    plan->before = g_object_ref(connection);
    plan->routes = g_ptr_array_new_with_free_func(free_route);
    plan->native = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < 2; i++)
        tt_profile_restore(&work.side[i], work.old_stamp[i], &plan->stale);
    if (!input->policy) {
        conclude(&work, input, plan);
        return plan;
    }
    tt_profile_matcher_init(&matcher, connection, input);
    tune(&work, &matcher, plan);
    conclude(&work, input, plan);
    for (guint i = 0; i < 2; i++)
        report_learned(&matcher, &work, i, plan);
    tt_profile_matcher_clear(&matcher);
    return plan;
}
