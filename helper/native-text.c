/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "native-text.h"

#include "core/error.h"
#include "print.h"
#include "reapply-rule.h"

#include <string.h>

static void warn(const char *format, ...) G_GNUC_PRINTF(1, 2);

static void
warn(const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    tt_print_line(stderr, "Warning: ", text);
}

static char *
join(const GPtrArray *texts)
{
    GString *joined = g_string_new(NULL);

    for (guint i = 0; i < texts->len; i++)
        g_string_append_printf(joined, "%s%s", i ? ", " : "", (const char *) texts->pdata[i]);
    return g_string_free(joined, FALSE);
}

void
tt_native_warn_of_losses(const TtNative *native)
{
    for (guint i = 0; i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];
        g_autofree char *losses = planned->losses ? join(planned->losses) : NULL;

        if (losses)
            warn("profile %s: when NetworkManager writes %s it drops what it does not keep: %s",
                 tt_nm_profile_name(planned->profile), planned->profile->filename, losses);
    }
}

void
tt_native_warn_of_interruptions(const TtNative *native)
{
    for (guint i = 0; i < native->devices->len; i++) {
        const TtNativeDevice *device = native->devices->pdata[i];
        g_autofree char *what = tt_reapply_interrupt_text(device->interrupts);

        if (device->interrupts)
            warn("%s: the reapply interrupts %s", device->device->interface, what);
    }
}

/* "in force", "in force at its next activation (...)"; NULL: it is active nowhere. */
static char *
force_text(const TtNative *native, const TtNativeProfile *planned, bool dry_run)
{
    for (guint i = 0; i < native->devices->len; i++) {
        const TtNativeDevice *device = native->devices->pdata[i];
        g_autofree char *what = NULL;

        if (device->owner != planned || device->effect != TT_EFFECT_LATER
            || (dry_run && !device->interrupts))
            continue;
        what = tt_reapply_interrupt_text(device->interrupts);
        return g_strdup_printf("in force at the next activation, as a reapply would interrupt %s; "
                               "until then the kernel's routes are tuned",
                               what);
    }
    return g_strdup(planned->profile->devices->len > 0 ? "in force" : "not active");
}

static const char *
state_text(const TtNativeProfile *planned, const TtNativeTelling *telling)
{
    if (planned->failure)
        return telling->revert ? "not restored" : "not written";
    if (planned->plan->left)
        return "left to the kernel path";
    if (!planned->plan->after)
        return "as it shall be";
    if (telling->dry_run)
        return telling->revert ? "would be restored" : "would be written";
    return telling->revert ? "restored" : "written";
}

static char *
profile_text(const TtNative *native, const TtNativeProfile *planned, const TtNativeTelling *telling)
{
    const char *state = state_text(planned, telling);
    g_autofree char *more = NULL;

    if (planned->failure)
        more = g_strdup(planned->failure);
    else if (planned->plan->left)
        more = g_strdup(planned->plan->left);
    else
        more = force_text(native, planned, telling->dry_run);
    return g_strdup_printf("profile %s: %s%s %s", tt_nm_profile_name(planned->profile), state,
                           planned->failure || planned->plan->left ? ":" : ",", more);
}

static void
tell_routes(const TtNativeProfile *planned, bool revert)
{
    for (guint i = 0; i < planned->plan->routes->len; i++) {
        const TtProfileRoute *route = planned->plan->routes->pdata[i];
        const char *path = revert                          ? "taken back"
                           : route->path == TT_PATH_NATIVE ? "native"
                                                           : "kernel";
        g_autofree char *text = g_strdup_printf(
            "%s: %s%s%s", route->route, path, route->why ? ", " : "", route->why ? route->why : "");

        tt_print_line(stdout, "    ", text);
    }
    if (planned->plan->stale)
        tt_print_line(stdout, "    ", planned->plan->stale);
}

static void
tell_indented(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line; line++) {
        if ((*line)[0])
            tt_print_line(stdout, "    ", *line);
    }
}

static void
tell_change(const TtNativeProfile *planned)
{
    g_autofree char *diff = tt_profile_diff(planned->plan);
    g_autoptr(GPtrArray) commands = tt_profile_nmcli(planned->plan);

    tell_indented(diff);
    for (guint i = 0; i < commands->len; i++)
        tt_print_line(stdout, "    ", commands->pdata[i]);
}

/* Which path was taken is said where something was done, or may be asked for. */
static bool
is_worth_telling(const TtNativeProfile *planned, const TtNativeTelling *telling)
{
    if (planned->failure || planned->plan->after || planned->plan->left)
        return true;
    return !telling->unchanged && planned->profile->devices->len > 0;
}

static void
tell_devices(const TtNative *native)
{
    for (guint i = 0; i < native->devices->len; i++) {
        const TtNativeDevice *device = native->devices->pdata[i];
        const char *name = device->device->interface;

        if (!device->text)
            continue;
        if (device->effect == TT_EFFECT_FAILED)
            warn("%s: not reapplied: %s", name, device->text);
        else if (device->effect == TT_EFFECT_PUT_BACK)
            warn("%s: packets went elsewhere after the reapply, so it was put back:\n%s", name,
                 device->text);
        else
            warn("%s: not yet as before the reapply:\n%s", name, device->text);
    }
}

void
tt_native_tell(const TtNative *native, const TtNativeTelling *telling)
{
    for (guint i = 0; i < native->profiles->len; i++) {
        const TtNativeProfile *planned = native->profiles->pdata[i];
        g_autofree char *text = NULL;

        if (!is_worth_telling(planned, telling))
            continue;
        text = profile_text(native, planned, telling);
        tt_print_line(planned->failure ? stderr : stdout, "", text);
        if (!planned->plan->left)
            tell_routes(planned, telling->revert);
        if (telling->dry_run && planned->plan->after)
            tell_change(planned);
    }
    tell_devices(native);
}

bool
tt_native_conclude(const TtNative *native, GError **error)
{
    guint n_failed = 0, n_devices = 0;

    for (guint i = 0; i < native->profiles->len; i++)
        n_failed += ((TtNativeProfile *) native->profiles->pdata[i])->failure != NULL;
    for (guint i = 0; i < native->devices->len; i++)
        n_devices += ((TtNativeDevice *) native->devices->pdata[i])->effect >= TT_EFFECT_FAILED;
    if (n_failed > 0)
        g_set_error(error, TT_ERROR, TT_ERROR_NM, "%u profile%s could not be written.", n_failed,
                    n_failed == 1 ? "" : "s");
    else if (n_devices > 0)
        g_set_error(error, TT_ERROR, TT_ERROR_NM, "%u device%s could not be reapplied.", n_devices,
                    n_devices == 1 ? "" : "s");
    return n_failed == 0 && n_devices == 0;
}
