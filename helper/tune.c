/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tune.h"

#include "core/error.h"
#include "core/lock.h"
#include "core/nm-state.h"
#include "engine.h"
#include "native-json.h"
#include "native-text.h"
#include "print.h"

#include <unistd.h>

#define LOCK_TIMEOUT_S 30

typedef struct {
    TtContext *context;
    const TtTuning *tuning;
    int lock_fd;
    TtNm *nm;
    GPtrArray *profiles; /* TtNmProfile that are meant (borrowed) */
    TtNative *native;    /* NULL: profiles are not written */
    GArray *devices;     /* NULL: all */
    GPtrArray *routes;   /* TtNativeRoute */
    GError *late;        /* what is said once the kernel's routes are tuned */
} Tune;

static void
tune_clear(Tune *tune)
{
    g_clear_pointer(&tune->routes, g_ptr_array_unref);
    g_clear_pointer(&tune->devices, g_array_unref);
    g_clear_pointer(&tune->profiles, g_ptr_array_unref);
    tt_native_free(tune->native);
    tt_nm_free(tune->nm);
    g_clear_error(&tune->late);
    if (tune->lock_fd >= 0)
        close(tune->lock_fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Tune, tune_clear)

/* Who writes profiles comes one after the other. */
static bool
take_lock(Tune *tune, GError **error)
{
    const TtOptions *options = tune->context->options;
    guint wait_s = options->wait_given ? options->wait_s : LOCK_TIMEOUT_S;

    if (!tune->tuning->dry_run)
        tune->lock_fd = tt_lock_profiles_take(TT_RUN_DIR, wait_s * 1000 + 1, error);
    return tune->tuning->dry_run || tune->lock_fd >= 0;
}

static bool
wants_native(const Tune *tune, TtTristate native)
{
    return tune->tuning->policy && tune->tuning->policy->main.native == native;
}

/* Without NetworkManager the kernel's routes are all that there is. */
static bool
go_without(Tune *tune, GError *failure, GError **error)
{
    if (wants_native(tune, TT_TRISTATE_YES)
        || tt_selection_names_profiles(tune->tuning->selection)) {
        g_propagate_error(error, failure);
        return false;
    }
    if (!tune->tuning->policy && tt_nm_state_has_profiles(TT_RUN_DIR))
        g_set_error(&tune->late, TT_ERROR, TT_ERROR_NM_NOT_RUNNING,
                    "%s Its profiles keep what was written into them.", failure->message);
    else if (wants_native(tune, TT_TRISTATE_AUTO))
        tt_print_line(stderr, "Warning: only the kernel's routes are tuned: ", failure->message);
    g_error_free(failure);
    return true;
}

/* Hook, plan and monitor go by the version of the daemon that runs. */
static void
note_version(const Tune *tune)
{
    bool changed;

    if (!tune->tuning->dry_run && tune->nm->version)
        tt_nm_state_note_version(TT_RUN_DIR, tune->nm->version, &changed, NULL);
}

static bool
read_profiles(Tune *tune, bool can_write, GError **error)
{
    bool needed = can_write || !tt_selection_is_all(tune->tuning->selection);

    return !needed || tt_nm_read_profiles(tune->nm, error);
}

/* What NetworkManager has. Its daemon may be too old to be written to. */
static bool
open_nm(Tune *tune, bool *out_can_write, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autofree char *why_not = NULL;

    tune->nm = tt_nm_load(&failure);
    if (!tune->nm)
        return go_without(tune, g_steal_pointer(&failure), error);
    if (!take_lock(tune, error))
        return false;
    note_version(tune);
    why_not = tt_native_why_not(tune->nm);
    if (why_not && wants_native(tune, TT_TRISTATE_YES))
        g_set_error(&tune->late, TT_ERROR, TT_ERROR_NM, "native=yes: %s.", why_not);
    *out_can_write = !why_not;
    return read_profiles(tune, *out_can_write, error);
}

/* native=no takes back what was written under another policy. */
static bool
plan_profiles(Tune *tune, GError **error)
{
    const TtPolicy *policy = wants_native(tune, TT_TRISTATE_NO) ? NULL : tune->tuning->policy;

    tune->native = tt_native_new(g_steal_pointer(&tune->nm), policy, tune->profiles, error);
    if (!tune->native)
        return false;
    tune->routes = tt_native_routes(tune->native);
    return true;
}

static bool
look(Tune *tune, GError **error)
{
    const TtSelection *selection = tune->tuning->selection;
    bool can_write = false;

    if (!open_nm(tune, &can_write, error))
        return false;
    tune->profiles = tt_selection_profiles(selection, tune->nm, error);
    if (!tune->profiles)
        return false;
    if (!tt_selection_is_all(selection)) {
        tune->devices = tt_selection_devices(selection, tune->profiles, error);
        if (!tune->devices)
            return false;
    }
    return !can_write || plan_profiles(tune, error);
}

static bool
has_reapplied(const TtNative *native)
{
    for (guint i = 0; i < native->devices->len; i++) {
        if (((TtNativeDevice *) native->devices->pdata[i])->effect != TT_EFFECT_LATER)
            return true;
    }
    return false;
}

/* After it, the kernel's routes are looked at once more: lock bits, second copies. */
static bool
write_profiles(Tune *tune, TtEngine *engine, GError **error)
{
    TtNative *native = tune->native;
    bool differs = tt_native_differs(native);

    tt_native_warn_of_losses(native);
    tt_native_write(native);
    if (!tt_native_look_at_devices(native, error))
        return false;
    if (tune->tuning->reapply)
        tt_native_warn_of_interruptions(native);
    if (!tt_native_take_effect(native, tune->tuning->reapply, error))
        return false;
    tt_native_note(native, TT_RUN_DIR);
    if (!differs && !has_reapplied(native))
        return true;
    tt_engine_note_change(engine);
    return tt_engine_pass(engine, error);
}

static bool
look_at_profiles(Tune *tune, TtEngine *engine, GError **error)
{
    tt_native_warn_of_losses(tune->native);
    if (tt_native_differs(tune->native))
        tt_engine_note_change(engine);
    return tt_native_look_at_devices(tune->native, error);
}

static void
tell(const Tune *tune, const TtEngine *engine)
{
    TtNativeTelling telling = {
        .dry_run = tune->tuning->dry_run,
        .revert = !tune->tuning->policy,
        .unchanged = !tt_engine_has_changed(engine),
    };

    if (tune->native && !tune->context->json)
        tt_native_tell(tune->native, &telling);
}

static bool
work(Tune *tune, TtEngine *engine, GError **error)
{
    if (!tt_engine_pass(engine, error))
        return false;
    if (!tune->native)
        return true;
    return tune->tuning->dry_run ? look_at_profiles(tune, engine, error)
                                 : write_profiles(tune, engine, error);
}

/* All is done; now for what did not work. */
static bool
conclude(Tune *tune, GError **error)
{
    if (tune->native && !tt_native_conclude(tune->native, error))
        return false;
    if (!tune->late)
        return true;
    g_propagate_error(error, g_steal_pointer(&tune->late));
    return false;
}

bool
tt_tune(TtContext *context, const TtTuning *tuning, GError **error)
{
    g_auto(Tune) tune = {.context = context, .tuning = tuning, .lock_fd = -1};
    g_autoptr(TtEngine) engine = NULL;
    TtEngineRun run = {
        .dry_run = tuning->dry_run,
        .policy = tuning->policy,
        .options = context->options,
        .exit = &context->exit,
        .json = context->json,
    };
    bool ok;

    if (!look(&tune, error))
        return false;
    run.devices = tune.devices;
    run.native = tune.routes;
    engine = tt_engine_new(&run);
    ok = work(&tune, engine, error);
    if (ok)
        tell(&tune, engine);
    ok = tt_engine_finish(engine, ok ? error : NULL) && ok;
    if (context->json)
        tt_native_add_json(context->json, tune.native);
    return ok && conclude(&tune, error);
}
