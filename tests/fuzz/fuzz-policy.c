/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a policy file: no crash; what parses means the same when it is written out. */
#include "core/match.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* Without the lines that say where a value came from. */
static char *
meaning(const TtPolicy *policy)
{
    g_autofree char *text = tt_policy_format(policy);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *to = g_string_new(NULL);

    for (char **line = lines; *line; line++) {
        if ((*line)[0] != '#')
            g_string_append_printf(to, "%s\n", *line);
    }
    return g_string_free(to, FALSE);
}

static void
match_routes(const TtPolicy *policy)
{
    static TtHop hops[2] = {{.ifindex = 1, .gateway_family = AF_INET}, {.ifindex = 2}};
    g_autoptr(TtFacts) facts = tt_facts_new();
    TtLink *link = g_new0(TtLink, 1);
    TtWanted wanted;

    g_strlcpy(link->name, "eth\xf0", sizeof(link->name));
    g_hash_table_insert(facts->links, GINT_TO_POINTER(1), link);
    for (guint i = 0; i < 8; i++) {
        TtRoute route = {.family = i & 1 ? AF_INET6 : AF_INET, .dst_len = i & 2 ? 24 : 0};

        route.type = RTN_UNICAST;
        route.table = RT_TABLE_MAIN;
        route.n_hops = i & 4 ? 2 : i & 1;
        route.hops = hops;
        tt_match_route(policy, &route, facts, &wanted);
    }
}

int
LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TtPolicy) policy = tt_policy_parse("fuzz", (const char *) data, size, &error);
    g_autofree char *text = policy ? tt_policy_format(policy) : NULL;
    g_autoptr(TtPolicy) again = text ? tt_policy_parse("x", text, strlen(text), NULL) : NULL;
    g_autofree char *a = policy ? meaning(policy) : NULL;
    g_autofree char *b = again ? meaning(again) : NULL;

    g_assert_true((policy == NULL) == (error != NULL));
    g_assert_cmpstr(a, ==, b);
    if (policy)
        match_routes(policy);
    return 0;
}
