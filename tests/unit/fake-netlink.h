/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel answers, as a test says it: stands in for libmnl's send and receive, and for the
 * recv(2) of notifications. Sockets are opened as ever, and nothing goes through them.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

void fake_netlink_reset(void);

/* The next answer is this message, with the number of the request that is next to be answered
 * (transfer full). Where no answer is left, the request is acknowledged; of several that were sent
 * at once, the last. */
void fake_netlink_answer(GByteArray *message);

/* The same, with another number. */
void fake_netlink_answer_stale(GByteArray *message);

/* The next answer cannot be received. */
void fake_netlink_fail(int error_number);

/* The next request cannot be sent. */
void fake_netlink_fail_send(int error_number);

/* The next notification, and one that cannot be received. */
void fake_netlink_event(GByteArray *message);
void fake_netlink_fail_event(int error_number);

/* A route as of route-text.h came or went, by whoever has that port. */
void fake_netlink_route_event(const char *text, guint16 type, guint16 flags, guint32 port);

/* Requests that were sent: GByteArray. (transfer none) */
const GPtrArray *fake_netlink_sent(void);

/* An acknowledgement or a refusal (a negative errno), with the kernel's own words (NULL: none),
 * and with the request or without. (transfer full) */
GByteArray *fake_netlink_verdict(int code, const char *text, bool with_request);

/* The end of a dump. */
GByteArray *fake_netlink_done(int code);

/* A message of a type, with flags and a body. */
GByteArray *fake_netlink_message(guint16 type, guint16 flags, const void *body, gsize len);
