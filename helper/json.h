/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one JSON document of a command, for --json: its frame, and members by type. The schema is
 * data/json/tcptune-nm.schema.json; a change that a reader could notice raises TT_JSON_SCHEMA.
 */
#pragma once

#include "exit.h"

#include <json-glib/json-glib.h>
#include <stdbool.h>

#define TT_JSON_SCHEMA 1

/* A document whose top object is open, with what every command says. (transfer full) */
JsonBuilder *tt_json_new(const char *command);

/* Closes it: the outcome. `error` NULL: none. The text ends with a line feed. (transfer full) */
char *tt_json_finish(JsonBuilder *builder, gint64 duration_us, TtExit exit, const GError *error);

/* Members of the object that is open. Text that is no UTF-8 becomes valid. */
void tt_json_add_text(JsonBuilder *builder, const char *name, const char *text); /* NULL: null */
void tt_json_add_int(JsonBuilder *builder, const char *name, gint64 value);
void tt_json_add_bool(JsonBuilder *builder, const char *name, bool value);

/* Seconds since the epoch as "2026-11-30T18:52:33Z"; 0: null. */
void tt_json_add_time(JsonBuilder *builder, const char *name, gint64 seconds);

/* Opens an array or an object member; json_builder_end_array() and _end_object() close them. */
void tt_json_begin_array(JsonBuilder *builder, const char *name);
void tt_json_begin_object(JsonBuilder *builder, const char *name);

/* An element of the array that is open. */
void tt_json_add_element(JsonBuilder *builder, const char *text);
