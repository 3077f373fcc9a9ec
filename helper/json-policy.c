/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json-policy.h"

typedef struct {
    JsonBuilder *builder;
    bool is_open; /* a section and its array of keys */
} Sections;

void
tt_json_add_origin(JsonBuilder *builder, const TtOrigin *origin)
{
    bool known = origin && origin->file;

    tt_json_add_text(builder, "file", known ? origin->file : NULL);
    if (known)
        tt_json_add_int(builder, "line", origin->line);
    else
        tt_json_add_text(builder, "line", NULL);
}

static void
end_section(Sections *sections)
{
    if (!sections->is_open)
        return;
    json_builder_end_array(sections->builder);
    json_builder_end_object(sections->builder);
    sections->is_open = false;
}

static void
add_key(const char *section,
        const char *key,
        const char *value,
        const TtOrigin *origin,
        gpointer data)
{
    Sections *sections = data;

    if (!key)
        end_section(sections);
    json_builder_begin_object(sections->builder);
    tt_json_add_text(sections->builder, key ? "key" : "name", key ? key : section);
    tt_json_add_origin(sections->builder, origin);
    if (key) {
        tt_json_add_text(sections->builder, "value", value);
        json_builder_end_object(sections->builder);
        return;
    }
    tt_json_begin_array(sections->builder, "keys");
    sections->is_open = true;
}

static void
add_texts(JsonBuilder *builder, const char *name, const GPtrArray *texts)
{
    tt_json_begin_array(builder, name);
    for (guint i = 0; i < texts->len; i++)
        tt_json_add_element(builder, texts->pdata[i]);
    json_builder_end_array(builder);
}

void
tt_json_add_policy(JsonBuilder *builder, const TtPolicy *policy)
{
    Sections sections = {.builder = builder};

    tt_json_begin_array(builder, "sections");
    tt_policy_foreach(policy, add_key, &sections);
    end_section(&sections);
    json_builder_end_array(builder);
    add_texts(builder, "files", policy->files);
    add_texts(builder, "warnings", policy->warnings);
}
