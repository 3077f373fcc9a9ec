/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of attributes: text -> number, with every range check. */
#include "metric-internal.h"

#include "error.h"
#include "text.h"

#include <string.h>

static bool
refuse(TtAttr attr, const char *reason, GError **error)
{
    g_set_error(error, TT_ERROR, TT_ERROR_POLICY, "%s; allowed: %s", reason,
                tt_attr_info(attr)->allowed);
    return false;
}

static bool
parse_number(TtAttr attr, const char *text, guint32 *out_number, GError **error)
{
    guint32 number;

    if (text[strspn(text, "0123456789")])
        return refuse(attr, "not a whole number", error);
    if (!tt_text_number(text, tt_attr_info(attr)->max, &number))
        return refuse(attr, "too great", error);
    if (number < tt_attr_info(attr)->min)
        return refuse(attr, "too small", error);
    *out_number = number;
    return true;
}

static bool
parse_bool(TtAttr attr, const char *text, guint32 *out_number, bool *out_remove, GError **error)
{
    bool yes;

    /* Values such as 2 would do harm: from 6.15 on, and in 6.12.y, the kernel looks at bit 0 of
     * quickack only. */
    if (!tt_text_bool(text, &yes))
        return refuse(attr, "not a boolean", error);
    *out_remove = !yes;
    *out_number = yes;
    return true;
}

/* Decimal digits with an optional fraction, in units of scale ms. Nothing of them gets lost:
 * a fraction of a ms is refused, and so is what does not fit. */
static const char *
scale_to_ms(const char *whole, const char *fraction, guint32 scale, guint32 *out_ms)
{
    guint64 ms;
    guint32 number;

    if (!tt_text_number(whole, tt_attr_info(TT_ATTR_RTO_MIN)->max, &number))
        return "above 120s";
    ms = (guint64) number * scale;
    for (; *fraction; fraction++) {
        scale /= 10;
        if (*fraction != '0' && !scale)
            return "has a fraction of a ms";
        ms += (guint64) (*fraction - '0') * scale;
    }
    if (ms < tt_attr_info(TT_ATTR_RTO_MIN)->min)
        return "below 1ms";
    if (ms > tt_attr_info(TT_ATTR_RTO_MIN)->max)
        return "above 120s";
    *out_ms = (guint32) ms;
    return NULL;
}

static bool
parse_time(TtAttr attr, const char *text, guint32 *out_ms, GError **error)
{
    gsize n_whole = strspn(text, "0123456789");
    const char *point = text + n_whole;
    gsize n_fraction = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    const char *unit = *point == '.' ? point + 1 + n_fraction : point;
    g_autofree char *whole = g_strndup(text, n_whole);
    g_autofree char *fraction = g_strndup(point + (*point == '.'), n_fraction);
    const char *reason;

    if (!n_whole || (*point == '.' && !n_fraction))
        return refuse(attr, "not a time", error);
    if (*unit == ' ' || *unit == '\t')
        return refuse(attr, "a blank between number and unit", error);
    if (*unit && strcmp(unit, "ms") != 0 && strcmp(unit, "s") != 0)
        return refuse(attr, "the unit must be ms or s", error);
    reason = scale_to_ms(whole, fraction, strcmp(unit, "s") == 0 ? 1000 : 1, out_ms);
    return reason ? refuse(attr, reason, error) : true;
}

static bool
parse_congctl(const char *text, char *out_name, GError **error)
{
    gsize len = strlen(text);

    if (len >= TT_CONGCTL_MAX)
        return refuse(TT_ATTR_CONGCTL, "too long", error);
    if (strspn(text, G_CSET_a_2_z G_CSET_A_2_Z "0123456789_-.") != len)
        return refuse(TT_ATTR_CONGCTL, "not a name of an algorithm", error);
    g_strlcpy(out_name, text, TT_CONGCTL_MAX);
    return true;
}

static bool
parse_feature_bits(const char *text, guint32 *out_bits)
{
    guint32 max = tt_attr_info(TT_ATTR_FEATURES)->max;
    guint32 bits = 0;

    if (g_str_has_prefix(text, "0x")) {
        gsize len = strlen(text + 2);

        if (!len || len > 8 || strspn(text + 2, "0123456789abcdefABCDEF") != len)
            return false;
        bits = (guint32) g_ascii_strtoull(text + 2, NULL, 16);
    } else if (!tt_text_number(text, max, &bits)) {
        return false;
    }
    if (!bits || (bits & ~max))
        return false;
    *out_bits = bits;
    return true;
}

/* Blanks separate too, as in the output of ip-route(8). */
static bool
parse_features(const char *text, guint32 *out_bits, GError **error)
{
    g_auto(GStrv) items = g_strsplit_set(text, ",; \t", -1);
    guint32 bits = 0;

    for (char **item = items; *item; item++) {
        guint32 bit = tt_feature_bit(*item);

        if (!(*item)[0])
            continue;
        if (!bit && !parse_feature_bits(*item, &bit))
            return refuse(TT_ATTR_FEATURES, "not a feature", error);
        bits |= bit;
    }
    if (!bits)
        return refuse(TT_ATTR_FEATURES, "no value", error);
    *out_bits = bits;
    return true;
}

bool
tt_attr_value_parse(TtAttr attr,
                    const char *text,
                    TtValue *out_value,
                    bool *out_remove,
                    GError **error)
{
    TtValue value = {0};
    bool remove = false;
    bool r = false;

    if (!text[0])
        return refuse(attr, "no value", error);
    switch (attr) {
    case TT_ATTR_RTO_MIN:
        r = parse_time(attr, text, &value.number, error);
        break;
    case TT_ATTR_QUICKACK:
    case TT_ATTR_FASTOPEN_NO_COOKIE:
        r = parse_bool(attr, text, &value.number, &remove, error);
        break;
    case TT_ATTR_CONGCTL:
        r = parse_congctl(text, value.text, error);
        break;
    case TT_ATTR_FEATURES:
        r = parse_features(text, &value.number, error);
        break;
    case TT_ATTR_ADVMSS:
    case TT_ATTR_INITCWND:
    case TT_ATTR_INITRWND:
    case TT_ATTR_WINDOW:
    case TT_ATTR_MTU:
    case TT_ATTR_HOPLIMIT:
        r = parse_number(attr, text, &value.number, error);
        break;
    case _TT_ATTR_N:
        break;
    }
    if (r) {
        *out_value = value;
        *out_remove = remove;
    }
    return r;
}
