#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# IPv4 routes of every shape: tuned without a change of anything else, and back (field cases 14, 30).
. "$(dirname "$0")/lib.sh"

start_two_defaults
policy_for_all
ip rule add to 10.0.9.0/24 table 900

# "flush" cannot take routes on nexthop objects.
remove_all()
{
    ip route flush table "${TABLE:-main}" root 10.0.0.0/8 2>/dev/null \
        || while ip route del 10.0.1.0/24 2>/dev/null; do :; done
}

# shape WHAT BEGINNING COMMANDS: routes made by ip(8); the one that begins so must be tuned.
shape()
{
    local what=$1 beginning=$2 before

    step "$what"
    printf '%s\n' "$3" | ip -batch -
    warm eth0 eth1
    before=$(all_routes)
    i1 --to 203.0.113.1 --to 10.0.1.1 -- "$TT_CMD" apply
    assert_route 4 "$beginning" "$TUNED"
    expect 0 tt check
    i1 --to 203.0.113.1 --to 10.0.1.1 -- "$TT_CMD" apply
    i1 --to 203.0.113.1 --to 10.0.1.1 -- "$TT_CMD" revert
    assert_same "$before" "$(all_routes)" "$what: not as before"
    remove_all
}

shape 'several hops, with weights' '10.0.1.0/24' \
    'route add 10.0.1.0/24 proto static nexthop via 192.0.2.1 dev eth0 weight 3 nexthop via 198.51.100.1 dev eth1 weight 5 nexthop via 192.0.2.254 dev eth0 weight 2'
shape 'a hop that is onlink' '10.0.1.0/24' \
    'route add 10.0.1.0/24 nexthop via 192.0.2.1 dev eth0 nexthop via 172.16.9.9 dev eth1 onlink'
shape 'onlink' '10.0.1.0/24 via 172.16.9.9 dev eth1' 'route add 10.0.1.0/24 via 172.16.9.9 dev eth1 onlink'
shape 'a hop via IPv6' '10.0.1.0/24' \
    'route add 10.0.1.0/24 nexthop via inet6 2001:db8:1::1 dev eth0 nexthop via 198.51.100.1 dev eth1'
shape 'via IPv6' '10.0.1.0/24 via inet6 2001:db8:1::1' 'route add 10.0.1.0/24 via inet6 2001:db8:1::1 dev eth0'
shape 'encapsulated (ip)' '10.0.1.0/24 encap ip' \
    'route add 10.0.1.0/24 encap ip id 5 dst 192.0.2.9 ttl 9 dev eth0'
shape 'a realm' '10.0.1.0/24' 'route add 10.0.1.0/24 via 192.0.2.1 realm 5/6'
shape 'a preferred source' '10.0.1.0/24' 'route add 10.0.1.0/24 via 192.0.2.1 src 198.51.100.10'
shape 'device routes' '10.0.1.0/24 dev eth0' 'route add 10.0.1.0/24 dev eth0 scope link'
shape 'tos' '10.0.1.0/24 tos 0x10' \
    $'route add 10.0.1.0/24 tos 0x10 via 192.0.2.1\nroute add 10.0.1.0/24 tos 0x08 via 192.0.2.254'
shape 'the same prefix with other metrics' '10.0.1.0/24 via 192.0.2.254' \
    $'route add 10.0.1.0/24 via 192.0.2.1 metric 10\nroute add 10.0.1.0/24 via 192.0.2.254 metric 20'
shape 'types that carry no packets' '10.0.1.0/24' \
    $'route add 10.0.1.0/24 via 192.0.2.1\nroute add blackhole 10.0.2.0/24\nroute add unreachable 10.0.3.0/24\nroute add prohibit 10.0.4.0/24'
[ -z "$(routes 4 'blackhole 10.0.2.0/24' | grep rto_min)" ] || fail 'a blackhole was tuned'
TABLE=900 shape 'another table' '10.0.9.0/24 via 192.0.2.1' 'route add 10.0.9.0/24 via 192.0.2.1 dev eth0 table 900'

step 'nexthop objects'
ip nexthop add id 1 via 192.0.2.1 dev eth0
ip nexthop add id 2 via 198.51.100.1 dev eth1
ip nexthop add id 3 via 192.0.2.254 dev eth0
ip nexthop add id 12 group 1/2,3
shape 'one' '10.0.1.0/24 nhid 1' 'route add 10.0.1.0/24 nhid 1'
shape 'a group' '10.0.1.0/24 nhid 12' 'route add 10.0.1.0/24 nhid 12'
shape 'the second of a key' '10.0.1.0/24 nhid 2' \
    $'route add 10.0.1.0/24 nhid 1\nroute append 10.0.1.0/24 nhid 2'

step 'a link that is down: tuned or left alone, and nothing fails'
ip route add 10.0.1.0/24 via 192.0.2.1 dev eth0
ip route add 10.0.2.0/24 nexthop via 192.0.2.1 dev eth0 nexthop via 198.51.100.1 dev eth1
before=$(all_routes)
pull eth0
wait_until 5 grep -q '^0$' /sys/class/net/eth0/carrier
wait_until 5 has_route 4 '10.0.1.0/24' linkdown
i1 -- "$TT_CMD" apply
assert_route 4 '10.0.1.0/24 via 192.0.2.1 dev eth0' "$TUNED"
assert_route 4 '10.0.2.0/24' "$TUNED"
i1 -- "$TT_CMD" revert
push_back eth0
wait_until 5 grep -q '^1$' /sys/class/net/eth0/carrier
wait_until 5 test -z "$(ip route show | grep linkdown)"
assert_same "$before" "$(all_routes)" 'not as before'
