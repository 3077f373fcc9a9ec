/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes of NMIPRoute that are TCP metrics, as numbers. */
#include "profile-internal.h"

#include "core/text.h"

#include <string.h>

/* The names are spelled out: the macros of 1.40 are not in the headers of 1.30. */
static const TtProfileAttrInfo infos[] = {
    [TT_PROFILE_RTO_MIN] = {"rto_min", TT_ATTR_RTO_MIN}, /* milliseconds, as in a policy */
    [TT_PROFILE_QUICKACK] = {"quickack", TT_ATTR_QUICKACK, .is_bool = true},
    [TT_PROFILE_ADVMSS] = {"advmss", TT_ATTR_ADVMSS},
    [TT_PROFILE_INITCWND] = {"initcwnd", TT_ATTR_INITCWND},
    [TT_PROFILE_INITRWND] = {"initrwnd", TT_ATTR_INITRWND},
    [TT_PROFILE_WINDOW] = {"window", TT_ATTR_WINDOW},
    [TT_PROFILE_MTU] = {"mtu", TT_ATTR_MTU},
    [TT_PROFILE_LOCK_MTU] = {"lock-mtu", TT_ATTR_MTU, .is_bool = true, .is_lock = true},
};
G_STATIC_ASSERT(G_N_ELEMENTS(infos) == _TT_PROFILE_ATTR_N);

const TtProfileAttrInfo *
tt_profile_attr_info(TtProfileAttr attr)
{
    return &infos[attr];
}

bool
tt_profile_attr_is_native(TtAttr attr)
{
    for (TtProfileAttr i = 0; i < _TT_PROFILE_ATTR_N; i++) {
        if (infos[i].attr == attr)
            return true;
    }
    return false;
}

bool
tt_profile_attr_from_name(const char *name, TtProfileAttr *out_attr)
{
    for (TtProfileAttr i = 0; i < _TT_PROFILE_ATTR_N; i++) {
        if (strcmp(name, infos[i].name) == 0) {
            *out_attr = i;
            return true;
        }
    }
    return false;
}

gint64
tt_profile_attr_get(NMIPRoute *route, TtProfileAttr attr)
{
    GVariant *value = nm_ip_route_get_attribute(route, infos[attr].name);

    if (value && infos[attr].is_bool && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN))
        return g_variant_get_boolean(value);
    if (value && !infos[attr].is_bool && g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32))
        return g_variant_get_uint32(value);
    return TT_PROFILE_ABSENT;
}

void
tt_profile_attr_set(NMIPRoute *route, TtProfileAttr attr, gint64 value)
{
    GVariant *variant = NULL;

    if (value != TT_PROFILE_ABSENT)
        variant = infos[attr].is_bool ? g_variant_new_boolean(value != 0)
                                      : g_variant_new_uint32((guint32) value);
    nm_ip_route_set_attribute(route, infos[attr].name, variant);
}

void
tt_profile_attr_append(TtProfileAttr attr, gint64 value, GString *to)
{
    if (value == TT_PROFILE_ABSENT)
        g_string_append(to, "none");
    else if (infos[attr].is_bool)
        g_string_append(to, value ? "true" : "false");
    else
        tt_text_append_number(to, (guint64) value);
}

bool
tt_profile_attr_parse(TtProfileAttr attr, const char *text, gint64 *out_value)
{
    guint32 number;

    if (strcmp(text, "none") == 0)
        *out_value = TT_PROFILE_ABSENT;
    else if (infos[attr].is_bool && strcmp(text, "true") == 0)
        *out_value = 1;
    else if (infos[attr].is_bool && strcmp(text, "false") == 0)
        *out_value = 0;
    else if (!infos[attr].is_bool && tt_text_number(text, G_MAXUINT32, &number))
        *out_value = number;
    else
        return false;
    return true;
}

/* NetworkManager sends a quickack that is false, a 0, and a lock without a value as nothing. */
void
tt_profile_attr_to_metrics(TtProfileAttr attr, gint64 value, TtMetrics *metrics)
{
    int rtax = tt_attr_info(infos[attr].attr)->rtax;

    if (value <= 0)
        return;
    if (infos[attr].is_lock) {
        metrics->lock |= TT_METRIC_BIT(rtax);
        return;
    }
    metrics->present |= TT_METRIC_BIT(rtax);
    metrics->value[rtax] = (guint32) value;
}
