/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the kernel's interface that the headers of RHEL 8 (4.18) may lack. */
#pragma once

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#ifndef NETLINK_GET_STRICT_CHK
#define NETLINK_GET_STRICT_CHK 12 /* 4.20 */
#endif
#ifndef RTM_F_FIB_MATCH
#define RTM_F_FIB_MATCH 0x2000 /* 4.13 */
#endif

enum {
    TT_RTA_NH_ID = 30,         /* 5.3 */
    TT_IFLA_PERM_ADDRESS = 54, /* 5.6 */
    TT_RTEXT_FILTER_SKIP_STATS = 1 << 3,
    TT_SOCK_DESTROY = 21, /* 4.5 */
    TT_TOS_MASK = 0xfc,   /* without the bits of ECN */
};
