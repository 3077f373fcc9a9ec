#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two NICs with defaults of one metric (field case 4, 15): whichever the policy picks, both stay,
# in their order, and only the picked one is tuned.
. "$(dirname "$0")/lib.sh"

# tune SPEC
tune()
{
    policy <<END
[route-picked]
match-device=$1
rto_min=8ms
quickack=yes
END
    i1 -- "$TT_CMD" apply
    check_order
    expect 0 tt check
}

check_order()
{
    assert_same "$(routes 4 default | cut -d ' ' -f 3)" $'192.0.2.1\n198.51.100.1' 'the order changed'
}

start_two_defaults
before=$(all_routes)

step 'the first, then the second, then both, then none'
tune interface-name:eth0
assert_route 4 "$A4" "$TUNED"
assert_plain 4 "$B4"
assert_route 6 "$A6" "$TUNED"
tune interface-name:eth1
assert_plain 4 "$A4"
assert_route 4 "$B4" "$TUNED"
assert_plain 6 "$A6"
tune 'interface-name:eth*'
assert_route 4 "$A4" "$TUNED"
assert_route 4 "$B4" "$TUNED"
assert_rto_below 20 203.0.113.1 eth0
assert_rto_below 20 203.0.113.1 eth1
assert_rto_below 20 2001:db8:ffff::1
tune interface-name:none
assert_same "$before" "$(all_routes)" 'a policy that asks for nothing undoes everything'

step 'the second alone, and back'
tune interface-name:eth1
i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'revert'

step 'the hook, for each device: what the other one has does not matter to it'
usual_policy
i1 -- env -i "$TT_HOOK" eth1 up
assert_plain 4 "$A4"
assert_route 4 "$B4" "$TUNED"
check_order
i1 -- env -i "$TT_HOOK" eth0 up
assert_route 4 "$A4" "$TUNED"
assert_route 4 "$B4" "$TUNED"
check_order

step 'three on two devices: the middle one'
i1 -- "$TT_CMD" revert
ip route append default via 192.0.2.254 dev eth0 metric 100 proto static
reach eth0 192.0.2.254
before=$(all_routes)
policy <<'END'
[route-middle]
gateway=198.51.100.1
rto_min=8ms
END
i1 -- "$TT_CMD" apply
assert_route 4 "$B4" 'rto_min lock 8ms'
assert_same "$(routes 4 default | cut -d ' ' -f 3)" $'192.0.2.1\n198.51.100.1\n192.0.2.254' 'the order changed'
i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'revert of the middle one'
