#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The carrier goes for a moment, and for long (field case 25): tuned after both.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'

carrier_is()
{
    [ "$(cat /sys/class/net/eth0/carrier)" = "$1" ]
}

usual_policy
start_world
static_profile eth0
up eth0
assert_route 4 "$A4" "$TUNED"
[ "$(count_events eth0 down)" -eq 0 ] || fail 'a down too early'

step 'for two seconds: NetworkManager says nothing, nothing is lost'
pull eth0
wait_until 5 carrier_is 0
holds_for 2 carrier_is 0
push_back eth0
wait_until 5 carrier_is 1
assert_rto_below 20
[ "$(count_events eth0 down)" -eq 0 ] || fail 'NetworkManager gave the device up'
assert_route 4 "$A4" "$TUNED"

step 'until NetworkManager gives the device up, and back'
nm connection modify eth0 connection.autoconnect yes
pull eth0
wait_until 15 event_came eth0 down 1
assert_no_route 4 default
after_event eth0 up push_back eth0
assert_route 4 "$A4" "$TUNED"
assert_rto_below 20

step 'the link is set down and up by hand: no event; the next one tunes it again'
expect 0 ip link set eth0 down
expect 0 ip link set eth0 up
wait_until 15 count_is 4 "$A4" 1
expect 0 hook '' connectivity-change
wait_until 5 has_route 4 "$A4" "$TUNED"
assert_count 4 default 1
