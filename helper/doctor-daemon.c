/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NetworkManager that runs, what it does to tuned routes, and its dispatcher's service. */
#include "core/nm-state.h"
#include "doctor.h"

#define CHECK "NetworkManager"
#define UNITS "/etc/systemd/system/"
#define LIB_UNITS "/usr/lib/systemd/system/"
#define ALIAS "dbus-org.freedesktop.nm-dispatcher.service"

static const char *
regime_text(TtNmRegime regime)
{
    switch (regime) {
    case TT_NM_OLD:
        return "leaves tuned routes alone; the hook puts them right at its events";
    case TT_NM_SILENT:
        return "changes learned routes at a renewal without an event: only the monitor can hold "
               "them, and its own rto_min has no effect without the lock bit that is set here";
    case TT_NM_ANNOUNCING:
        return "announces renewals: the hook puts learned routes right; between events the "
               "monitor does";
    case TT_NM_UNKNOWN:
    case TT_NM_ABSENT:
        break;
    }
    return "its version is not known: learned routes are left to the monitor";
}

static void
check_regime(TtDoctor *doctor)
{
    g_autofree char *version = tt_nm_state_version(doctor->run_dir);
    TtNmRegime regime = tt_nm_state_regime(doctor->run_dir);

    if (regime == TT_NM_UNKNOWN)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE, "tcptune-nm apply asks for it", "%s",
                      regime_text(regime));
    else
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL, "%s %s", version ? version : "",
                      regime_text(regime));
}

static bool
exists(const TtDoctor *doctor, const char *path)
{
    g_autofree char *full = tt_doctor_path(doctor, path);

    return g_file_test(full, G_FILE_TEST_EXISTS) || g_file_test(full, G_FILE_TEST_IS_SYMLINK);
}

static bool
is_masked(const TtDoctor *doctor, const char *unit)
{
    g_autofree char *path = g_strconcat(doctor->root, UNITS, unit, NULL);
    g_autofree char *target = g_file_read_link(path, NULL);

    return target && g_str_equal(target, "/dev/null");
}

/* The daemon starts it by D-Bus, through an alias that "systemctl disable" takes away. */
static void
check_dispatcher(TtDoctor *doctor)
{
    if (!exists(doctor, "/run/systemd/system"))
        return;
    if (is_masked(doctor, "NetworkManager-dispatcher.service") || is_masked(doctor, ALIAS))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM,
                      "systemctl unmask NetworkManager-dispatcher.service",
                      "NetworkManager-dispatcher.service is masked: no hook runs");
    else if (!exists(doctor, UNITS ALIAS) && !exists(doctor, LIB_UNITS ALIAS))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM,
                      "systemctl enable NetworkManager-dispatcher.service",
                      "NetworkManager-dispatcher.service is not enabled: no hook runs");
}

/* It rebuilds the applied ipv4.routes from the profile (src/nm-cloud-setup/main.c). */
static void
check_cloud_setup(TtDoctor *doctor)
{
    if (exists(doctor, UNITS "timers.target.wants/nm-cloud-setup.timer"))
        tt_doctor_add(
            doctor, CHECK, TT_VERDICT_NOTE,
            "systemctl disable --now nm-cloud-setup.timer, if this host needs no secondary "
            "addresses of its cloud",
            "nm-cloud-setup is enabled: every few minutes it sets the addresses and routes "
            "of a device anew, and routes are plain until the next event or the monitor");
}

void
tt_doctor_daemon(TtDoctor *doctor)
{
    if (tt_nm_state_regime(doctor->run_dir) == TT_NM_ABSENT) {
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE,
                      "systemctl enable --now tcptune-nm.service tcptune-nm-monitor.service",
                      "does not run here: nothing calls the hook");
        return;
    }
    check_regime(doctor);
    check_dispatcher(doctor);
    check_cloud_setup(doctor);
}
