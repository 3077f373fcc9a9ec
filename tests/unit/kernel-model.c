/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel-model.h"

#include <errno.h>
#include <string.h>

static bool
same_but_metrics(const TtRoute *a, const TtRoute *b)
{
    return tt_route_same_identity(a, b);
}

static int
find_first_of_key(const GPtrArray *table, const TtRoute *route)
{
    for (guint i = 0; i < table->len; i++) {
        if (tt_route_same_key(table->pdata[i], route))
            return (int) i;
    }
    return -1;
}

static int
find_copy(const GPtrArray *table, const TtRoute *route)
{
    for (guint i = 0; i < table->len; i++) {
        const TtRoute *other = table->pdata[i];

        if (same_but_metrics(other, route) && tt_metrics_equal(&other->metrics, &route->metrics))
            return (int) i;
    }
    return -1;
}

static int
do_replace(GPtrArray *table, const TtRoute *route)
{
    int first = find_first_of_key(table, route);
    int copy = find_copy(table, route);

    if (first < 0)
        return -ENOENT;
    if (copy >= 0)
        return copy == first ? 0 : -EEXIST;
    tt_route_free(table->pdata[first]);
    table->pdata[first] = tt_route_copy(route);
    return 0;
}

static int
do_append(GPtrArray *table, const TtRoute *route)
{
    guint at = table->len;

    if (find_copy(table, route) >= 0)
        return -EEXIST;
    for (guint i = 0; i < table->len; i++) {
        if (tt_route_same_key(table->pdata[i], route))
            at = i + 1;
    }
    g_ptr_array_insert(table, (gint) at, tt_route_copy(route));
    return 0;
}

/* fib_table_delete(): type, scope, protocol, source, next hops, and the metrics that are named. */
static bool
delete_hits(const TtEdit *edit, const TtRoute *candidate)
{
    const TtRoute *wanted = edit->route;

    if (!tt_route_same_key(wanted, candidate) || wanted->type != candidate->type
        || wanted->scope != candidate->scope || wanted->protocol != candidate->protocol
        || wanted->n_hops != candidate->n_hops)
        return false;
    if (wanted->has_prefsrc && memcmp(&wanted->prefsrc, &candidate->prefsrc, 4) != 0)
        return false;
    for (guint i = 0; i < wanted->n_hops; i++) {
        if (wanted->hops[i].ifindex != candidate->hops[i].ifindex
            || memcmp(&wanted->hops[i].gateway, &candidate->hops[i].gateway, 4) != 0)
            return false;
    }
    for (int rtax = RTAX_LOCK + 1; rtax < TT_METRICS_N; rtax++) {
        if ((tt_metrics_has(&wanted->metrics, rtax) || (edit->absent & TT_METRIC_BIT(rtax)))
            && wanted->metrics.value[rtax] != candidate->metrics.value[rtax])
            return false;
    }
    return !(wanted->metrics.lock || (edit->absent & TT_METRIC_BIT(RTAX_LOCK)))
           || wanted->metrics.lock == candidate->metrics.lock;
}

static int
do_delete(GPtrArray *table, const TtEdit *edit)
{
    for (guint i = 0; i < table->len; i++) {
        if (delete_hits(edit, table->pdata[i])) {
            g_ptr_array_remove_index(table, i);
            return 0;
        }
    }
    return -ESRCH;
}

int
kernel_model_edit(GPtrArray *table, const TtEdit *edit)
{
    switch (edit->kind) {
    case TT_EDIT_REPLACE:
        return do_replace(table, edit->route);
    case TT_EDIT_APPEND:
        return do_append(table, edit->route);
    case TT_EDIT_DELETE:
        return do_delete(table, edit);
    case _TT_EDIT_N:
        break;
    }
    return -EINVAL;
}

/* The routes of one key in their order, copies of one counted once. */
static char *
key_text(const GPtrArray *table, const TtRoute *key)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < table->len; i++) {
        g_autofree char *line = NULL;

        if (!tt_route_same_key(table->pdata[i], key))
            continue;
        line = tt_route_format(table->pdata[i], false);
        if (!strstr(text->str, line))
            g_string_append_printf(text, "%s\n", line);
    }
    return g_string_free(text, FALSE);
}

static gint
compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

char *
kernel_model_forwarding(const GPtrArray *table)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < table->len; i++) {
        if (find_first_of_key(table, table->pdata[i]) == (int) i)
            g_ptr_array_add(keys, key_text(table, table->pdata[i]));
    }
    g_ptr_array_sort(keys, compare_texts);
    g_ptr_array_add(keys, NULL);
    return g_strjoinv("\n", (char **) keys->pdata);
}
