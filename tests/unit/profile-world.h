/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles as keyfiles, and what a policy makes of them. */
#pragma once

#include "helper/profile.h"

/* From the text of a keyfile; [connection] is filled up where it is not there. (transfer full) */
NMConnection *test_profile(const char *keyfile);
/* (transfer full) */
char *test_profile_text(NMConnection *connection);
/* With a plain gateway, 192.0.2.1 of eth0, and more lines for [ipv4]. */
NMConnection *test_profile_manual(const char *more);

/* Equal in every property, and in the bytes of the keyfile. */
void assert_profile_equal(NMConnection *connection, NMConnection *expected);

TtPolicy *test_policy(const char *text);
/* Not active; `policy` NULL: revert. (transfer full) */
TtProfilePlan *test_plan(NMConnection *connection, const char *policy);
TtProfilePlan *test_plan_with(NMConnection *connection, const TtProfileInput *input);
/* `after`, or what it was. (transfer none) */
NMConnection *test_result(const TtProfilePlan *plan);

/* The list as nmcli prints it, one a line. (transfer full) */
char *test_routes(NMConnection *connection, int family);
const char *test_gateway(NMConnection *connection, int family);
const char *test_stamp(NMConnection *connection, const char *key);
/* "0.0.0.0/0 192.0.2.1 native", "10.0.0.0/8 kernel: WHY", one a line. (transfer full) */
char *test_report(const TtProfilePlan *plan);
