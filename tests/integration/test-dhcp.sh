#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# DHCP: what is kept, what is left alone, and what NetworkManager is told by whom.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
NEW4='default via 192.0.2.254 dev eth0'

learned()
{
    printf '[main]\nlearned=%s\n[route]\nrto_min=8ms\nquickack=yes\n' "$1" | policy
}

# A NetworkManager that is silent about renewals, and no monitor.
silent()
{
    step 'learned=auto: a silent NetworkManager keeps its routes, and check says what is missing'
    up eth0
    assert_plain 4 "$A4"
    expect 11 tt check
    assert_out 'needs monitor'
    expect 0 tt apply
    assert_plain 4 "$A4"

    step 'learned=never: left alone, and as the policy says'
    learned never
    expect 0 tt apply
    assert_plain 4 "$A4"
    expect 0 tt check

    step 'learned=always: tuned'
    learned always
    up eth0
    assert_route 4 "$A4" "$TUNED"
    assert_rto_below 20
    expect 0 tt check

    step 'a renewal puts a plain twin behind it, without an event; any event takes it away'
    await_renewal eth0 2
    wait_until 10 count_is 4 "$A4" 2
    expect 11 tt check
    i1 -- env -i "$TT_HOOK" '' connectivity-change
    assert_route 4 "$A4" "$TUNED"
    expect 0 tt check

    step 'back to auto: what was tuned is undone'
    learned auto
    i1 -- "$TT_CMD" apply
    assert_plain 4 "$A4"
}

# Before 1.40: a tuned route stays NetworkManager's own.
old()
{
    step 'tuned at up, by learned=auto'
    up eth0
    assert_tuned_dhcp
    step 'renewals: announced, and nothing changes'
    before=$(routes 4 "$A4")
    await_announced_renewals
    assert_same "$before" "$(routes 4 "$A4")" 'the route changed'
    follows_the_gateway
}

# From 1.42.6 on renewals are announced, once it is known which NetworkManager this is: without
# dns-change (as here, where dns=none) from the first `apply` on, which asks it.
announcing()
{
    step 'learned=auto: not known to announce renewals'
    up eth0
    assert_plain 4 "$A4"
    expect 11 tt check
    assert_out 'needs monitor'

    step 'tuned, once its version is known'
    expect 0 tt apply
    assert_tuned_dhcp
    step 'renewals: announced, and the plain twin that each of them brings goes at once'
    await_announced_renewals
    wait_until 5 has_route 4 "$A4" "$TUNED"
    assert_count 4 default 1
    step 'tuned at up'
    up eth0
    assert_tuned_dhcp
    follows_the_gateway
}

assert_tuned_dhcp()
{
    assert_route 4 "$A4" "$TUNED"
    assert_route 4 "$A4" 'proto dhcp'
    assert_rto_below 20
    expect 0 tt check
}

await_announced_renewals()
{
    local changes

    changes=$(count_events eth0 dhcp4-change)
    await_renewal eth0 2
    wait_until 10 event_came eth0 dhcp4-change $((changes + 1))
}

follows_the_gateway()
{
    step 'the gateway moves: the new one is tuned, the old one is gone'
    move_gateway eth0 192.0.2.254
    wait_until 15 has_route 4 "$NEW4" "$TUNED"
    wait_until 5 no_route 4 "$A4"
    assert_count 4 default 1
    expect 0 tt check

    step 'and back, with a new lease'
    move_gateway eth0 192.0.2.1
    up eth0
    wait_until 15 has_route 4 "$A4" "$TUNED"
    wait_until 5 count_is 4 default 1
}

learned auto
start_world
start_dhcp eth0
dhcp_profile eth0
if nm_is_silent; then
    silent
elif nm_is_at_least 1.42.6; then
    announcing
else
    old
fi

step 'revert, disconnect: nothing is left behind'
expect 0 tt revert
assert_plain 4 default
after_event eth0 down nm device disconnect eth0
assert_no_route 4 default
