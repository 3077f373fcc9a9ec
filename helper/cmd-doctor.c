/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common.h"
#include "core/apply.h"
#include "doctor.h"
#include "json.h"
#include "output.h"
#include "print.h"

#include <stdio.h>
#include <unistd.h>

const TtField tt_doctor_fields[] = {{"CHECK"}, {"STATE"}, {"TEXT"}, {"REMEDY"}, {NULL}};

static const TtTone tones[_TT_VERDICT_N] = {
    [TT_VERDICT_OK] = TT_TONE_GOOD,
    [TT_VERDICT_NOTE] = TT_TONE_PLAIN,
    [TT_VERDICT_PROBLEM] = TT_TONE_BAD,
};

static void
examine(TtDoctor *doctor)
{
    g_autoptr(GError) policy_error = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(TtPolicy) policy = tt_policy_load(NULL, &policy_error);
    TtApplyOptions options = {.policy = policy, .with_unmatched = true};
    g_autoptr(TtPlan) plan = policy ? tt_apply_look(&options, &error) : NULL;

    doctor->policy = policy;
    doctor->plan = plan;
    tt_doctor_policy(doctor, policy_error);
    if (error)
        tt_doctor_add(doctor, "state", TT_VERDICT_PROBLEM, NULL, "%s", error->message);
    tt_doctor_daemon(doctor);
    tt_doctor_hook(doctor);
    tt_doctor_monitor(doctor);
    tt_doctor_kernel(doctor);
    if (geteuid() != 0)
        tt_doctor_add(doctor, "user", TT_VERDICT_NOTE, "run it as root",
                      "not root: what only root may read was not looked at");
    doctor->policy = NULL;
    doctor->plan = NULL;
}

static void
fill(TtTable *table, const TtDoctor *doctor)
{
    for (guint i = 0; i < doctor->findings->len; i++) {
        const TtFinding *finding = doctor->findings->pdata[i];
        char **row = g_new0(char *, G_N_ELEMENTS(tt_doctor_fields));

        row[0] = g_strdup(finding->check);
        row[1] = g_strdup(tt_verdict_name(finding->verdict));
        row[2] = g_strdup(finding->text);
        row[3] = g_strdup(finding->remedy);
        tt_table_take_toned_row(table, row, tones[finding->verdict]);
    }
}

/* Sentences do not fit into columns. */
static void
print_lines(const TtDoctor *doctor)
{
    for (guint i = 0; i < doctor->findings->len; i++) {
        const TtFinding *finding = doctor->findings->pdata[i];
        g_autofree char *start =
            g_strdup_printf("%-9s%s: ", tt_verdict_name(finding->verdict), finding->check);

        tt_print_line(stdout, start, finding->text);
        if (finding->remedy)
            tt_print_line(stdout, "         remedy: ", finding->remedy);
    }
}

static void
add_json(JsonBuilder *json, const TtDoctor *doctor)
{
    tt_json_begin_array(json, "findings");
    for (guint i = 0; i < doctor->findings->len; i++) {
        const TtFinding *finding = doctor->findings->pdata[i];

        json_builder_begin_object(json);
        tt_json_add_text(json, "check", finding->check);
        tt_json_add_text(json, "state", tt_verdict_name(finding->verdict));
        tt_json_add_text(json, "text", finding->text);
        tt_json_add_text(json, "remedy", finding->remedy);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static bool
has_problem(const TtDoctor *doctor)
{
    for (guint i = 0; i < doctor->findings->len; i++) {
        if (((TtFinding *) doctor->findings->pdata[i])->verdict == TT_VERDICT_PROBLEM)
            return true;
    }
    return false;
}

static bool
wants_table(const TtOptions *options)
{
    return options->terse || options->fields || options->multiline || options->pretty;
}

bool
tt_cmd_doctor(TtContext *context, char **args, GError **error)
{
    g_autoptr(TtTable) table =
        tt_table_new(context->command, tt_doctor_fields, context->options, error);
    g_autofree char *text = NULL;
    TtDoctor doctor;

    if (!table || !tt_args_end(args, error))
        return false;
    tt_doctor_init(&doctor, "", TT_RUN_DIR);
    examine(&doctor);
    fill(table, &doctor);
    tt_table_set_title(table, "What keeps this host from being tuned");
    text = tt_table_format(table);
    if (context->json)
        add_json(context->json, &doctor);
    else if (wants_table(context->options))
        fputs(text, stdout);
    else
        print_lines(&doctor);
    if (has_problem(&doctor))
        context->exit = TT_EXIT_DIFFERS;
    tt_doctor_clear(&doctor);
    return true;
}
