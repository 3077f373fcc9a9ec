/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/socket-verdict.h"
#include "tt-test.h"

typedef struct {
    TtSocket socket;
    TtMetrics metrics;
    TtSocketVerdictInput input;
} Case;

/* HZ=250, a route with rto_min 8 ms that was tuned a minute ago, a connection that has it. */
static Case
tuned_case(void)
{
    Case c = {
        .socket = {.has_info = true,
                   .rto_us = 12000,
                   .rtt_us = 60,
                   .rttvar_us = 20,
                   .idle_sent_ms = 10,
                   .idle_received_ms = 10,
                   .has_dsacks = true},
        .metrics = {.present = TT_METRIC_BIT(RTAX_RTO_MIN), .lock = TT_METRIC_BIT(RTAX_RTO_MIN)},
        .input = {.is_tuned = true,
                  .tuned_for_ms = 60000,
                  .lowered_ms = 8,
                  .default_us = 200000,
                  .tick_us = 4000},
    };

    c.metrics.value[RTAX_RTO_MIN] = 8;
    return c;
}

static void
assert_verdict(Case *c, TtSocketVerdict expected)
{
    const char *is, *shall = tt_socket_verdict_name(expected);

    c->input.metrics = &c->metrics;
    is = tt_socket_verdict_name(tt_socket_verdict(&c->socket, &c->input));
    assert_string_equal(is ? is : "none", shall ? shall : "none");
}

static Case
undone_case(void)
{
    Case c = tuned_case();

    c.metrics = (TtMetrics){0};
    c.input.is_tuned = false;
    return c;
}

static void
test_tuned(void **state)
{
    Case c = tuned_case();

    assert_verdict(&c, TT_SOCKET_TUNED);
    c.socket.rto_us = 16000; /* one slow answer */
    assert_verdict(&c, TT_SOCKET_TUNED);
    /* Time-outs double it. */
    c.socket.rto_us = 12000 << 4;
    c.socket.backoff = 4;
    assert_verdict(&c, TT_SOCKET_TUNED);
}

static void
test_not_yet(void **state)
{
    Case c = tuned_case();

    c.socket.rto_us = 204000;
    assert_verdict(&c, TT_SOCKET_NOT_YET);
    /* On its way down: there was traffic. */
    c.socket.rto_us = 56000;
    assert_verdict(&c, TT_SOCKET_NOT_YET);
    /* No sample of the round trip yet. */
    c.socket.rtt_us = 0;
    assert_verdict(&c, TT_SOCKET_NOT_YET);
}

/* Nothing to be seen of quickack: idle since before it is the only sign. */
static void
test_not_yet_without_rto_min(void **state)
{
    Case c = tuned_case();

    c.metrics = (TtMetrics){.present = TT_METRIC_BIT(RTAX_QUICKACK)};
    c.input.lowered_ms = 0;
    c.socket.rto_us = 204000;
    assert_verdict(&c, TT_SOCKET_TUNED);
    c.socket.idle_sent_ms = 70000;
    assert_verdict(&c, TT_SOCKET_TUNED); /* it received, and acknowledged that */
    c.socket.idle_received_ms = 70000;
    assert_verdict(&c, TT_SOCKET_NOT_YET);
    c.input.tuned_for_ms = 0;
    assert_verdict(&c, TT_SOCKET_TUNED);
}

/* A path whose round trips vary has a high RTO by right. */
static void
test_own_variance(void **state)
{
    Case c = tuned_case();

    c.socket.rtt_us = 50000;
    c.socket.rttvar_us = 10000;
    c.socket.rto_us = 92000;
    assert_verdict(&c, TT_SOCKET_TUNED);
}

static void
test_stale(void **state)
{
    Case c = undone_case();

    assert_verdict(&c, TT_SOCKET_STALE);
    c.socket.idle_sent_ms = c.socket.idle_received_ms = 3600000;
    assert_verdict(&c, TT_SOCKET_STALE);
    c.socket.rto_us = 200000; /* 196 ms and a round trip of 4: still less than 200 */
    c.socket.rtt_us = 4000;
    assert_verdict(&c, TT_SOCKET_STALE);
    c.socket.rto_us = 204000;
    assert_verdict(&c, TT_SOCKET_NONE);
}

static void
test_stale_after_a_raise(void **state)
{
    Case c = tuned_case();

    c.metrics.value[RTAX_RTO_MIN] = 50;
    assert_verdict(&c, TT_SOCKET_STALE);
    c.socket.rto_us = 56000;
    assert_verdict(&c, TT_SOCKET_TUNED);
}

/* "Only those": whoever else lowered it, it was not us. */
static void
test_not_stale(void **state)
{
    Case c = undone_case();

    c.input.lowered_ms = 0; /* a route that we never touched */
    assert_verdict(&c, TT_SOCKET_NONE);
    c.input.lowered_ms = 20; /* below anything that we set: the program's own TCP_RTO_MIN_US */
    assert_verdict(&c, TT_SOCKET_NONE);
    c = undone_case();
    c.input.default_us = 8000; /* the host's own tcp_rto_min_us */
    assert_verdict(&c, TT_SOCKET_NONE);
    c = undone_case();
    c.metrics = tuned_case().metrics; /* the administrator's own rto_min on the route */
    assert_verdict(&c, TT_SOCKET_NONE);
    c = undone_case();
    c.socket.has_info = false;
    assert_verdict(&c, TT_SOCKET_NONE);
}

/* A value without its lock does nothing: the connection is below what is in force. */
static void
test_stale_unlocked(void **state)
{
    Case c = tuned_case();

    c.metrics.lock = 0;
    c.input.is_tuned = false;
    assert_verdict(&c, TT_SOCKET_STALE);
}

static void
test_spurious(void **state)
{
    Case c = tuned_case();

    c.socket.n_retransmitted = 200;
    c.socket.n_dsacks = 199;
    assert_verdict(&c, TT_SOCKET_SPURIOUS);
    c.socket.n_dsacks = 100; /* losses both ways */
    assert_verdict(&c, TT_SOCKET_TUNED);
    c.socket.n_retransmitted = c.socket.n_dsacks = 2;
    assert_verdict(&c, TT_SOCKET_TUNED);
    /* With the RTO of any host it is not the rto_min. */
    c = undone_case();
    c.socket.rto_us = 204000;
    c.socket.n_retransmitted = c.socket.n_dsacks = 200;
    assert_verdict(&c, TT_SOCKET_NONE);
    /* Stale is what can be closed. */
    c = undone_case();
    c.socket.n_retransmitted = c.socket.n_dsacks = 200;
    assert_verdict(&c, TT_SOCKET_STALE);
}

static void
test_no_route(void **state)
{
    Case c = undone_case();

    assert_int_equal(tt_socket_verdict(&c.socket, &c.input), TT_SOCKET_NONE);
}

static void
test_this_kernel(void **state)
{
    TtSocketVerdictInput input = {0};

    tt_socket_verdict_load_kernel(&input);
    assert_true(input.tick_us >= 1000 && input.tick_us <= 10000); /* HZ of 100 to 1000 */
    assert_true(input.default_us > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuned),
        cmocka_unit_test(test_not_yet),
        cmocka_unit_test(test_not_yet_without_rto_min),
        cmocka_unit_test(test_own_variance),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_stale_after_a_raise),
        cmocka_unit_test(test_not_stale),
        cmocka_unit_test(test_stale_unlocked),
        cmocka_unit_test(test_spurious),
        cmocka_unit_test(test_no_route),
        cmocka_unit_test(test_this_kernel),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
