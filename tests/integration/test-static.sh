#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A host whose profile has a static gateway: the main job, on a real NetworkManager.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'

NATIVE=no usual_policy
start_world
static_profile eth0

step 'up: the hook, run by nm-dispatcher, tunes the route'
up eth0
assert_route 4 "$A4" "$TUNED"
assert_route 4 "$A4" 'proto static'
assert_rto_below 20
expect 0 tt check
grep -q 'tcptune-nm: .*default via 192.0.2.1' "$LOG/dispatcher" || fail 'no line in the log'

step 'up again, on an active profile: its down comes late or not at all (field case 23)'
up eth0
assert_route 4 "$A4" "$TUNED"
wait_until 5 event_came eth0 down 1
assert_route 4 "$A4" "$TUNED"
assert_count 4 default 1

step 'reapply (field case 3): one default, tuned'
if nm_is_at_least 1.42; then
    after_event eth0 reapply nm device reapply eth0
else
    nm device reapply eth0
fi
wait_until 5 has_route 4 "$A4" "$TUNED"
assert_count 4 default 1

step 'nothing to do: nothing in the log'
lines=$(grep -c 'tcptune-nm:' "$LOG/dispatcher")
expect 0 hook eth0 up
assert_silent
[ "$(grep -c 'tcptune-nm:' "$LOG/dispatcher")" -eq "$lines" ] || fail 'the log grew'

step 'modify and up: the new metric, tuned'
nm connection modify eth0 ipv4.route-metric 50
up eth0
assert_route 4 "$A4" 'metric 50'
assert_route 4 "$A4" "$TUNED"
assert_count 4 default 1
nm connection modify eth0 ipv4.route-metric -1
up eth0

step 'the gateway moves in the profile'
nm connection modify eth0 ipv4.gateway 192.0.2.254
up eth0
assert_route 4 'default via 192.0.2.254 dev eth0' "$TUNED"
assert_no_route 4 "$A4"
nm connection modify eth0 ipv4.gateway 192.0.2.1
up eth0

step 'a restart of NetworkManager'
after_event eth0 up restart_nm
assert_route 4 "$A4" "$TUNED"
assert_count 4 default 1

step 'revert: exactly as NetworkManager made it'
i1 -- "$TT_CMD" revert
assert_plain 4 "$A4"
assert_rto_above 150

step 'disconnect (field case 19): no default is left behind'
expect 0 tt apply
after_event eth0 down nm device disconnect eth0
assert_no_route 4 default
expect 0 tt status
refute_out eth0

step 'a route in the profile beside the default (field case 30): not ours'
nm connection modify eth0 ipv4.routes '10.1.0.0/24 192.0.2.1, 10.2.0.0/24 192.0.2.254'
up eth0
assert_route 4 "$A4" "$TUNED"
assert_plain 4 '10.1.0.0/24 via 192.0.2.1'
assert_plain 4 '10.2.0.0/24 via 192.0.2.254'
