#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Connectivity is lost: NetworkManager adds 20000 to the metric of the default. A tuned default
# with the old metric must not stay before it, or no other device can take over.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'

metric_of()
{
    routes 4 "$1" | grep -oE 'metric [0-9]+' | cut -d ' ' -f 2
}

penalty_is_there()
{
    metric_of "$A4" | grep -qE '^20[0-9]{3}$'
}

usual_policy
export NM_CONFIG='[connectivity]
enabled=true
uri=http://203.0.113.1/online
response=online
interval=2'
start_world
start_http
start_dhcp eth0
dhcp_profile eth0 ipv4.route-metric 100
up eth0
nm networking connectivity check
wait_until 10 eval '[ "$(nmcli networking connectivity)" = full ]'
wait_until 10 eval '[ "$(metric_of "$A4" | head -n 1)" = 100 ]'
expect 0 hook '' connectivity-change
wait_until 5 has_route 4 "$A4" "$TUNED"

step 'connectivity is lost'
stop_http
before=$(count_events '' connectivity-change)
nm networking connectivity check
wait_until 15 penalty_is_there
wait_until 10 event_came '' connectivity-change $((before + 1))
step 'the hook, called for it, leaves one default, with the penalty, tuned'
wait_until 5 has_route 4 "$A4" "$TUNED"
assert_count 4 default 1
penalty_is_there || fail "the metric is $(metric_of "$A4")"
expect 0 tt check

step 'it comes back'
start_http
before=$(count_events '' connectivity-change)
nm networking connectivity check
wait_until 15 event_came '' connectivity-change $((before + 1))
wait_until 10 has_route 4 "$A4" "$TUNED"
assert_count 4 default 1
[ "$(metric_of "$A4")" = 100 ] || fail "the metric is $(metric_of "$A4")"
