/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tt-test.h"

#include "core/error.h"
#include "core/metric.h"

typedef struct {
    TtAttr attr;
    const char *text;
    guint32 number;
    const char *formatted;
} GoodValue;

static const GoodValue good_values[] = {
    {TT_ATTR_RTO_MIN, "8ms", 8, "8ms"},
    {TT_ATTR_RTO_MIN, "8", 8, "8ms"},
    {TT_ATTR_RTO_MIN, "20ms", 20, "20ms"},
    {TT_ATTR_RTO_MIN, "20", 20, "20ms"},
    {TT_ATTR_RTO_MIN, "0.02s", 20, "20ms"},
    {TT_ATTR_RTO_MIN, "0.020000s", 20, "20ms"},
    {TT_ATTR_RTO_MIN, "1", 1, "1ms"},
    {TT_ATTR_RTO_MIN, "0.001s", 1, "1ms"},
    {TT_ATTR_RTO_MIN, "8.0ms", 8, "8ms"},
    {TT_ATTR_RTO_MIN, "999", 999, "999ms"},
    {TT_ATTR_RTO_MIN, "1s", 1000, "1s"},
    {TT_ATTR_RTO_MIN, "1.5s", 1500, "1.5s"},
    {TT_ATTR_RTO_MIN, "1.05s", 1050, "1.05s"},
    {TT_ATTR_RTO_MIN, "119.999s", 119999, "119.999s"},
    {TT_ATTR_RTO_MIN, "120s", 120000, "120s"},
    {TT_ATTR_RTO_MIN, "120000", 120000, "120s"},
    {TT_ATTR_QUICKACK, "yes", 1, "1"},
    {TT_ATTR_QUICKACK, "true", 1, "1"},
    {TT_ATTR_QUICKACK, "on", 1, "1"},
    {TT_ATTR_QUICKACK, "1", 1, "1"},
    {TT_ATTR_ADVMSS, "88", 88, "88"},
    {TT_ATTR_ADVMSS, "65495", 65495, "65495"},
    {TT_ATTR_INITCWND, "1", 1, "1"},
    {TT_ATTR_INITCWND, "10000", 10000, "10000"},
    {TT_ATTR_INITRWND, "1", 1, "1"},
    {TT_ATTR_INITRWND, "10000", 10000, "10000"},
    {TT_ATTR_WINDOW, "536", 536, "536"},
    {TT_ATTR_WINDOW, "1073725440", 1073725440, "1073725440"},
    {TT_ATTR_MTU, "68", 68, "68"},
    {TT_ATTR_MTU, "65520", 65520, "65520"},
    {TT_ATTR_HOPLIMIT, "1", 1, "1"},
    {TT_ATTR_HOPLIMIT, "255", 255, "255"},
    {TT_ATTR_FEATURES, "ecn", 0x1, "ecn"},
    {TT_ATTR_FEATURES, "0x1", 0x1, "ecn"},
    {TT_ATTR_FEATURES, "1", 0x1, "ecn"},
    {TT_ATTR_FEATURES, "ecn tcp_usec_ts", 0x11, "ecn tcp_usec_ts"},
    {TT_ATTR_FEATURES, "tcp_usec_ts,ecn;", 0x11, "ecn tcp_usec_ts"},
    {TT_ATTR_FEATURES, "0x11", 0x11, "ecn tcp_usec_ts"},
    {TT_ATTR_FASTOPEN_NO_COOKIE, "yes", 1, "1"},
};

static void
test_good_values(void **state)
{
    for (guint i = 0; i < G_N_ELEMENTS(good_values); i++) {
        const GoodValue *good = &good_values[i];
        g_autoptr(GError) error = NULL;
        g_autofree char *formatted = NULL;
        TtValue value;
        bool is_remove = true;

        assert_true(tt_attr_value_parse(good->attr, good->text, &value, &is_remove, &error));
        assert_no_error(error);
        assert_int_equal(value.number, good->number);
        assert_false(is_remove);
        formatted = tt_attr_value_format(good->attr, &value);
        assert_string_equal(formatted, good->formatted);
    }
}

static void
test_remove(void **state)
{
    static const char *const words[] = {"no", "false", "off", "0"};
    static const TtAttr attrs[] = {TT_ATTR_QUICKACK, TT_ATTR_FASTOPEN_NO_COOKIE};

    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(attrs); j++) {
            TtValue value;
            bool is_remove = false;

            assert_true(tt_attr_value_parse(attrs[j], words[i], &value, &is_remove, NULL));
            assert_true(is_remove);
        }
    }
}

static const struct {
    TtAttr attr;
    const char *text;
    const char *reason;
} bad_values[] = {
    {TT_ATTR_RTO_MIN, "500us", "the unit must be ms or s; allowed: 1ms to 120s"},
    {TT_ATTR_RTO_MIN, "8 s", "a blank between number and unit"},
    {TT_ATTR_RTO_MIN, "8\tms", "a blank between number and unit"},
    {TT_ATTR_RTO_MIN, "0", "below 1ms"},
    {TT_ATTR_RTO_MIN, "0s", "below 1ms"},
    {TT_ATTR_RTO_MIN, "0.999ms", "fraction of a ms"},
    {TT_ATTR_RTO_MIN, "0.0005s", "fraction of a ms"},
    {TT_ATTR_RTO_MIN, "1.0001s", "fraction of a ms"},
    {TT_ATTR_RTO_MIN, "120001", "above 120s"},
    {TT_ATTR_RTO_MIN, "120.001s", "above 120s"},
    {TT_ATTR_RTO_MIN, "121s", "above 120s"},
    {TT_ATTR_RTO_MIN, "4294967296", "above 120s"},
    {TT_ATTR_RTO_MIN, "18446744073709551617", "above 120s"},
    {TT_ATTR_RTO_MIN, "infinity", "not a time"},
    {TT_ATTR_RTO_MIN, "-1", "not a time"},
    {TT_ATTR_RTO_MIN, "nan", "not a time"},
    {TT_ATTR_RTO_MIN, ".5s", "not a time"},
    {TT_ATTR_RTO_MIN, "5.", "not a time"},
    {TT_ATTR_RTO_MIN, "0x8", "the unit must be"},
    {TT_ATTR_RTO_MIN, "1e3", "the unit must be"},
    {TT_ATTR_RTO_MIN, "1.2.3s", "the unit must be"},
    {TT_ATTR_RTO_MIN, "", "no value"},
    {TT_ATTR_QUICKACK, "2", "not a boolean; allowed: yes, no"},
    {TT_ATTR_QUICKACK, "Yes", "not a boolean"},
    {TT_ATTR_FASTOPEN_NO_COOKIE, "2", "not a boolean"},
    {TT_ATTR_ADVMSS, "87", "too small; allowed: 88 to 65495"},
    {TT_ATTR_ADVMSS, "65496", "too great"},
    {TT_ATTR_INITCWND, "0", "too small"},
    {TT_ATTR_INITCWND, "1000000", "too great"},
    {TT_ATTR_INITRWND, "10001", "too great"},
    {TT_ATTR_WINDOW, "535", "too small"},
    {TT_ATTR_WINDOW, "1073725441", "too great"},
    {TT_ATTR_MTU, "67", "too small"},
    {TT_ATTR_MTU, "65521", "too great"},
    {TT_ATTR_HOPLIMIT, "0", "too small"},
    {TT_ATTR_HOPLIMIT, "256", "too great"},
    {TT_ATTR_HOPLIMIT, "64 ", "not a whole number"},
    {TT_ATTR_CONGCTL, "sixteen-letters-", "too long"},
    {TT_ATTR_CONGCTL, "cu bic", "not a name"},
    {TT_ATTR_FEATURES, "0x2", "not a feature"},
    {TT_ATTR_FEATURES, "0", "not a feature"},
    {TT_ATTR_FEATURES, "18", "not a feature"},
    {TT_ATTR_FEATURES, "0x", "not a feature"},
    {TT_ATTR_FEATURES, "0x1g", "not a feature"},
    {TT_ATTR_FEATURES, "0x100000001", "not a feature"},
    {TT_ATTR_FEATURES, "ecn,sack", "not a feature"},
    {TT_ATTR_FEATURES, " ,;", "no value"},
};

static void
test_bad_values(void **state)
{
    for (guint i = 0; i < G_N_ELEMENTS(bad_values); i++) {
        g_autoptr(GError) error = NULL;
        TtValue value = {.number = 77};
        bool is_remove = true;

        assert_false(tt_attr_value_parse(bad_values[i].attr, bad_values[i].text, &value, &is_remove,
                                         &error));
        assert_error(error, TT_ERROR_POLICY, bad_values[i].reason);
        assert_int_equal(value.number, 77);
        assert_true(is_remove);
    }
}

static void
test_congctl(void **state)
{
    static const char *const names[] = {"cubic", "bbr", "dctcp-reno", "fifteen_letters"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *formatted = NULL;
        TtValue value;
        TtValue other = {.text = "reno"};
        bool is_remove;

        assert_true(tt_attr_value_parse(TT_ATTR_CONGCTL, names[i], &value, &is_remove, NULL));
        assert_string_equal(value.text, names[i]);
        formatted = tt_attr_value_format(TT_ATTR_CONGCTL, &value);
        assert_string_equal(formatted, names[i]);
        assert_true(tt_attr_value_equal(TT_ATTR_CONGCTL, &value, &value));
        assert_false(tt_attr_value_equal(TT_ATTR_CONGCTL, &value, &other));
    }
}

static void
test_value_equal(void **state)
{
    TtValue a = {.number = 8};
    TtValue b = {.number = 8, .text = "rest"};
    TtValue c = {.number = 9};

    assert_true(tt_attr_value_equal(TT_ATTR_RTO_MIN, &a, &b));
    assert_false(tt_attr_value_equal(TT_ATTR_RTO_MIN, &a, &c));
}

static void
test_names(void **state)
{
    TtAttr found;

    for (TtAttr attr = 0; attr < _TT_ATTR_N; attr++) {
        assert_true(tt_attr_from_name(tt_attr_info(attr)->name, &found));
        assert_int_equal(found, attr);
        assert_non_null(tt_attr_info(attr)->allowed);
        assert_int_equal(tt_attr_info(attr)->needs_lock, attr == TT_ATTR_RTO_MIN);
        assert_int_equal(tt_attr_info(attr)->may_lock,
                         attr == TT_ATTR_MTU || attr == TT_ATTR_CONGCTL);
    }
    assert_int_equal(tt_attr_info(TT_ATTR_RTO_MIN)->rtax, RTAX_RTO_MIN);
    assert_false(tt_attr_from_name("cwnd", &found));
    assert_false(tt_attr_from_name("", &found));
}

static void
test_set_and_clear(void **state)
{
    TtMetrics metrics = {.lock = TT_METRIC_BIT(RTAX_MTU)};
    TtValue rto_min = {.number = 8};
    TtValue cubic = {.text = "cubic"};
    TtMetrics none = {0};

    tt_metrics_set(&metrics, TT_ATTR_RTO_MIN, &rto_min);
    assert_true(tt_metrics_has(&metrics, RTAX_RTO_MIN));
    assert_false(tt_metrics_locked(&metrics, RTAX_RTO_MIN));
    assert_true(tt_metrics_locked(&metrics, RTAX_MTU));
    assert_int_equal(metrics.value[RTAX_RTO_MIN], 8);

    tt_metrics_set(&metrics, TT_ATTR_CONGCTL, &cubic);
    assert_string_equal(metrics.congctl, "cubic");

    metrics.lock |= TT_METRIC_BIT(RTAX_RTO_MIN);
    tt_metrics_clear(&metrics, RTAX_RTO_MIN);
    assert_false(tt_metrics_has(&metrics, RTAX_RTO_MIN));
    assert_false(tt_metrics_locked(&metrics, RTAX_RTO_MIN));
    assert_true(tt_metrics_has(&metrics, RTAX_CC_ALGO));

    tt_metrics_clear(&metrics, RTAX_CC_ALGO);
    tt_metrics_clear(&metrics, RTAX_MTU);
    assert_true(tt_metrics_equal(&metrics, &none));
    assert_memory_equal(&metrics, &none, sizeof(none));
}

static void
test_equal(void **state)
{
    TtMetrics a = {.present = TT_METRIC_BIT(RTAX_RTO_MIN) | TT_METRIC_BIT(RTAX_CC_ALGO),
                   .congctl = "cubic"};
    TtMetrics b;

    a.value[RTAX_RTO_MIN] = 8;
    b = a;
    b.value[RTAX_MTU] = 1400; /* not present: means nothing */
    assert_true(tt_metrics_equal(&a, &b));

    b.lock = TT_METRIC_BIT(RTAX_RTO_MIN);
    assert_false(tt_metrics_equal(&a, &b));
    assert_false(tt_metrics_equal_one(&a, &b, RTAX_RTO_MIN));
    assert_true(tt_metrics_equal_one(&a, &b, RTAX_CC_ALGO));

    b = a;
    b.value[RTAX_RTO_MIN] = 9;
    assert_false(tt_metrics_equal(&a, &b));

    b = a;
    b.present = 0;
    assert_false(tt_metrics_equal_one(&a, &b, RTAX_RTO_MIN));

    b = a;
    g_strlcpy(b.congctl, "reno", sizeof(b.congctl));
    assert_false(tt_metrics_equal_one(&a, &b, RTAX_CC_ALGO));
}

static void
test_copy_one(void **state)
{
    TtMetrics from = {.present = TT_METRIC_BIT(RTAX_CC_ALGO), .congctl = "cubic"};
    TtMetrics to = {.present = TT_METRIC_BIT(RTAX_MTU), .lock = TT_METRIC_BIT(RTAX_CC_ALGO)};

    to.value[RTAX_MTU] = 1400;
    tt_metrics_copy_one(&to, &from, RTAX_CC_ALGO);
    assert_string_equal(to.congctl, "cubic");
    assert_false(tt_metrics_locked(&to, RTAX_CC_ALGO));
    assert_true(tt_metrics_has(&to, RTAX_MTU));
    tt_metrics_copy_one(&to, &from, RTAX_MTU);
    assert_true(tt_metrics_equal(&to, &from));
}

static void
assert_appended(const TtMetrics *metrics, const char *expected)
{
    g_autoptr(GString) text = g_string_new("default");

    tt_metrics_append(metrics, text);
    assert_string_equal(text->str, expected);
}

static void
put(TtMetrics *metrics, int rtax, guint32 value)
{
    metrics->present |= TT_METRIC_BIT(rtax);
    metrics->value[rtax] = value;
}

/* The expected texts are what ip-route(8) of iproute2 6.1 prints. */
static void
test_append(void **state)
{
    TtMetrics metrics = {0};

    assert_appended(&metrics, "default");
    put(&metrics, RTAX_QUICKACK, 1);
    put(&metrics, RTAX_RTO_MIN, 8);
    metrics.lock = TT_METRIC_BIT(RTAX_RTO_MIN);
    assert_appended(&metrics, "default rto_min lock 8ms quickack 1");

    put(&metrics, RTAX_RTO_MIN, 1500);
    put(&metrics, RTAX_MTU, 1400);
    put(&metrics, RTAX_WINDOW, 20000);
    put(&metrics, RTAX_RTT, 20 * 8);
    put(&metrics, RTAX_RTTVAR, 3000 * 4);
    put(&metrics, RTAX_SSTHRESH, 5);
    put(&metrics, RTAX_CWND, 6);
    put(&metrics, RTAX_ADVMSS, 1360);
    put(&metrics, RTAX_REORDERING, 7);
    put(&metrics, RTAX_HOPLIMIT, 64);
    put(&metrics, RTAX_INITCWND, 10);
    put(&metrics, RTAX_FEATURES, 1);
    put(&metrics, RTAX_INITRWND, 11);
    put(&metrics, RTAX_CC_ALGO, 0);
    put(&metrics, RTAX_FASTOPEN_NO_COOKIE, 1);
    g_strlcpy(metrics.congctl, "cubic", sizeof(metrics.congctl));
    metrics.lock |= TT_METRIC_BIT(RTAX_MTU) | TT_METRIC_BIT(RTAX_CC_ALGO);
    assert_appended(&metrics,
                    "default mtu lock 1400 window 20000 rtt 20ms rttvar 3s ssthresh 5 cwnd 6 "
                    "advmss 1360 reordering 7 hoplimit 64 initcwnd 10 features ecn "
                    "rto_min lock 1.5s initrwnd 11 quickack 1 congctl lock cubic "
                    "fastopen_no_cookie 1");
}

static void
test_append_odd(void **state)
{
    TtMetrics metrics = {.lock = TT_METRIC_BIT(RTAX_RTO_MIN)};

    assert_appended(&metrics, "default rto_min lock 0ms");
    metrics.lock = 0;
    put(&metrics, RTAX_HOPLIMIT, G_MAXUINT32); /* "unset", on IPv6 routes of old kernels */
    assert_appended(&metrics, "default");
    put(&metrics, RTAX_FEATURES, 0x1d);
    put(&metrics, RTAX_RTO_MIN, G_MAXUINT32);
    put(&metrics, 31, 5);
    assert_appended(&metrics,
                    "default features ecn tcp_usec_ts 0xc rto_min 4294967.295s metric 31 5");
    metrics = (TtMetrics){0};
    put(&metrics, RTAX_FEATURES, 0x8);
    assert_appended(&metrics, "default features 0x8");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_values),   cmocka_unit_test(test_remove),
        cmocka_unit_test(test_bad_values),    cmocka_unit_test(test_congctl),
        cmocka_unit_test(test_value_equal),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_set_and_clear), cmocka_unit_test(test_equal),
        cmocka_unit_test(test_copy_one),      cmocka_unit_test(test_append),
        cmocka_unit_test(test_append_odd),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
