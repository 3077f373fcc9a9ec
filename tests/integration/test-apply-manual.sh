#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The native path from end to end: a manual profile with a gateway, `apply`, and everything that
# NetworkManager does afterwards; then `revert`. With router advertisements or without IPv6. On a
# NetworkManager before 1.40 the same command tunes through the kernel, and nothing is written.
#
#   test-apply-manual.sh [ra]
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
WITH_RA=${1:-}
export FAMILIES=4

usual_policy
start_world
static_profile eth0
if [ -n "$WITH_RA" ]; then
    FAMILIES='4 6'
    nm connection modify eth0 ipv6.method auto
    start_ra r0
fi
up eth0
wait_until 5 has_route 4 "$A4" "$TUNED"
[ -z "$WITH_RA" ] || wait_until 15 eval 'ip -6 route show default | grep -q "proto ra"'
expect 0 tt revert
assert_plain 4 "$A4"
warm eth0
text=$(profile_text eth0)
file=$(keyfile_text eth0)
daemon=$NM_PID

one_default()
{
    assert_route 4 "$A4" "$TUNED"
    assert_count 4 default 1
    assert_rto_below 20
}

step 'apply'
start_monitor
without_loss "$TT_CMD" apply
one_default
expect 0 tt check
kill -0 "$daemon" || fail 'the daemon is another one'
if ! is_native; then
    assert_same "$file" "$(keyfile_text eth0)" 'the profile was written'
    expect 0 tt revert
    assert_plain 4 "$A4"
    assert_rto_above 150
    exit 0
fi
assert_line eth0 'route1=0.0.0.0/0,192.0.2.1'
assert_line eth0 'tcptune-nm.ipv4-gateway=192.0.2.1'
[ -z "$(nmcli -g ipv4.gateway connection show eth0)" ] || fail 'the gateway is still there'

step 'again: nothing to do'
stamp=$(stat -c '%i %y' "$(keyfile_of eth0)")
expect 0 tt apply
assert_out '^unchanged$'
assert_same "$stamp" "$(stat -c '%i %y' "$(keyfile_of eth0)")" 'the profile was written again'

step 'nmcli device reapply'
for _ in 1 2 3; do
    after_event eth0 reapply nm device reapply eth0
    settles_within 100 "$A4"
    one_default
done

step 'nmcli connection up'
nm connection up eth0
settles_within 100 "$A4"
one_default

step 'a restart of the daemon'
restart_nm
settles_within 100 "$A4"
one_default

# Every advertisement is the same commit of both families: some of them are as good as many.
if [ -n "$WITH_RA" ]; then
    step 'router advertisements'
    n=$(advertisements r0)
    sample "${TT_RA_SECONDS:-12}" 4 default "$A4"
    [ "$UNSETTLED" -le 1 ] || fail 'the route is not held'
    [ "$(advertisements r0)" -ge $((n + 2)) ] || fail 'there were no advertisements'
    one_default
fi

step 'without the monitor'
stop_monitor
one_default
expect 0 tt check

step 'revert'
warm eth0
wait_until 15 dispatcher_is_idle
without_loss "$TT_CMD" revert
assert_plain 4 "$A4"
assert_rto_above 150
assert_same "$text" "$(profile_text eth0)" 'the profile is not as before'
assert_same "$file" "$(keyfile_text eth0)" 'the file is not as before'
wait_until 15 dispatcher_is_idle # also with the event of its own reapply
assert_plain 4 "$A4"
expect 0 tt revert
assert_out '^unchanged$'
up eth0 # the hook tunes again: that is the policy
assert_route 4 "$A4" "$TUNED"
