#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# NetworkManager 1.40 to 1.52 writes an rto_min of a profile without the lock bit, and the kernel
# ignores it (field case 1): said so, and mended in place, where it stays over a reapply.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'

usual_policy
NO_HOOK=1 start_world
profile eth0 eth0 ipv4.method manual ipv4.addresses 192.0.2.10/24 ipv6.method ignore \
    ipv4.routes '0.0.0.0/0 192.0.2.1 rto_min=8 quickack=true'

step 'visible, and not in force'
up eth0
if nm_is_at_least 1.54; then
    assert_route 4 "$A4" "$TUNED"
    exit 0
fi
assert_route 4 "$A4" 'rto_min 8ms'
assert_rto_above 150
expect 11 tt check
assert_out 'not effective \(unlocked\)'
expect 0 tt status
assert_out 'not effective \(unlocked\)'

step 'the lock bit, by apply and by the hook'
warm eth0
i1 -- "$TT_CMD" apply
assert_route 4 "$A4" "$TUNED"
assert_rto_below 20
expect 0 tt check
expect 0 tt revert
assert_route 4 "$A4" 'rto_min 8ms'
i1 -- env -i "$TT_HOOK" eth0 up
assert_route 4 "$A4" "$TUNED"

step 'it stays over a reapply'
nm device reapply eth0
holds_for 1 has_route 4 "$A4" "$TUNED"
