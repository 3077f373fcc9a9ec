#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The command says what is: status of a multipath default and of addresses that are never tuned,
# a revert that could not, devices with names for a shell, a lock that nobody gives back.
. "$(dirname "$0")/lib.sh"

# A state of its own, whose lock somebody holds; it takes its time beside all else.
locked_out()
{
    mkdir -p /run/tcptune-nm
    mount -t tmpfs -o mode=0755 tmpfs /run/tcptune-nm
    exec 9>/run/tcptune-nm/lock
    flock 9
    local start=$SECONDS status=0
    "$TT_CMD" --wait 2 "$1" >"$WORLD/locked-$1" 2>&1 || status=$?
    printf 'exit status %s after %s s\n' "$status" $((SECONDS - start)) >>"$WORLD/locked-$1"
}

assert_printable()
{
    ! grep -q $'\033' "$OUT" "$ERR" || fail 'the name of a device commands the terminal'
}

start_two_defaults
usual_policy
export TT_CMD WORLD
unshare --mount bash -c "$(declare -f locked_out); locked_out apply" &
waiting=$!
unshare --mount bash -c "$(declare -f locked_out); locked_out revert" &
waiting="$waiting $!"

step 'status to an address: whichever hop of an IPv6 multipath default it takes'
ip -6 route append default via 2001:db8:2::1 dev eth1 metric 100 proto static
expect 0 tt apply
for host in 1 2 3 4 5 6 7 8 9 a b c d e f; do
    expect 0 tt status to "2001:db8:ffff::$host"
    assert_out '^default via 2001:db8:1::1,2001:db8:2::1 metric 100 .*rto_min lock 8ms.*\[route\].* ok *$'
    refute_out 'no section'
done
expect 0 tt status to 203.0.113.1
assert_out '\[route\].* ok *$'

step 'status to an address that is never tuned'
for address in 192.0.2.10 127.0.0.1 ::1 2001:db8:1::10; do
    expect 0 tt status to "$address"
    assert_out 'local address: never tuned'
    refute_out 'destination=connected'
done
expect 0 tt status to 192.0.2.255
assert_out 'broadcast address: never tuned'
refute_out 'destination=connected'
expect 0 tt status to fe80::1
refute_out 'destination=connected'
expect 0 tt status to 192.0.2.77
assert_out 'destination=connected'

step 'a revert that cannot undo a route says so'
ip -6 route append default via 2001:db8:1::254 dev eth0 metric 100 proto static initcwnd 30
expect 0 tt revert --dry-run
assert_out '^default .*: still tuned: '
expect 1 tt revert
assert_out '^default .*: still tuned: '
refute_out 'unchanged'
assert_err '^Error: 1 route is still tuned'
assert_plain 4 "$A4"
expect 1 tt revert
assert_out '^default .*: still tuned: '
ip -6 route del default via 2001:db8:1::254 dev eth0 metric 100
expect 0 tt revert
refute_out 'still tuned'
expect 0 tt revert
assert_out '^unchanged$'

step 'what a dry run prints can be run, whatever the names of devices'
policy <<'END_OF_POLICY'
[route-names]
destination=within:10.0.0.0/8,within:fd00::/8
rto_min=8ms
quickack=yes
END_OF_POLICY
number=0
# shellcheck disable=SC2016
for name in 'a;b' '$(id)' '`id`' "it's" 'nexthop' '*' '"' '#x' '-x' $'e\033[2Jx'; do
    number=$((number + 1))
    ip link add name "$name" type veth peer name "peer$number"
    ip link set dev "peer$number" up
    ip link set dev "$name" up
    ip route add "10.$number.0.0/16" dev "$name"
    ip route add "10.$number.1.0/24" nexthop dev "$name" nexthop via 192.0.2.1 dev eth0
    ip -6 route add "fd00:$number::/64" dev "$name"
done
expect 0 tt apply --dry-run
assert_out "dev 'a;b' "
assert_out "dev 'it'\\\\''s' "
assert_out 'dev nexthop proto'
assert_out "dev \\\$'e.033\[2Jx'"
assert_printable
sed -n 's/^    //p' "$OUT" >"$WORLD/commands"
assert_same "$(grep -c '^ip ' "$WORLD/commands")" $((number * 3)) 'not all of the commands'
expect 0 bash -e "$WORLD/commands"
expect 0 tt check
expect 0 tt status
assert_printable
expect 0 tt apply
assert_out '^unchanged$'
expect 0 tt revert
assert_printable

step 'a lock that is not given back'
# shellcheck disable=SC2086
wait $waiting
for verb in apply revert; do
    cp "$WORLD/locked-$verb" "$OUT"
    assert_out '^Error: another run of tcptune-nm has held the lock for 2 s; nothing was done\.$'
    assert_out '^exit status 3 after [0-9] s$'
    refute_out 'unchanged'
done
