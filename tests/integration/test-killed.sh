#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I7: killed at any system call, the host keeps its routes and their order, and the next run
# converges (field case 22).
. "$(dirname "$0")/lib.sh"

# Every moment, or (where a run is slow) every so many.
STRIDE=${TT_SLOW:+7}
STRIDE=${STRIDE:-1}

start_two_defaults
ip route append default via 192.0.2.254 dev eth0 metric 100 proto static
reach eth0 192.0.2.254
before=$(all_routes)
policy <<'END'
[route-second]
match-device=interface-name:eth1
rto_min=8ms
[route-six]
family=ipv6
rto_min=8ms
END

gateways()
{
    routes 4 default | cut -d ' ' -f 3
}

# What must be true after each kill: the first default is the first, nothing is missing.
assert_connected()
{
    local now

    now=$(gateways)
    [ "$(head -n 1 <<<"$now")" = 192.0.2.1 ] || fail "$1: the first default is another one: $now"
    assert_same "$(sort -u <<<"$now")" $'192.0.2.1\n192.0.2.254\n198.51.100.1' "$1: routes missing"
    [ -n "$(routes 6 default)" ] || fail "$1: the IPv6 default is missing"
}

# killed_at SYSCALL N COMMAND...: false if the command ran to its end.
killed_at()
{
    local syscall=$1 n=$2 status=0

    shift 2
    ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null -e trace="$syscall" \
        -e "inject=$syscall:signal=SIGKILL:when=$n" "$@" || status=$?
    [ "$status" -ne 0 ]
}

converge()
{
    expect 0 tt apply
    assert_route 4 "$B4" 'rto_min lock 8ms'
    assert_route 6 "$A6" 'rto_min lock 8ms'
    assert_same "$(gateways)" $'192.0.2.1\n198.51.100.1\n192.0.2.254' "$1: order after the next run"
    expect 0 tt check
}

undo()
{
    expect 0 tt revert
    assert_same "$before" "$(all_routes)" "$1: not as before after revert"
}

total=0
for syscall in sendto recvmsg openat write fsync rename close; do
    n=1
    while killed_at "$syscall" $n \
        env -i ASAN_OPTIONS=detect_leaks=0 "$TT_HOOK" eth1 up >/dev/null 2>&1; do
        assert_connected "apply, $syscall $n"
        converge "apply, $syscall $n"
        undo "apply, $syscall $n"
        n=$((n + STRIDE))
    done
    undo "apply, $syscall"
    total=$((total + n / STRIDE))
done
step "$total moments of tuning"
[ $total -gt 12 ] || fail 'too few moments: is it traced?'

total=0
for syscall in sendto recvmsg openat write fsync rename; do
    n=1
    converge "$syscall"
    while killed_at "$syscall" $n "$TT_CMD" revert >/dev/null 2>&1; do
        assert_connected "revert, $syscall $n"
        undo "revert, $syscall $n"
        converge "revert, $syscall $n"
        n=$((n + STRIDE))
    done
    assert_same "$before" "$(all_routes)" "revert, $syscall: not as before"
    total=$((total + n / STRIDE))
done
step "$total moments of undoing"
[ $total -gt 12 ] || fail 'too few moments: is it traced?'

step 'a damaged journal: said, and mended or left by hand; never a crash'
expect 0 tt apply
printf 'garbage\0\377\n' >/run/tcptune-nm/journal
tt apply >"$OUT" 2>"$ERR" || [ $? -eq 1 ] || fail 'apply with a damaged journal'
hook eth0 up >"$OUT" 2>"$ERR" || [ $? -eq 1 ] || fail 'the hook with a damaged journal'
assert_connected 'a damaged journal'
