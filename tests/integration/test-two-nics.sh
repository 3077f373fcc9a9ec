#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two NICs with ipv4.route-metric 100 on both profiles (field case 4), by NetworkManager.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
B4='default via 198.51.100.1 dev eth1'

pick()
{
    policy <<END
[route-picked]
match-device=interface-name:$1
rto_min=8ms
quickack=yes
END
}

order()
{
    routes 4 default | cut -d ' ' -f 3
}

pick eth1
start_world
static_profile eth0 ipv4.route-metric 100
static_profile eth1 ipv4.route-metric 100
up eth0
up eth1
warm eth0 eth1
step 'the policy picks the one that came second'
assert_plain 4 "$A4"
assert_route 4 "$B4" "$TUNED"
before=$(order)

step 'then the other'
pick eth0
i1 -- "$TT_CMD" apply
assert_route 4 "$A4" "$TUNED"
assert_plain 4 "$B4"
assert_same "$before" "$(order)" 'the order changed'

step 'both, and both again after either comes up once more'
pick 'eth*'
i1 -- env -i "$TT_HOOK" '' connectivity-change
for device in eth0 eth1 eth0; do
    up $device
    assert_route 4 "$A4" "$TUNED"
    assert_route 4 "$B4" "$TUNED"
    assert_count 4 default 2
done
assert_rto_below 20 203.0.113.1 eth0
assert_rto_below 20 203.0.113.1 eth1

step 'by connection: the name comes with the event'
expect 0 tt revert
policy <<'END'
[route-named]
match-connection=id:eth1
rto_min=8ms
quickack=yes
END
up eth0
up eth1
assert_plain 4 "$A4"
assert_route 4 "$B4" "$TUNED"
uuid=$(nmcli -g connection.uuid connection show eth0)
printf '[route-named]\nmatch-connection=uuid:%s\nrto_min=8ms\nquickack=yes\n' "$uuid" | policy
expect 0 tt apply
assert_route 4 "$A4" "$TUNED"
assert_plain 4 "$B4"
warm eth0 eth1
i1 -- "$TT_CMD" revert
assert_plain 4 "$A4"
