/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lookups in a loop, at a set pace: what the kernel answers a program that asks, or connects,
 * at any instant. Every answer that is not the first one is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct I1Probes I1Probes;

typedef struct {
    const char *const *targets; /* addresses behind the router, IPv4 and IPv6 */
    size_t n_targets;
    unsigned int rate; /* lookups a second, all together */
} I1ProbeOptions;

/* Finds devices and addresses, asks everything a few times. NULL: the answers are not steady, so
 * nothing could be judged; said on standard error. */
I1Probes *i1_probes_new(const I1ProbeOptions *options);
void i1_probes_start(I1Probes *probes);
void i1_probes_stop(I1Probes *probes);
void i1_probes_free(I1Probes *probes);

uint64_t i1_probes_count(const I1Probes *probes);

/* Writes a line to `fd` for each question that got its first other answer since the last call. */
void i1_probes_tell(I1Probes *probes, int fd);

/* Calls `report` for each answer that differed from the first; with `moved`, answers that are
 * also today's are right. Returns how many it reported. */
size_t i1_probes_judge(I1Probes *probes, bool moved, void (*report)(const char *text));

double i1_now(void);
