#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# IPv6 routes of every shape: tuned without a change of anything else, and back (field case 8).
. "$(dirname "$0")/lib.sh"

start_two_defaults
policy_for_all

# shape WHAT BEGINNING COMMANDS [ARGUMENTS OF DELETE]
shape()
{
    local what=$1 beginning=$2 before

    step "$what"
    printf '%s\n' "$3" | ip -6 -batch -
    warm eth0 eth1
    before=$(all_routes)
    i1 --to 203.0.113.1 --to 2001:db8:a::1 -- "$TT_CMD" apply
    assert_route 6 "$beginning" "$TUNED"
    expect 0 tt check
    i1 --to 203.0.113.1 --to 2001:db8:a::1 -- "$TT_CMD" apply
    i1 --to 203.0.113.1 --to 2001:db8:a::1 -- "$TT_CMD" revert
    assert_same "$before" "$(all_routes)" "$what: not as before"
    # "flush" cannot take routes on nexthop objects
    # shellcheck disable=SC2086
    ip -6 route del 2001:db8:a::/48 ${4:-}
    while ip -6 route del 2001:db8:a::/48 2>/dev/null; do :; done
}

shape 'two hops on two devices' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 proto static nexthop via 2001:db8:1::1 dev eth0 weight 2 nexthop via 2001:db8:2::1 dev eth1 weight 3'
shape 'two hops, added one by one' '2001:db8:a::/48' \
    $'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 metric 100\nroute append 2001:db8:a::/48 via 2001:db8:1::2 dev eth0 metric 100'
shape 'a device route and a gateway route of one metric' '2001:db8:a::/48 dev eth1' \
    $'route add 2001:db8:a::/48 dev eth1 metric 50\nroute append 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 metric 60'
shape 'onlink' '2001:db8:a::/48 via 2001:db8:9::9 dev eth1' \
    'route add 2001:db8:a::/48 via 2001:db8:9::9 dev eth1 onlink'
shape 'encapsulated (seg6)' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 encap seg6 mode encap segs 2001:db8:1::1 dev eth0'
shape 'a preference' '2001:db8:a::/48' 'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 pref high'
shape 'a preferred source' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 src 2001:db8:2::10'
shape 'by source' '2001:db8:a::/48 from 2001:db8:2::/64' \
    'route add 2001:db8:a::/48 from 2001:db8:2::/64 via 2001:db8:1::1 dev eth0' \
    'from 2001:db8:2::/64'
shape 'a life time' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 expires 100'
shape 'advertised, as NetworkManager writes it' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 proto dhcp metric 100 pref medium'
TABLE=900 shape 'another table' '2001:db8:a::/48' \
    'route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 table 900' 'table 900'

step 'nexthop objects'
ip nexthop add id 1 via 2001:db8:1::1 dev eth0
ip nexthop add id 2 via 2001:db8:2::1 dev eth1
ip nexthop add id 12 group 1/2
shape 'one' '2001:db8:a::/48 nhid 1' 'route add 2001:db8:a::/48 nhid 1'
shape 'a group' '2001:db8:a::/48 nhid 12' 'route add 2001:db8:a::/48 nhid 12'

step 'hops that differ in policy are left alone, and named'
ip -6 route add 2001:db8:a::/48 nexthop via 2001:db8:1::1 dev eth0 nexthop via 2001:db8:2::1 dev eth1
before=$(all_routes)
policy <<'END'
[route-one]
match-device=interface-name:eth1
destination=2001:db8:a::/48
rto_min=8ms
END
i1 -- "$TT_CMD" apply
assert_same "$before" "$(all_routes)" 'a partial match was touched'
expect 11 tt check
assert_out '2001:db8:a::/48.*left alone'

step 'hops with metrics of their own are left alone, and named'
ip -6 route del 2001:db8:a::/48
ip -6 route add 2001:db8:a::/48 via 2001:db8:1::1 dev eth0 metric 100
ip -6 route append 2001:db8:a::/48 via 2001:db8:2::1 dev eth1 metric 100 initcwnd 30
policy_for_all
before=$(ip -6 route show 2001:db8:a::/48; ip -6 route get fibmatch 2001:db8:a::1 oif eth1)
i1 -- "$TT_CMD" apply
assert_same "$before" "$(ip -6 route show 2001:db8:a::/48; ip -6 route get fibmatch 2001:db8:a::1 oif eth1)" 'touched'
expect 11 tt check
assert_out '2001:db8:a::/48.*left alone'
