/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the policy asks for and this kernel cannot do, or not yet. */
#include "doctor.h"

#define CHECK "kernel"
#define CONGCTLS "/proc/sys/net/ipv4/tcp_available_congestion_control"

static bool
has_congctl(const TtDoctor *doctor, const char *name)
{
    g_autofree char *path = tt_doctor_path(doctor, CONGCTLS);
    g_autofree char *text = NULL;
    g_auto(GStrv) names = NULL;

    if (!g_file_get_contents(path, &text, NULL, NULL))
        return true;
    names = g_strsplit(g_strstrip(text), " ", -1);
    return g_strv_contains((const char *const *) names, name);
}

/* A route that names an algorithm which is not loaded gets the default one, silently. */
static void
check_congctl(TtDoctor *doctor, const TtSection *section)
{
    const TtWish *wish = &section->wish[TT_ATTR_CONGCTL];
    g_autofree char *remedy = NULL;

    if (wish->kind != TT_WISH_SET || has_congctl(doctor, wish->value.text))
        return;
    remedy = g_strdup_printf("modprobe tcp_%s, and the line tcp_%s in /etc/modules-load.d/tcp.conf",
                             wish->value.text, wish->value.text);
    tt_doctor_add(doctor, CHECK, TT_VERDICT_PROBLEM, remedy,
                  "congctl=%s (%s:%u) is not loaded: such routes use the default algorithm",
                  wish->value.text, wish->origin.file, wish->origin.line);
}

void
tt_doctor_kernel(TtDoctor *doctor)
{
    guint n = doctor->findings->len;

    for (guint i = 0; doctor->policy && i < doctor->policy->sections->len; i++)
        check_congctl(doctor, doctor->policy->sections->pdata[i]);
    if (doctor->findings->len == n)
        tt_doctor_add(doctor, CHECK, TT_VERDICT_OK, NULL, "can do what the policy asks for");
}
