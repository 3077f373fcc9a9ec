/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking netlink attributes without leaving the message: for the codec, and for who has to know
 * what a route's message holds beyond TtRoute. */
#pragma once

#include "route.h"

#include <libmnl/libmnl.h>

/* The start of the attributes behind a fixed header, NULL where the message is too short. */
const struct nlattr *
tt_nla_first(const struct nlmsghdr *message, gsize len, gsize header_len, int *out_len);

#define tt_nla_for_each(attr, first, len)                                                          \
    for ((attr) = (first);                                                                         \
         mnl_attr_ok((attr), (int) ((const char *) (first) + (len) - (const char *) (attr)));      \
         (attr) = mnl_attr_next(attr))

/* False: the attribute is of another length; *out is as before. */
bool tt_nla_get_u32(const struct nlattr *attr, guint32 *out);
bool tt_nla_get_address(const struct nlattr *attr, int family, TtAddress *out);

/* Room for more in a message that is built; zero, since what pads is sent, and hashed for the
 * identity. */
void *tt_nla_extend(GByteArray *message, gsize len);

/* Appends an attribute; the length of the message is for the caller to set. */
void tt_nla_put(GByteArray *message, guint16 type, const void *data, gsize len);

/* A metric that we do not model: sent back as it came. */
bool tt_nla_is_opaque_metric(const struct nlattr *attr);

/* The next hop of a list, moving on *at and *left; NULL at the end or where it is malformed. */
const struct rtnexthop *tt_nla_next_hop(const char **at, gsize *left);
