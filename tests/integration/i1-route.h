/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A route as the I1 checker sees it: the kernel's message, cut into what forwards (the identity)
 * and what does not (the metrics). Shares nothing with core/: what judges the engine must not
 * have the engine's mistakes.
 */
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define I1_METRICS_N 32
#define I1_TEXT_MAX 1024

typedef struct {
    uint8_t family;
    uint8_t dst_len;
    uint8_t src_len;
    uint8_t tos;
    uint32_t table;
    uint32_t priority;
    uint8_t dst[16];
    uint8_t src[16];
} I1Key;

typedef struct {
    I1Key key;
    uint8_t type;
    bool cloned;
    size_t identity_len;
    uint8_t *identity; /* header and attributes, without metrics and cache information */
    uint32_t metric[I1_METRICS_N];
    uint32_t lock;
    char congctl[32];
    uint32_t expires;       /* in 1/100 s, 0: never */
    int oif;                /* the device of the only or the first hop */
    char text[I1_TEXT_MAX]; /* as ip-route(8) has it, without metrics */
} I1Route;

/* (owned) NULL: not a route message. */
I1Route *i1_route_parse(const struct nlmsghdr *message);
I1Route *i1_route_copy(const I1Route *route);
void i1_route_free(I1Route *route);

bool i1_route_same_key(const I1Route *a, const I1Route *b);
bool i1_route_same_identity(const I1Route *a, const I1Route *b);
bool i1_route_same_metrics(const I1Route *a, const I1Route *b);

/* "rto_min lock 8ms": as far as messages need it. */
void i1_route_format_metrics(const I1Route *route, char *text, size_t size);

/* Index of a metric by its name in ip-route(8), 0: unknown. */
int i1_metric_from_name(const char *name);
const char *i1_metric_name(int metric);

/* Routes in an order; owns them. */
typedef struct {
    I1Route **item;
    size_t n;
    size_t allocated;
} I1List;

void i1_list_insert(I1List *list, size_t at, I1Route *route);
void i1_list_remove(I1List *list, size_t at);
void i1_list_clear(I1List *list);
void i1_list_copy(I1List *to, const I1List *from);
