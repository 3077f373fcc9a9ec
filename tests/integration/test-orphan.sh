#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A tuned DHCP default whose router is no longer in the lease, NetworkManager's new one behind it:
# the next event, whatever it is, takes the old one away in that run, and tunes the new one.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
NEW4='default via 192.0.2.254 dev eth0'

usual_policy
RENEW=6 start_world
export RENEW=6
start_dhcp eth0
dhcp_profile eth0
up eth0
assert_route 4 "$A4" "$TUNED"

step 'the gateway moves at the first renewal'
move_gateway eth0 192.0.2.254
await_renewal eth0
wait_until 10 eval '[ -n "$(routes 4 "$NEW4")" ]'
if nm_is_silent; then
    assert_route 4 "$A4" "$TUNED"
    assert_same "$(routes 4 default | head -n 1 | cut -d ' ' -f 3)" 192.0.2.1 'no orphan: nothing is tested'
    expect 11 tt check
    reach eth0 192.0.2.1
    reach eth0 192.0.2.254
    step 'an event that has nothing to do with it'
    i1 --allow-gone "$A4" -- env -i "$TT_HOOK" '' connectivity-change
fi
wait_until 10 has_route 4 "$NEW4" "$TUNED"
assert_no_route 4 "$A4"
assert_count 4 default 1
assert_rto_below 20
expect 0 tt check

step 'again, with a plain twin of the old one: both old ones go'
move_gateway eth0 192.0.2.1
wait_until 20 eval '[ -n "$(routes 4 "$A4")" ]'
if nm_is_silent; then
    expect 0 tt apply
fi
wait_until 10 has_route 4 "$A4" "$TUNED"
assert_count 4 default 1
