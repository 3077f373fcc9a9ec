#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The world itself: NetworkManager, its dispatcher, DHCP, advertisements, the peer.
. "$(dirname "$0")/lib.sh"

NO_HOOK=1 start_world
step 'a static profile'
static_profile eth0
up eth0
assert_plain 4 'default via 192.0.2.1 dev eth0'
assert_rto_above 150

step 'DHCP, and its renewals'
start_dhcp eth1
dhcp_profile eth1
up eth1
assert_plain 4 'default via 198.51.100.1 dev eth1'
await_renewal eth1
step 'the gateway moves'
move_gateway eth1 198.51.100.254
wait_until 15 is_plain 4 'default via 198.51.100.254 dev eth1'

step 'router advertisements'
nm connection modify eth0 ipv6.method auto
start_ra r0
up eth0
wait_until 15 is_plain 6 'default'
await_ra r0
