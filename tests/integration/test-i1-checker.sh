#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The checker can fail: everything that invariant I1 forbids is done with ip(8) and must be found.
. "$(dirname "$0")/lib.sh"

start_world bare
static_host eth0 eth1

# A host with two defaults of one metric, and an IPv6 default over two hops.
reset()
{
    ip route flush table main scope global
    ip -6 route flush table main proto static
    ip -6 route flush table main proto boot
    ip -batch - <<'END'
route add default via 192.0.2.1 dev eth0 metric 100 proto static mtu lock 1400 initcwnd 20
route append default via 198.51.100.1 dev eth1 metric 100 proto static
route add 10.1.0.0/24 via 192.0.2.1 proto static
route append 10.2.0.0/24 via 192.0.2.1 dev eth0 proto static
route append 10.2.0.0/24 via 198.51.100.1 dev eth1 proto static
route append 10.2.0.0/24 via 192.0.2.254 dev eth0 proto static
END
    ip -6 -batch - <<'END'
route add default proto static nexthop via 2001:db8:1::1 dev eth0 nexthop via 2001:db8:2::1 dev eth1
route add 2001:db8:a::/48 via 2001:db8:1::1 proto static pref high
route add 2001:db8:b::/48 via 2001:db8:1::1 proto static expires 100
END
    warm eth0 eth1
}

# allowed WHAT COMMAND
allowed()
{
    step "allowed: $1"
    reset
    expect 0 "$TT_I1" --allow-metrics rto_min,quickack -- sh -ec "$2"
}

# forbidden WHAT COMPLAINT COMMAND
forbidden()
{
    step "forbidden: $1"
    reset
    expect 1 "$TT_I1" --allow-metrics rto_min,quickack -- sh -ec "$3"
    assert_err "$2"
}

A='default via 192.0.2.1 dev eth0 metric 100 proto static mtu lock 1400 initcwnd 20'
B='default via 198.51.100.1 dev eth1 metric 100 proto static'
V6='nexthop via 2001:db8:1::1 dev eth0 nexthop via 2001:db8:2::1 dev eth1'

allowed 'nothing' true
allowed 'the first of a key, in place' "ip route change $A rto_min 8ms"
allowed 'a route alone with its key' 'ip route change 10.1.0.0/24 via 192.0.2.1 proto static rto_min 8ms'
allowed 'the last of a key, appended and the plain one deleted' \
    "ip route append $B rto_min 8ms; ip route del $B"
allowed 'a whole IPv6 hop set' "ip -6 route change default proto static rto_min 8ms $V6"
allowed 'there and back a hundred times' \
    "for i in \$(seq 100); do ip route change $A rto_min 8ms; ip route change $A; done"

forbidden 'delete and add' 'the first of its key is|missing' \
    "ip route del $B; ip route append $B rto_min 8ms"
forbidden 'delete and add of the only one: no route' 'key is empty' \
    'ip route del 10.1.0.0/24; ip route add 10.1.0.0/24 via 192.0.2.1 proto static rto_min 8ms'
forbidden 'replace of the second of a key: hits the first' \
    'default via 198.51.100.1 dev eth1 .*instead of "default via 192.0.2.1 dev eth0' \
    "ip route change $B rto_min 8ms"
forbidden 'order: the first is appended and deleted' 'order: ' \
    "ip route append $A rto_min 8ms; ip route del $A"
forbidden 'order among those behind the first' 'order: "10.2.0.0/24 via 192.0.2.254' \
    'ip route append 10.2.0.0/24 via 198.51.100.1 dev eth1 proto static rto_min 8ms
     ip route del 10.2.0.0/24 via 198.51.100.1 dev eth1 proto static'
forbidden 'another protocol' 'gone: .*proto 4' \
    'ip route change 10.1.0.0/24 via 192.0.2.1 proto boot rto_min 8ms'
forbidden 'another preference' 'gone: .*pref' \
    'ip -6 route change 2001:db8:a::/48 via 2001:db8:1::1 proto static rto_min 8ms'
forbidden 'mtu wiped' 'mtu of .* changed: 1400 locked -> 0' \
    'ip route change default via 192.0.2.1 dev eth0 metric 100 proto static initcwnd 20 rto_min 8ms'
forbidden 'a lock bit lost' 'mtu of .* changed: 1400 locked -> 1400' \
    'ip route change default via 192.0.2.1 dev eth0 metric 100 proto static mtu 1400 initcwnd 20'
forbidden 'the second hop lost' 'gone: "default' \
    'ip -6 route change default via 2001:db8:1::1 dev eth0 proto static rto_min 8ms'
forbidden 'the second hop lost and put back' 'deleted|missing|instead of' \
    "ip -6 route change default via 2001:db8:1::1 dev eth0 proto static
     ip -6 route change default proto static $V6"
forbidden 'another device' 'gone: "10.1.0.0/24 via 192.0.2.1' \
    'ip route change 10.1.0.0/24 via 198.51.100.1 dev eth1 proto static'
forbidden 'a second route' 'not there before: "default' \
    'ip route add default via 192.0.2.1 dev eth0 rto_min 8ms'
forbidden 'a life time lost' 'life time of "2001:db8:b::/48' \
    'ip -6 route change 2001:db8:b::/48 via 2001:db8:1::1 proto static rto_min 8ms'
forbidden 'the command fails' 'exit status 7' 'exit 7'

step 'forbidden: a moment without a default, seen by the lookups'
reset
# It lasts until each of the eight ways to ask for the IPv4 address was tried in it.
expect 1 timeout 60 "$TT_I1" --allow-metrics rto_min -- sh -ec "ip route del $A; ip route del $B
    for i in 1 2 3 4 5 6 7 8; do read -r noticed; echo \$noticed; done
    ip route add $A; ip route append $B"
assert_err 'route get 203.0.113.1: was .* answered "Network is unreachable"'
assert_err 'connect to 203.0.113.1 from .*answered'

step 'an orphan may go where that was said, and nothing else'
reset
expect 0 "$TT_I1" --allow-gone 'default via 192.0.2.1 dev eth0' -- ip route del default dev eth0
reset
expect 1 "$TT_I1" --allow-gone 'default via 192.0.2.1 dev eth0' -- ip route del default dev eth1
assert_err 'gone: "default via 198.51.100.1'

step 'the exchange: nothing is lost over a change in place'
reset
DEVICES='--device eth0 --device eth1'
# shellcheck disable=SC2086
expect 0 "$TT_EXCHANGE" $DEVICES --to 203.0.113.1 --to 2001:db8:ffff::1 -- \
    sh -ec "for i in \$(seq 20); do ip route change $A rto_min 8ms; ip route change $A; done"

step 'and all of it over a hole, which lasts until something is late in it'
# shellcheck disable=SC2086
expect 1 timeout 60 "$TT_EXCHANGE" $DEVICES -- \
    sh -ec "ip route del $A; ip -n router link set r0 down; kill -USR1 \$PPID
    read -r noticed; echo \$noticed; ip -n router link set r0 up; ip route prepend $A"
assert_out '^203.0.113.1 over eth0 is late$'
assert_err 'over eth0: .*<- packets (lost|late) connection (late|stalled|broken)$'
refute_err 'over eth1: .*<-'

step 'the RTO of a socket: 204 ms without, 12 ms with 8 ms'
reset
assert_rto_above 150 203.0.113.1 eth0
ip route change $A rto_min 8ms
assert_rto_below 20 203.0.113.1 eth0
