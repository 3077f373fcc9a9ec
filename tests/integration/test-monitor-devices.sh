#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The monitor holds a connected route and a default over `nmcli device reapply`, which adds plain ones
# behind them and then deletes the tuned ones: the plain ones must still be there. And it tunes what a
# VPN brings with its device. No hook is there. With the monitor killed just
# before: within a second of its restart.
#
#   test-monitor-devices.sh [killed]
. "$(dirname "$0")/lib.sh"

CONNECTED='192.0.2.0/24 dev eth0'
A4='default via 192.0.2.1 dev eth0'
export KILLED=${1:-}

vpn_comes()
{
    ip tuntap add tun0 mode tun
    ip address add 10.8.0.2/24 dev tun0
    ip link set tun0 up
    ip route add 10.9.0.0/16 via 10.8.0.1
    ip route add default dev tun0 metric 50
}

vpn_is_tuned()
{
    [[ $(grep '^default dev tun0' <<<"$ROUTES") == *"$TUNED"* ]] \
        && has_route 4 '10.9.0.0/16 via 10.8.0.1 dev tun0' "$TUNED"
}

policy <<'END'
[main]
native=no
[route-lan]
match-device=interface-name:eth0
destination=connected,default
family=ipv4
rto_min=8ms
quickack=yes
[route-vpn]
match-device=type:tun
destination=default,within:10.0.0.0/8
rto_min=8ms
quickack=yes
END
NO_HOOK=1 start_world
static_profile eth0
start_monitor
up eth0
soon has_route 4 "$CONNECTED" "$TUNED"
soon has_route 4 "$A4" "$TUNED"

step 'a connected route and a default, over reapply'
for _ in 1 2 3; do
    during nm device reapply eth0
    ends 4 192.0.2.0/24 "came '$CONNECTED'" "settled '$CONNECTED'"
    keeps 1 has_route 4 "$CONNECTED" "$TUNED"
    assert_route 4 "$A4" "$TUNED"
    soon tt check
done

step 'a VPN comes, goes, and comes back with another device of the same name'
for _ in 1 2; do
    during vpn_comes
    ends 4 default 'came "default dev tun0"' vpn_is_tuned
    soon tt check
    assert_route 4 "$A4" "$TUNED"
    ip link del tun0
    soon count_is 4 default 1
done
expect 0 tt status
refute_out tun0
stop_monitor
