/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json.h"

#include <string.h>

#define PROGRAM "tcptune-nm"

JsonBuilder *
tt_json_new(const char *command)
{
    JsonBuilder *builder = json_builder_new();

    json_builder_begin_object(builder);
    tt_json_add_int(builder, "schema", TT_JSON_SCHEMA);
    tt_json_add_text(builder, "program", PROGRAM);
    tt_json_add_text(builder, "version", TT_VERSION);
    tt_json_add_text(builder, "command", command);
    return builder;
}

char *
tt_json_finish(JsonBuilder *builder, gint64 duration_us, TtExit exit, const GError *error)
{
    g_autoptr(JsonNode) root = NULL;
    g_autofree char *text = NULL;

    tt_json_add_int(builder, "duration_us", duration_us);
    tt_json_add_int(builder, "exit_status", exit);
    tt_json_add_text(builder, "error", error ? error->message : NULL);
    json_builder_end_object(builder);
    root = json_builder_get_root(builder);
    text = json_to_string(root, TRUE);
    return g_strconcat(text, "\n", NULL);
}

void
tt_json_add_text(JsonBuilder *builder, const char *name, const char *text)
{
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

    json_builder_set_member_name(builder, name);
    if (valid)
        json_builder_add_string_value(builder, valid);
    else
        json_builder_add_null_value(builder);
}

void
tt_json_add_int(JsonBuilder *builder, const char *name, gint64 value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

void
tt_json_add_bool(JsonBuilder *builder, const char *name, bool value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_boolean_value(builder, value);
}

void
tt_json_add_time(JsonBuilder *builder, const char *name, gint64 seconds)
{
    g_autoptr(GDateTime) time = seconds ? g_date_time_new_from_unix_utc(seconds) : NULL;
    g_autofree char *text = time ? g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ") : NULL;

    tt_json_add_text(builder, name, text);
}

void
tt_json_begin_array(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_array(builder);
}

void
tt_json_begin_object(JsonBuilder *builder, const char *name)
{
    json_builder_set_member_name(builder, name);
    json_builder_begin_object(builder);
}

void
tt_json_add_element(JsonBuilder *builder, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    json_builder_add_string_value(builder, valid);
}
