#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A VPN is a tun device with an event of its own.
. "$(dirname "$0")/lib.sh"

start_two_defaults
policy <<'END'
[route-vpn]
match-device=type:tun
destination=default,within:10.0.0.0/8
rto_min=50ms
END

step 'vpn-up'
ip tuntap add tun0 mode tun
ip address add 10.8.0.2/24 dev tun0
ip link set tun0 up
ip route add default dev tun0 metric 50
ip route add 10.9.0.0/16 via 10.8.0.1
before=$(all_routes)
i1 -- env -i VPN_IP_IFACE=tun0 DEVICE_IFACE=eth0 DEVICE_IP_IFACE=eth0 CONNECTION_ID=vpn \
    CONNECTION_UUID=5d3ae1f0-0000-4000-8000-000000000001 "$TT_HOOK" tun0 vpn-up
assert_route 4 'default dev tun0' 'rto_min lock 50ms'
assert_route 4 '10.9.0.0/16 via 10.8.0.1 dev tun0' 'rto_min lock 50ms'
assert_plain 4 "$A4"
assert_plain 4 "$B4"
i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'not as before'

step 'vpn-down: its device is gone, nothing is left of it'
expect 0 hook tun0 vpn-up
ip link del tun0
expect 0 env -i VPN_IP_IFACE=tun0 "$TT_HOOK" tun0 vpn-down
expect 0 tt status
refute_out tun0
assert_plain 4 "$A4"
