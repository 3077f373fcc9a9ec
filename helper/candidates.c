/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "candidates.h"

#include "core/policy.h"

#include <net/if.h>

static void
add_devices(GPtrArray *names)
{
    struct if_nameindex *devices = if_nameindex();

    for (struct if_nameindex *device = devices; device && device->if_index; device++)
        g_ptr_array_add(names, g_strdup(device->if_name));
    if (devices)
        if_freenameindex(devices);
}

static void
add_sections(GPtrArray *names)
{
    g_autoptr(TtPolicy) policy = tt_policy_load(NULL, NULL);

    for (guint i = 0; policy && i < policy->sections->len; i++)
        g_ptr_array_add(names, g_strdup(((TtSection *) policy->sections->pdata[i])->name));
}

char **
tt_candidates(TtWordKind kind)
{
    GPtrArray *names = g_ptr_array_new();

    switch (kind) {
    case TT_WORD_DEVICE:
        add_devices(names);
        break;
    case TT_WORD_SECTION:
        add_sections(names);
        break;
    case TT_WORD_ALONE:
    case TT_WORD_FILE:
    case TT_WORD_VALUE:
        break;
    }
    g_ptr_array_add(names, NULL);
    return (char **) g_ptr_array_free(names, FALSE);
}
