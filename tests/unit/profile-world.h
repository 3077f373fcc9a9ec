/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles as keyfiles, and what a policy makes of them. */
#pragma once

#include "helper/profile.h"

/* rto_min and quickack on defaults. */
#define TEST_POLICY "[route]\nrto_min=8ms\nquickack=yes\n"
/* The same on every route of a profile. */
#define TEST_POLICY_ANY "[route-a]\ndestination=any\nrto_min=8ms\nquickack=yes\n"

/* From the text of a keyfile; of eth0, [connection] is filled up where it is not there. */
NMConnection *test_profile(const char *keyfile);
/* With 192.0.2.10/24 and the gateway 192.0.2.1 of eth0, and more lines for [ipv4]. */
NMConnection *test_profile_manual(const char *more);
/* With 192.0.2.10/24 and no gateway. */
NMConnection *test_profile_routes(const char *more);
NMConnection *test_profile_clone(NMConnection *connection);
char *test_profile_text(NMConnection *connection);

/* Equal in every property, and in the bytes of the keyfile. */
void assert_profile_equal(NMConnection *connection, NMConnection *expected);
/* The list as nmcli prints it, each route with a line end. */
void assert_routes(NMConnection *connection, int family, const char *expected);
void assert_gateway(NMConnection *connection, int family, const char *expected);
/* `key` without "tcptune-nm."; NULL: it is not there. */
void assert_stamp(NMConnection *connection, const char *key, const char *expected);
/* "0.0.0.0/0 192.0.2.1 native", "10.0.0.0/8 kernel: WHY", each with a line end. */
void assert_report(const TtProfilePlan *plan, const char *expected);

TtPolicy *test_policy(const char *text);
/* A profile that is not active; `policy` NULL: revert. */
TtProfilePlan *test_plan(NMConnection *connection, const char *policy);
TtProfilePlan *test_plan_with(NMConnection *connection, const TtProfileInput *input);
/* The plan's result as a connection of its own: `after`, or what it was. */
NMConnection *test_apply(NMConnection *connection, const char *policy);
NMConnection *test_revert(NMConnection *connection);

/* TtLink */
GPtrArray *test_links(const char *first, const char *second);

NMSettingIPConfig *test_setting(NMConnection *connection, int family);
/* What somebody does with nmcli: "ipv4.gateway=192.0.2.2", a list of routes. */
void test_edit_routes(NMConnection *connection, int family, const char *routes);

/* With a libnm before 1.40 there is one thing to test: that it is refused. */
int test_refusal(void);
#define run_profile_tests(tests)                                                                   \
    (tt_profile_supported(NULL) ? cmocka_run_group_tests(tests, NULL, NULL) : test_refusal())
