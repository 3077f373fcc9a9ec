#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Router advertisements (field case 2): not touched unless asked for; asked for, tuned and restored
# by the next event; what the kernel keeps itself is never touched and always named.
. "$(dirname "$0")/lib.sh"

asked_for()
{
    policy <<'END'
[main]
learned=always
[route-ra]
protocol=ra
family=ipv6
rto_min=8ms
quickack=yes
END
}

usual_policy
start_world
start_ra r0
static_profile eth0
nm connection modify eth0 ipv6.method auto
up eth0
wait_until 15 is_plain 6 default
default6=$(routes 6 default | grep -oE '^default via [^ ]+ dev eth0')

step 'not asked for'
expect 0 hook eth0 up
assert_plain 6 "$default6"
assert_route 4 'default via 192.0.2.1' "$TUNED"

step 'asked for'
asked_for
warm eth0
i1 -- env -i "$TT_HOOK" eth0 up
assert_route 6 "$default6" "$TUNED"
assert_route 6 "$default6" 'proto ra'
assert_rto_below 20 2001:db8:ffff::1

step 'the next advertisements'
await_ra r0 2
if nm_is_at_least 1.40; then
    wait_until 10 is_plain 6 "$default6"
    expect 11 tt check
    expect 0 hook '' connectivity-change
fi
assert_route 6 "$default6" "$TUNED"
assert_count 6 default 1

step 'revert'
expect 0 tt revert
assert_plain 6 "$default6"

step 'the kernel'\''s own, with a life time: never touched, named by check and status'
nm connection modify eth0 ipv6.method ignore
up eth0
wait_until 10 eval 'ip -6 route show default | grep -q "proto ra.*expires"'
before=$(ip -6 route show | sed 's/ expires [0-9]*sec//')
expect 0 hook eth0 up
expect 0 tt apply
assert_same "$before" "$(ip -6 route show | sed 's/ expires [0-9]*sec//')" 'a route of the kernel was touched'
expect 11 tt check
assert_out 'left alone'
await_ra r0 2
[ "$(ip -6 route show default | grep -c expires)" -eq 1 ] || fail 'advertisements do not work any more'
