#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Twins of the same route (field case 5): one tuned route is left, with no moment without it.
. "$(dirname "$0")/lib.sh"

start_two_defaults
usual_policy

step 'a plain twin behind the tuned route'
expect 0 tt apply
ip route append default via 192.0.2.1 dev eth0 metric 100 proto static
assert_count 4 "$A4" 2
i1 -- env -i "$TT_HOOK" eth0 up
assert_count 4 "$A4" 1
assert_route 4 "$A4" "$TUNED"
assert_count 4 default 2

step 'a plain twin before it'
ip route prepend default via 192.0.2.1 dev eth0 metric 100 proto static
i1 -- "$TT_CMD" apply
assert_route 4 "$A4" "$TUNED"
assert_same "$(routes 4 default | cut -d ' ' -f 3)" $'192.0.2.1\n198.51.100.1' 'the order changed'

step 'a twin of the second of the key'
ip route append default via 198.51.100.1 dev eth1 metric 100 proto static
i1 -- env -i "$TT_HOOK" eth1 up
assert_route 4 "$B4" "$TUNED"
assert_route 4 "$A4" "$TUNED"

step 'a twin with metrics of its own is no plain twin: both stay, both are tuned'
ip route append default via 192.0.2.1 dev eth0 metric 100 proto static initcwnd 20
i1 -- "$TT_CMD" apply
assert_count 4 "$A4" 2
[ "$(routes 4 "$A4" | grep -c "$TUNED")" -eq 2 ] || fail 'not both are tuned'
ip route del default via 192.0.2.1 dev eth0 metric 100 proto static initcwnd 20 rto_min 8ms quickack 1

step 'revert after twins'
i1 -- "$TT_CMD" revert
assert_plain 4 "$A4"
assert_plain 4 "$B4"
