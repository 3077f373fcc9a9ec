/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of [main] and [host]: text -> number, and back. */
#include "policy-internal.h"

#include "text.h"

#include <string.h>

static const struct {
    const char *name;
    const char *allowed;
    const char *words[4]; /* in the order of their enum */
} main_keys[] = {
    [TT_MAIN_NATIVE] = {"native", "auto, " TT_TEXT_BOOL, {"auto", "yes", "no"}},
    [TT_MAIN_LEARNED] = {"learned", "auto, always, never", {"auto", "always", "never"}},
    [TT_MAIN_GATEWAY] = {"gateway", "move, keep", {"move", "keep"}},
};
G_STATIC_ASSERT(G_N_ELEMENTS(main_keys) == _TT_MAIN_N);

static const struct {
    const char *name;
    const char *allowed;
    const char *words[5]; /* word of each number */
} host_keys[] = {
    [TT_HOST_TCP_THIN_LINEAR_TIMEOUTS] = {"tcp_thin_linear_timeouts",
                                          TT_TEXT_BOOL ", none (not managed)",
                                          {"no", "yes"}},
    [TT_HOST_TCP_THIN_DUPACK] = {"tcp_thin_dupack",
                                 TT_TEXT_BOOL ", none (not managed)",
                                 {"no", "yes"}},
    [TT_HOST_TCP_TW_REUSE] = {"tcp_tw_reuse",
                              "no (0), yes (1), loopback (2), none (not managed)",
                              {"no", "yes", "loopback"}},
    [TT_HOST_HYSTART_DETECT] = {"hystart_detect",
                                "off (0), ack-train (1), delay (2), both (3), none (not managed)",
                                {"off", "ack-train", "delay", "both"}},
    [TT_HOST_DEFAULT_QDISC] = {"default_qdisc",
                               "a name of at most 15 letters, digits, _ -; none (not managed)",
                               {NULL}},
    [TT_HOST_RTO_MIN] = {"rto_min",
                         "1ms to 120s, in whole ms (8, 8ms, 0.02s); none (not managed)",
                         {NULL}},
};
G_STATIC_ASSERT(G_N_ELEMENTS(host_keys) == _TT_HOST_N);

const char *
tt_main_key_name(TtMainKey key)
{
    return main_keys[key].name;
}

const char *
tt_host_key_name(TtHostKey key)
{
    return host_keys[key].name;
}

static int
word_number(const char *const *words, const char *value)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0)
            return i;
    }
    return -1;
}

static void
set_main_value(TtMain *values, TtMainKey key, int number)
{
    switch (key) {
    case TT_MAIN_NATIVE:
        values->native = (TtTristate) number;
        break;
    case TT_MAIN_LEARNED:
        values->learned = (TtLearned) number;
        break;
    case TT_MAIN_GATEWAY:
        values->gateway = (TtGatewayMode) number;
        break;
    case _TT_MAIN_N:
        break;
    }
}

bool
tt_policy_add_main(TtMain *values, const TtPolicyKey *key, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    bool yes;

    for (TtMainKey i = 0; i < _TT_MAIN_N; i++) {
        int number = word_number(main_keys[i].words, key->value);

        g_ptr_array_add(names, (gpointer) main_keys[i].name);
        if (strcmp(key->key, main_keys[i].name) != 0)
            continue;
        if (i == TT_MAIN_NATIVE && tt_text_bool(key->value, &yes))
            number = yes ? TT_TRISTATE_YES : TT_TRISTATE_NO;
        if (number < 0)
            return tt_policy_key_fail(key, error, "not a value of this key; allowed: %s",
                                      main_keys[i].allowed);
        set_main_value(values, i, number);
        values->origin[i] = key->origin;
        return true;
    }
    g_ptr_array_add(names, NULL);
    return tt_policy_key_unknown(key, names, error);
}

char *
tt_policy_format_main(const TtMain *values, TtMainKey key)
{
    int number = 0;

    switch (key) {
    case TT_MAIN_NATIVE:
        number = values->native;
        break;
    case TT_MAIN_LEARNED:
        number = values->learned;
        break;
    case TT_MAIN_GATEWAY:
        number = values->gateway;
        break;
    case _TT_MAIN_N:
        break;
    }
    return g_strdup(main_keys[key].words[number]);
}

static bool
parse_host_number(TtHostKey host_key, const char *value, guint32 *out_number)
{
    const char *const *words = host_keys[host_key].words;
    int number = word_number(words, value);
    bool yes;

    if (number < 0 && tt_text_number(value, 9, out_number))
        return *out_number < g_strv_length((char **) words);
    /* Every one of them can be off; what "on" would be is plain for all but hystart_detect. */
    if (number < 0 && tt_text_bool(value, &yes) && !(yes && host_key == TT_HOST_HYSTART_DETECT))
        number = yes;
    *out_number = (guint32) number;
    return number >= 0;
}

static bool
is_qdisc_name(const char *text)
{
    gsize len = strlen(text);

    return len && len < 16 && strspn(text, G_CSET_a_2_z G_CSET_A_2_Z "0123456789_-") == len;
}

static bool
parse_host_value(TtHostKey host_key, const TtPolicyKey *key, TtHostWish *wish, GError **error)
{
    bool is_remove;
    TtValue time;

    if (host_key == TT_HOST_RTO_MIN) {
        g_autoptr(GError) local = NULL;

        if (!tt_attr_value_parse(TT_ATTR_RTO_MIN, key->value, &time, &is_remove, &local))
            return tt_policy_key_fail(key, error, "%s", local->message);
        wish->number = time.number * 1000;
        return true;
    }
    if (host_key == TT_HOST_DEFAULT_QDISC && is_qdisc_name(key->value)) {
        wish->text = g_strdup(key->value);
        return true;
    }
    if (host_key != TT_HOST_DEFAULT_QDISC && parse_host_number(host_key, key->value, &wish->number))
        return true;
    return tt_policy_key_fail(key, error, "not a value of this key; allowed: %s",
                              host_keys[host_key].allowed);
}

bool
tt_policy_add_host(TtHostWish *host, const TtPolicyKey *key, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (TtHostKey i = 0; i < _TT_HOST_N; i++) {
        TtHostWish wish = {.kind = TT_WISH_NONE, .origin = key->origin};

        g_ptr_array_add(names, (gpointer) host_keys[i].name);
        if (strcmp(key->key, host_keys[i].name) != 0)
            continue;
        if (strcmp(key->value, "none") != 0) {
            wish.kind = TT_WISH_SET;
            if (!parse_host_value(i, key, &wish, error))
                return false;
        }
        g_free(host[i].text);
        host[i] = wish;
        return true;
    }
    g_ptr_array_add(names, NULL);
    return tt_policy_key_unknown(key, names, error);
}

char *
tt_host_wish_value(TtHostKey key, const TtHostWish *wish)
{
    return key == TT_HOST_DEFAULT_QDISC ? g_strdup(wish->text)
                                        : g_strdup_printf("%u", wish->number);
}

char *
tt_host_value_word(TtHostKey key, const char *value)
{
    guint32 number;

    if (key == TT_HOST_DEFAULT_QDISC || !tt_text_number(value, G_MAXUINT32, &number))
        return g_strdup(value);
    if (key != TT_HOST_RTO_MIN)
        return g_strdup(number < g_strv_length((char **) host_keys[key].words)
                            ? host_keys[key].words[number]
                            : value);
    if (number % 1000)
        return g_strdup_printf("%sus", value);
    return tt_attr_value_format(TT_ATTR_RTO_MIN, &(TtValue){.number = number / 1000});
}

char *
tt_policy_format_host(TtHostKey key, const TtHostWish *wish)
{
    g_autofree char *value = NULL;

    if (wish->kind == TT_WISH_NONE)
        return g_strdup("none");
    value = tt_host_wish_value(key, wish);
    return tt_host_value_word(key, value);
}
