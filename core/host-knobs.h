/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel keeps what [host] names, and how one of them is read and written. `root` is put
 * before /proc and /sys; NULL: the real ones.
 */
#pragma once

#include "policy.h"

#define TT_KNOB_VALUE_LEN 32 /* with the end; a qdisc's name has at most 15 letters */

/* Out of the range of every knob that has one, and what nobody asks for. */
#define TT_KNOB_NO_VALUE "2147483647"

#define TT_TW_REUSE_LOOPBACK 2 /* 4.19, commit 79e9fed46038; before, any number but 0 is yes */

typedef enum {
    TT_KNOB_HERE,
    TT_KNOB_ABSENT,     /* this kernel does not have it */
    TT_KNOB_NOT_LOADED, /* its module is not loaded */
    TT_KNOB_ELSEWHERE,  /* only the host's own network namespace shows it */
    TT_KNOB_HIDDEN,     /* there is no /proc/sys/net or /sys/module to find it in */
    TT_KNOB_UNREADABLE, /* `error` says why */
    _TT_KNOB_N,
} TtKnobStatus;

typedef struct {
    TtKnobStatus status;
    int error;                     /* negative errno */
    char value[TT_KNOB_VALUE_LEN]; /* as the kernel writes it; no blanks; "" if it is not here */
} TtKnobReading;

/* "/proc/sys/net/ipv4/tcp_tw_reuse" */
const char *tt_knob_path(TtHostKey key);

/* "net/ipv4/tcp_tw_reuse"; NULL: a parameter of a module. */
const char *tt_knob_sysctl(TtHostKey key);

/* One for all network namespaces of the host. */
bool tt_knob_is_host_wide(TtHostKey key);

/* Is this another network namespace than the one that the host began with? */
bool tt_knob_in_namespace(const char *root);

void tt_knob_read(const char *root, TtHostKey key, TtKnobReading *out_reading);

/* A descriptor for tt_knob_write(), or a negative errno. */
int tt_knob_open(const char *root, TtHostKey key);

/* 0 or a negative errno. What the kernel made of it, only reading tells. */
int tt_knob_write(int fd, const char *value);
