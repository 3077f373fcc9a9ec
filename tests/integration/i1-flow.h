/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One exchange with the peer: packets, each of which looks its route up, and a connection.
 *
 * What counts as late is the network, not the machine: the kernel's own times of arrival count on
 * both sides, what the peer held is taken off, and so is the time for which we ourselves stood
 * still.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define I1_MAX_FLOWS 16

typedef struct {
    double at;      /* 0: nothing, or answered */
    double stalled; /* for how long we had stood still till then */
} I1Sent;

typedef struct {
    char text[96];
    int datagram_fd;
    int stream_fd;
    struct sockaddr_storage to;
    socklen_t to_len;
    I1Sent *sent; /* by number */
    uint32_t n_sent;
    uint32_t n_answered;
    uint32_t n_refused; /* send() failed */
    int last_error;
    double slowest;
    uint32_t n_stream; /* exchanges over the connection */
    I1Sent stream_sent;
    double stream_slowest;
    bool stream_broken;
    int n_resent; /* segments, before anything was judged */
} I1Flow;

/* The clock of the kernel's times of arrival, in seconds. */
double i1_flow_now(void);

/* device NULL: any. Ends the program where the peer does not answer. */
void i1_flow_open(I1Flow *flow, const char *to, const char *device);
void i1_flow_free(I1Flow *flow);

/* A packet, and one over the connection unless that still waits for an answer. */
void i1_flow_send(I1Flow *flow);
void i1_flow_receive_until(I1Flow *flows, size_t n, double until);
bool i1_flow_all_answered(const I1Flow *flows, size_t n);

/* What came so far does not count. */
void i1_flow_reset(I1Flow *flow);

/* Is that packet, and is the connection, without an answer for longer than `late` seconds? */
bool i1_flow_is_overdue(const I1Flow *flow, uint32_t number, double late);

/* Prints a line; false: lost, late, or a segment had to be sent again. */
bool i1_flow_judge(const I1Flow *flow, double late);
