#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody else changes a route in the instant before our edit of it reaches the kernel
# (facts-kernel 6, "Lost update"): what they did stands, and what they did not touch too.
. "$(dirname "$0")/lib.sh"

SECOND="ip route append default via 198.51.100.1 dev eth1 metric 100 proto static"

start()
{
    ip route flush exact 0/0
    ip -6 route flush exact ::/0
    ip route add default via 192.0.2.1 dev eth0 metric 100 proto static
    ip -6 route add default via 2001:db8:1::1 dev eth0 metric 100 proto static
    rm -f /run/tcptune-nm/journal
}

# race N COMMAND: the hook, with COMMAND run just before its Nth edit.
race()
{
    expect 0 env -i PATH="$PATH" ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$TT_RACE_SHIM" \
        TT_RACE_AT="$1" TT_RACE="$2" "$TT_HOOK" '' connectivity-change
}

gateways()
{
    local gateways

    gateways=$(routes "$1" default | grep -oE 'via [^ ]+' | sed 's/via //')
    # The hops of an IPv6 route are one set: the kernel tells the newest first.
    [ "$1" = 4 ] || gateways=$(sort <<<"$gateways")
    paste -sd ' ' <<<"$gateways"
}

# ended FAMILY GATEWAYS: these are left, in this order, each of them tuned.
ended()
{
    assert_same "$2" "$(gateways "$1")" "IPv$1 gateways"
    [ "$(routes "$1" default | grep -vc "$TUNED")" -eq 0 ] || fail 'not all are tuned'
    expect 0 tt check
    expect 0 hook '' connectivity-change
    assert_silent
}

start_world bare
static_host eth0 eth1
usual_policy

step 'the gateway moves'
start
race 1 'ip route del default via 192.0.2.1 && ip route append default via 192.0.2.254 dev eth0 metric 100 proto static'
ended 4 192.0.2.254

step 'the gateway moves, the new one comes first'
start
race 1 'ip route append default via 192.0.2.254 dev eth0 metric 100 proto static && ip route del default via 192.0.2.1'
ended 4 192.0.2.254

step 'the route goes, and another device has one of the same metric'
start
$SECOND
race 1 'ip route del default via 192.0.2.1'
ended 4 198.51.100.1

step 'another comes before it'
start
race 1 'ip route prepend default via 198.51.100.1 dev eth1 metric 100 proto static'
ended 4 '198.51.100.1 192.0.2.1'

step 'the route goes, and nothing is left: it does not come back'
start
race 1 'ip route del default via 192.0.2.1'
ended 4 ''

step 'the second of a key goes while it is moved'
start
$SECOND
race 2 'ip route del default via 198.51.100.1'
ended 4 192.0.2.1
start
$SECOND
race 3 'ip route del default via 198.51.100.1'
ended 4 192.0.2.1

step 'somebody else tunes it'
start
race 1 'ip route change default via 192.0.2.1 dev eth0 metric 100 proto static initcwnd 40'
ended 4 192.0.2.1
assert_route 4 "$A4" 'initcwnd 40'

step 'IPv6: the gateway moves'
start
race 2 'ip -6 route del default && ip -6 route append default via 2001:db8:1::9 dev eth0 metric 100 proto static'
ended 6 2001:db8:1::9

step 'IPv6: a second router comes'
start
race 2 'ip -6 route append default via 2001:db8:2::1 dev eth1 metric 100 proto static'
ended 6 '2001:db8:1::1 2001:db8:2::1'

step 'IPv6: one of two routers goes'
start
ip -6 route append default via 2001:db8:2::1 dev eth1 metric 100 proto static
race 2 'ip -6 route del default via 2001:db8:2::1'
ended 6 2001:db8:1::1

step 'IPv6: the route goes, a device route of the same metric stands beside it'
start
ip -6 route append default dev eth1 metric 100 proto static
race 2 'ip -6 route del default via 2001:db8:1::1'
assert_count 6 default 1
assert_count 6 'default dev eth1' 1

step 'IPv6: somebody else tunes it'
start
race 2 'ip -6 route change default via 2001:db8:1::1 dev eth0 metric 100 proto static initcwnd 40'
ended 6 2001:db8:1::1
assert_route 6 "$A6" 'initcwnd 40'

step 'IPv6: the route goes'
start
race 2 'ip -6 route del default'
ended 6 ''
