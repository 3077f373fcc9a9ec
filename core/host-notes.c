/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *   tcptune-nm host 1
 *   KNOB NAMESPACE SINCE BEFORE SET PRIOR
 *   lacks tcp_tw_reuse loopback
 *
 * NAMESPACE is the inode of the network namespace, 0 for what the whole host shares.
 */
#include "host-notes.h"

#include "error.h"
#include "state-file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "host"
#define HEADER "tcptune-nm host 1\n"
#define NAMESPACE_FILE "/proc/self/ns/net"
#define LACKS "lacks tcp_tw_reuse loopback"

/* Not to know it would be to take one's own notes for another's. Where SELinux does not let a hook
 * look, it has none but those of the whole host, and its own. */
static bool
find_namespace(TtHostNotes *notes, GError **error)
{
    struct stat st;

    if (stat(NAMESPACE_FILE, &st) < 0) {
        if (errno == EACCES)
            return true;
        g_set_error(error, TT_ERROR, TT_ERROR_STATE, "cannot look at " NAMESPACE_FILE ": %s",
                    g_strerror(errno));
        return false;
    }
    notes->netns = st.st_ino;
    return true;
}

static TtHostNotes *
notes_new(void)
{
    TtHostNotes *notes = g_new0(TtHostNotes, 1);

    notes->others = g_ptr_array_new_with_free_func(g_free);
    return notes;
}

void
tt_host_notes_free(TtHostNotes *notes)
{
    if (!notes)
        return;
    g_ptr_array_unref(notes->others);
    g_free(notes);
}

bool
tt_host_notes_exist(const char *run_dir)
{
    g_autofree char *path = g_build_filename(run_dir, FILE_NAME, NULL);

    /* One that cannot be looked at may well be there. */
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

static bool
take_value(const char *text, char *value)
{
    return text[0] && g_strlcpy(value, text, TT_KNOB_VALUE_LEN) < TT_KNOB_VALUE_LEN;
}

static bool
take_key(const char *name, TtHostKey *out_key)
{
    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        if (strcmp(name, tt_host_key_name(key)) == 0) {
            *out_key = key;
            return true;
        }
    }
    return false;
}

static bool
take_line(TtHostNotes *notes, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    TtHostNote note = {.noted = true};
    guint64 netns, since;
    TtHostKey key;

    if (strcmp(line, LACKS) == 0) {
        notes->lacks_loopback = true;
        return true;
    }
    if (g_strv_length(words) != 6 || !take_key(words[0], &key)
        || !g_ascii_string_to_unsigned(words[1], 10, 0, G_MAXUINT64, &netns, NULL)
        || !g_ascii_string_to_unsigned(words[2], 10, 0, G_MAXINT64, &since, NULL)
        || !take_value(words[3], note.before) || !take_value(words[4], note.set)
        || !take_value(words[5], note.prior))
        return false;
    note.since = (gint64) since;
    if (netns != 0 && netns != notes->netns)
        g_ptr_array_add(notes->others, g_strdup(line));
    else
        notes->note[key] = note;
    return true;
}

static bool
take_notes(TtHostNotes *notes, const char *text)
{
    g_auto(GStrv) lines = NULL;

    if (!g_str_has_prefix(text, HEADER))
        return false;
    lines = g_strsplit(text + strlen(HEADER), "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        /* The last line has an end, too. */
        if (!lines[i + 1])
            return !lines[i][0];
        if (!take_line(notes, lines[i]))
            return false;
    }
    return true;
}

TtHostNotes *
tt_host_notes_load(const char *run_dir, GError **error)
{
    g_autoptr(TtHostNotes) notes = notes_new();
    g_autofree char *text = NULL;

    if (!find_namespace(notes, error) || !tt_state_file_read(run_dir, FILE_NAME, &text, error))
        return NULL;
    if (text && !take_notes(notes, text)) {
        g_set_error(error, TT_ERROR, TT_ERROR_STATE,
                    "%s/" FILE_NAME " is damaged: what the settings of [host] were before is not "
                    "known; remove the file to go on without it",
                    run_dir);
        return NULL;
    }
    return g_steal_pointer(&notes);
}

static void
put_note(GString *to, const TtHostNotes *notes, TtHostKey key)
{
    const TtHostNote *note = &notes->note[key];
    guint64 netns = tt_knob_is_host_wide(key) ? 0 : notes->netns;

    g_string_append_printf(to, "%s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %s %s %s\n",
                           tt_host_key_name(key), netns, note->since, note->before, note->set,
                           note->prior);
}

static char *
format(const TtHostNotes *notes)
{
    GString *text = g_string_new(HEADER);

    for (TtHostKey key = 0; key < _TT_HOST_N; key++) {
        if (notes->note[key].noted)
            put_note(text, notes, key);
    }
    for (guint i = 0; i < notes->others->len; i++)
        g_string_append_printf(text, "%s\n", (const char *) notes->others->pdata[i]);
    if (notes->lacks_loopback)
        g_string_append(text, LACKS "\n");
    return g_string_free(text, FALSE);
}

bool
tt_host_notes_save(TtHostNotes *notes, const char *run_dir, GError **error)
{
    g_autofree char *text = NULL;
    bool saved;

    if (!notes->changed)
        return true;
    text = format(notes);
    if (strcmp(text, HEADER) == 0)
        saved = tt_state_file_remove(run_dir, FILE_NAME, error);
    else
        saved = tt_state_file_write(run_dir, FILE_NAME, text, strlen(text), error);
    notes->changed = !saved;
    return saved;
}

bool
tt_host_note_is_ours(const TtHostNote *note, const char *value)
{
    return note->noted
           && (strcmp(value, note->set) == 0 || strcmp(value, note->prior) == 0
               || strcmp(value, TT_KNOB_NO_VALUE) == 0);
}

static bool
note_equal(const TtHostNote *a, const TtHostNote *b)
{
    return a->noted == b->noted && strcmp(a->before, b->before) == 0 && strcmp(a->set, b->set) == 0
           && strcmp(a->prior, b->prior) == 0;
}

static void
copy_value(char *to, const char *value)
{
    g_strlcpy(to, value, TT_KNOB_VALUE_LEN);
}

void
tt_host_notes_touch(TtHostNotes *notes,
                    TtHostKey key,
                    const char *value,
                    const char *set,
                    gint64 now)
{
    TtHostNote *note = &notes->note[key];
    TtHostNote old = *note;
    bool ours = tt_host_note_is_ours(note, value);

    if (!note->noted)
        note->since = now;
    note->noted = true;
    if (!ours)
        copy_value(note->before, value);
    /* If the write never comes, the kernel goes on having what it has now. */
    copy_value(note->prior, ours ? value : set);
    copy_value(note->set, set);
    notes->changed |= !note_equal(&old, note);
}

void
tt_host_notes_settle(TtHostNotes *notes, TtHostKey key)
{
    TtHostNote *note = &notes->note[key];

    if (!note->noted)
        return;
    if (strcmp(note->set, note->before) == 0) {
        tt_host_notes_forget(notes, key);
    } else if (strcmp(note->prior, note->set) != 0) {
        copy_value(note->prior, note->set);
        notes->changed = true;
    }
}

void
tt_host_notes_forget(TtHostNotes *notes, TtHostKey key)
{
    notes->changed |= notes->note[key].noted;
    notes->note[key] = (TtHostNote){0};
}

void
tt_host_notes_set_lacks(TtHostNotes *notes, bool lacks_loopback)
{
    notes->changed |= notes->lacks_loopback != lacks_loopback;
    notes->lacks_loopback = lacks_loopback;
}
