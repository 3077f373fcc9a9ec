/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor.h"

const char *
tt_verdict_name(TtVerdict verdict)
{
    static const char *const names[_TT_VERDICT_N] = {
        [TT_VERDICT_OK] = "ok",
        [TT_VERDICT_NOTE] = "note",
        [TT_VERDICT_PROBLEM] = "problem",
    };

    return names[verdict];
}

static void
finding_free(gpointer data)
{
    TtFinding *finding = data;

    g_free(finding->text);
    g_free(finding->remedy);
    g_free(finding);
}

void
tt_doctor_init(TtDoctor *doctor, const char *root, const char *run_dir)
{
    *doctor = (TtDoctor){
        .root = root,
        .run_dir = run_dir,
        .findings = g_ptr_array_new_with_free_func(finding_free),
    };
}

void
tt_doctor_clear(TtDoctor *doctor)
{
    g_clear_pointer(&doctor->findings, g_ptr_array_unref);
}

void
tt_doctor_add(TtDoctor *doctor,
              const char *check,
              TtVerdict verdict,
              const char *remedy,
              const char *format,
              ...)
{
    TtFinding *finding = g_new0(TtFinding, 1);
    va_list args;

    va_start(args, format);
    finding->text = g_strdup_vprintf(format, args);
    va_end(args);
    finding->check = check;
    finding->verdict = verdict;
    finding->remedy = g_strdup(remedy);
    g_ptr_array_add(doctor->findings, finding);
}

char *
tt_doctor_path(const TtDoctor *doctor, const char *path)
{
    return g_strconcat(doctor->root, path, NULL);
}
