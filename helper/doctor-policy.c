/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is there a policy, does it say anything about this host, and is that what the kernel has? */
#include "core/apply.h"
#include "describe.h"
#include "doctor.h"

#define CHECK "policy"

static bool
matches_any(const TtSection *section, const TtPlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const TtPlanItem *item = plan->items->pdata[i];

        if (tt_match_section(section, item->route, plan->facts, NULL) != TT_MATCH_NO)
            return true;
    }
    return false;
}

/* How many of the sections that want something match nothing. */
static void
check_sections(TtDoctor *doctor)
{
    const GPtrArray *sections = doctor->policy->sections;
    guint n_idle = 0;

    for (guint i = 0; i < sections->len; i++) {
        const TtSection *section = sections->pdata[i];

        if (matches_any(section, doctor->plan))
            continue;
        n_idle++;
        tt_doctor_add(doctor, CHECK, n_idle == sections->len ? TT_VERDICT_PROBLEM : TT_VERDICT_NOTE,
                      "tcptune-nm policy test IF says why, for each route of a device",
                      "[%s] %s:%u matches no route that is there now", section->name,
                      section->origin.file, section->origin.line);
    }
}

static void
check_routes(TtDoctor *doctor)
{
    guint n = 0;

    for (guint i = 0; i < doctor->plan->items->len; i++) {
        const TtPlanItem *item = doctor->plan->items->pdata[i];

        n += tt_describe_is_difference(item) && item->left != TT_LEFT_NEEDS_MONITOR;
    }
    if (tt_apply_is_reverted(doctor->run_dir))
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, "tcptune-nm apply",
                      "everything was undone by revert, and nothing was applied since");
    else if (n > 0)
        tt_doctor_add(
            doctor, CHECK, TT_VERDICT_PROBLEM,
            "tcptune-nm check says what differs, tcptune-nm apply mends what can be mended",
            "%u route%s not as the policy says", n, n == 1 ? " is" : "s are");
}

void
tt_doctor_policy(TtDoctor *doctor, const GError *policy_error)
{
    guint n = doctor->findings->len;

    if (policy_error) {
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM,
                      "mend that line; tcptune-nm policy check says whether it is right", "%s",
                      policy_error->message);
        return;
    }
    if (!doctor->policy || doctor->policy->files->len == 0) {
        tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM,
                      "write /etc/tcptune-nm/tcptune-nm.conf, see tcptune-nm.conf(5)",
                      "there is none: nothing is tuned");
        return;
    }
    if (doctor->plan) {
        check_sections(doctor);
        check_routes(doctor);
    }
    for (guint i = 0; i < doctor->policy->warnings->len; i++)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_NOTE, NULL, "%s",
                      (char *) doctor->policy->warnings->pdata[i]);
    if (doctor->findings->len == n)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL,
                      "every section matches, every route is as it says");
}
