/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind the router: an echo on UDP and TCP, and a small HTTP server. The echo says in
 * its answer how long it held the packet, so that who asks can tell the network from a busy
 * machine.
 */
#pragma once

#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#define I1_PEER_PORT 7

typedef struct {
    uint32_t number;
    uint32_t held_us; /* filled in by the peer: from its arrival in the kernel to the answer */
} I1Packet;

int i1_peer_serve(void);
int i1_peer_serve_http(const char *text);

/* A socket that is asked for it (SO_TIMESTAMPNS) has the time at which the kernel got what was
 * received, by CLOCK_REALTIME. {0, 0}: not told. */
struct timespec i1_peer_arrival(struct msghdr *message);
