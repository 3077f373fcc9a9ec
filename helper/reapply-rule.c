/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reapply-rule.h"

#include "nm-objects.h"

#include <string.h>

static NMSettingIPConfig *
get_ip(NMConnection *connection, int family)
{
    return family == AF_INET ? nm_connection_get_setting_ip4_config(connection)
                             : nm_connection_get_setting_ip6_config(connection);
}

static const char *
get_method(NMConnection *connection, int family)
{
    NMSettingIPConfig *ip = get_ip(connection, family);
    const char *method = ip ? nm_setting_ip_config_get_method(ip) : NULL;

    return method ? method : "";
}

static bool
differs(NMConnection *before, NMConnection *after, int family)
{
    NMSettingIPConfig *old = get_ip(before, family);
    NMSettingIPConfig *new = get_ip(after, family);

    if (!old || !new)
        return old != new;
    return !nm_setting_compare(NM_SETTING(old), NM_SETTING(new), NM_SETTING_COMPARE_FLAG_EXACT);
}

static bool
has_ipv6(NMConnection *connection)
{
    const char *method = get_method(connection, AF_INET6);

    return strcmp(method, NM_SETTING_IP6_CONFIG_METHOD_IGNORE) != 0
           && strcmp(method, NM_SETTING_IP6_CONFIG_METHOD_DISABLED) != 0;
}

/*
 * Measured on 1.42.4, 1.52.1 and 1.58.1. Whatever differs, before 1.54 (9bbb113987) stage 3 runs
 * again for both families and deletes the IPv6 addresses and routes that NetworkManager has put
 * there; those of the kernel and of others stay, and with them the device of a profile that
 * ignores IPv6. From 1.54 on only a difference in ipv6 itself does so, but the commit puts back
 * IPv6 routes that were tuned in the kernel: deleted, then added.
 */
static bool
interrupts_ipv6(NMConnection *before, NMConnection *after, const TtReapplyFacts *facts)
{
    if (!has_ipv6(before) && !has_ipv6(after))
        return false;
    return facts->number < TT_NM_VERSION(1, 54, 0) || facts->ipv6_tuned
           || differs(before, after, AF_INET6);
}

/* A lease is asked for anew where ipv4 differs (src/core/devices/nm-device.c: _cleanup_ip_pre()).
 */
static bool
interrupts_ipv4(NMConnection *before, NMConnection *after)
{
    return differs(before, after, AF_INET)
           && strcmp(get_method(before, AF_INET), NM_SETTING_IP4_CONFIG_METHOD_MANUAL) != 0;
}

/* A reapply without its secret configures it anew. */
static bool
is_wireguard(NMConnection *connection)
{
    return nm_connection_is_type(connection, NM_SETTING_WIREGUARD_SETTING_NAME);
}

guint
tt_reapply_interrupts(NMConnection *before, NMConnection *after, const TtReapplyFacts *facts)
{
    guint interrupts = 0;

    if (is_wireguard(before))
        return TT_INTERRUPT_IPV4 | TT_INTERRUPT_IPV6;
    if (interrupts_ipv4(before, after))
        interrupts |= TT_INTERRUPT_IPV4;
    if (interrupts_ipv6(before, after, facts))
        interrupts |= TT_INTERRUPT_IPV6;
    if (facts->number < TT_NM_REAPPLY_KEEPS_FOREIGN)
        interrupts |= TT_INTERRUPT_FOREIGN;
    return interrupts;
}

char *
tt_reapply_interrupt_text(guint interrupts)
{
    static const char *const texts[] = {"IPv4", "IPv6", "routes of others"};
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        bool is_last = interrupts >> (i + 1) == 0;

        if (interrupts & 1u << i)
            g_string_append_printf(text, "%s%s",
                                   !text->len ? ""
                                   : is_last  ? " and "
                                              : ", ",
                                   texts[i]);
    }
    return g_string_free(text, FALSE);
}
