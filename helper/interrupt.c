/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "interrupt.h"

#include <poll.h>
#include <signal.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t came;
static sigset_t mask_of_waiting;

static void
note(int signal_number)
{
    came = signal_number;
}

void
tt_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note};
    sigset_t set;

    sigemptyset(&set);
    for (guint i = 0; i < G_N_ELEMENTS(caught); i++) {
        sigaddset(&set, caught[i]);
        sigaction(caught[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &set, &mask_of_waiting);
    /* Whoever started us may have had them blocked. */
    for (guint i = 0; i < G_N_ELEMENTS(caught); i++)
        sigdelset(&mask_of_waiting, caught[i]);
}

int
tt_interrupt_came(void)
{
    return came;
}

TtWait
tt_interrupt_wait(int fd, short events, gint64 timeout_us)
{
    struct pollfd polled = {.fd = fd, .events = events};
    gint64 end_us = g_get_monotonic_time() + timeout_us;

    while (!came) {
        gint64 left_us = MAX(end_us - g_get_monotonic_time(), 0);
        struct timespec left = {left_us / G_USEC_PER_SEC, left_us % G_USEC_PER_SEC * 1000};
        int n = ppoll(&polled, 1, &left, &mask_of_waiting);

        if (n > 0)
            return TT_WAIT_READY;
        if (n == 0)
            return TT_WAIT_TIMEOUT;
    }
    return TT_WAIT_INTERRUPTED;
}
