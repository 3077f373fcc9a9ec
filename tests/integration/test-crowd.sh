#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Twenty hooks, five applies and a revert at once, while the monitor runs: again and again, all of it
# is tuned or nothing is, as the last of them says, and no packet is lost. And a revert in the middle
# of an apply over many routes, and the other way round.
. "$(dirname "$0")/lib.sh"

ROUNDS=${ROUNDS:-${TT_SLOW:+10}}
ROUNDS=${ROUNDS:-100}
MANY=${TT_SLOW:+2000}
MANY=${MANY:-10000}

journal_entries()
{
    grep -c '^route ' /run/tcptune-nm/journal 2>/dev/null || true
}

nobody_is_at_it()
{
    [ ! -e /run/tcptune-nm/dirty ] && flock --nonblock /run/tcptune-nm/lock true
}

all_is_tuned()
{
    [ ! -e /run/tcptune-nm/reverted ] && [ "$(all_routes)" = "$TUNED_ROUTES" ] \
        && [ "$(journal_entries)" -eq "$N_TUNED" ] && nobody_is_at_it
}

nothing_is_tuned()
{
    [ -e /run/tcptune-nm/reverted ] && [ "$(all_routes)" = "$PLAIN_ROUTES" ] \
        && [ ! -e /run/tcptune-nm/journal ] && nobody_is_at_it
}

all_or_nothing()
{
    all_is_tuned || nothing_is_tuned
}

assert_all_is_tuned()
{
    all_is_tuned || { assert_same "$TUNED_ROUTES" "$(all_routes)" "$1: routes" && fail "$1: state"; }
    expect 0 tt check
}

assert_nothing_is_tuned()
{
    nothing_is_tuned || { assert_same "$PLAIN_ROUTES" "$(all_routes)" "$1: routes" && fail "$1: state"; }
}

# start COMMAND [ARGUMENT]...: in the background; await_all: each of them has to end with status 0.
start()
{
    env -i ASAN_OPTIONS="${ASAN_OPTIONS:-}" "$@" >"$LOG/crowd-${#PIDS[@]}" 2>&1 &
    PIDS+=($!)
}

await_all()
{
    local i status

    for i in "${!PIDS[@]}"; do
        status=0
        wait "${PIDS[i]}" || status=$?
        [ "$status" -eq 0 ] || { cat "$LOG/crowd-$i" >&2; fail "$1: exit status $status"; }
    done
    PIDS=()
}

# who ROUND: the crowd, in another order each time. The revert comes anywhere, last, or last but for
# one hook, which concerns one device only.
who()
{
    local device action

    for device in eth0 eth1; do
        for action in up up up up pre-up pre-up pre-up dhcp4-change dhcp6-change; do
            echo "hook $device $action"
        done
    done
    printf '%s\n' 'hook any connectivity-change' apply apply apply apply apply
    case $(($1 % 3)) in
    0) printf '%s\n' 'hook eth0 pre-up' revert ;;
    2) echo 'hook eth0 pre-up' ;;
    esac
}

crowd()
{
    who "$1" | shuf --random-source=<(yes "$1")
    [ $(($1 % 3)) -eq 0 ] || echo revert
    [ $(($1 % 3)) -ne 1 ] || echo 'hook eth0 pre-up'
}

start_crowd()
{
    local who device action

    while read -r who device action; do
        case $who in
        hook) start "$TT_HOOK" "${device/any/}" "$action" ;;
        *) start "$TT_CMD" "$who" ;;
        esac
    done < <(crowd "$1")
}

rounds()
{
    local round n_tuned=0 n_plain=0

    for ((round = 1; round <= ROUNDS; round++)); do
        start_crowd $round
        await_all "round $round"
        wait_until 10 all_or_nothing
        if all_is_tuned; then n_tuned=$((n_tuned + 1)); else n_plain=$((n_plain + 1)); fi
        if [ $((round % 2)) -eq 0 ]; then
            expect 0 tt apply
            assert_all_is_tuned "round $round, apply"
        else
            expect 0 tt revert
            assert_nothing_is_tuned "round $round, revert"
        fi
    done
    echo "$n_tuned rounds ended tuned, $n_plain undone" >"$WORLD/ended"
}

many_routes()
{
    awk -v n="$MANY" 'BEGIN { for (i = 0; i < n; i++)
        printf "route add 10.%d.%d.%d/32 via 198.51.100.1 dev eth1\n",
            128 + i / 65536, i / 256 % 256, i % 256 }' | ip -batch -
}

# How far the one that was started first has come.
has_the_lock()
{
    ! flock --nonblock /run/tcptune-nm/lock true
}

has_changed_some()
{
    local n

    n=$(ip -4 route show table main | grep -c 'rto_min lock 8ms')
    [ "$n" -ne "$N_BEFORE" ]
}

# at_the_moment MOMENT COMMAND COMMAND: the second is started when the first has come so far.
at_the_moment()
{
    local n

    N_BEFORE=$(ip -4 route show table main | grep -c 'rto_min lock 8ms' || true)
    start "$TT_CMD" "$2"
    for ((n = 0; n < 1000; n++)); do
        ! "$1" || break
    done
    start "$TT_CMD" "$3"
}

# On a busy machine it may have ended by itself.
kill_the_first()
{
    kill -KILL "${PIDS[0]}" 2>/dev/null || true
    { wait "${PIDS[0]}" || true; } 2>/dev/null
    unset 'PIDS[0]'
}

start_two_defaults
ip -6 route add default via 2001:db8:2::1 dev eth1 metric 200 proto static
ip route add 10.9.0.0/16 via 198.51.100.1 dev eth1
policy <<'END'
[route-many]
match-device=interface-name:eth1
destination=default,10.9.0.0/16,within:10.128.0.0/9
rto_min=8ms
quickack=yes
[route]
rto_min=8ms
quickack=yes
END
warm eth0 eth1
declare -a PIDS=()
PLAIN_ROUTES=$(all_routes)
expect 0 tt apply
TUNED_ROUTES=$(all_routes)
N_TUNED=$(journal_entries)
assert_same "$N_TUNED" 5 'not all are tuned'

step "a crowd, $ROUNDS times"
start_monitor
{
    declare -f
    declare -p PIDS PLAIN_ROUTES TUNED_ROUTES N_TUNED ROUNDS WORLD OUT ERR LOG TEST_NAME TT_CMD TT_HOOK
    printf 'set -Eeuo pipefail\nOUT=%s-rounds ERR=%s-rounds\n' "$OUT" "$ERR"
    # shellcheck disable=SC2016
    printf '%s\n' 'trap '\''[ $? -eq 0 ] || echo "$FAILURE" >&2'\'' EXIT' rounds
} >"$WORLD/rounds"
i1 -- "$TT_EXCHANGE" --to 203.0.113.1 --to 2001:db8:ffff::1 --device eth0 --device eth1 -- \
    bash "$WORLD/rounds"
step "$(cat "$WORLD/ended")"
grep '^exchange' "$ERR"

step 'after a revert, the hook of one device: the monitor does the rest, and it is no fight'
for n in 1 2 3 4 5 6 7 8; do
    expect 0 tt revert
    assert_nothing_is_tuned "revert $n"
    expect 0 hook eth0 pre-up
    wait_until 5 all_is_tuned
done
stop_monitor
assert_all_is_tuned 'the monitor has ended'
expect 0 tt revert
assert_nothing_is_tuned 'revert'

step "a revert in the middle of an apply over $MANY routes, and the other way round"
many_routes
PLAIN_ROUTES=$(all_routes)
expect 0 tt apply
TUNED_ROUTES=$(all_routes)
N_TUNED=$(journal_entries)
assert_same "$N_TUNED" $((5 + MANY)) 'not all are tuned'
ip -4 -rcvbuf 67108864 monitor route >"$WORLD/changes" 2>&1 &
changes=$!
for moment in has_the_lock has_changed_some; do
    at_the_moment $moment revert apply
    await_all "apply during revert ($moment)"
    assert_all_is_tuned "apply during revert ($moment)"
    expect 0 tt revert
    assert_nothing_is_tuned "revert ($moment)"
    at_the_moment $moment apply revert
    await_all "revert during apply ($moment)"
    assert_nothing_is_tuned "revert during apply ($moment)"
    expect 0 tt apply
done

step 'the same, and the one in the middle is killed'
at_the_moment has_changed_some revert apply
kill_the_first
await_all 'apply after a revert that was killed'
assert_all_is_tuned 'apply after a revert that was killed'
expect 0 tt revert
at_the_moment has_changed_some apply revert
kill_the_first
await_all 'revert after an apply that was killed'
assert_nothing_is_tuned 'revert after an apply that was killed'
kill $changes
[ "$(grep -c 'rto_min' "$WORLD/changes")" -gt "$MANY" ] || fail 'the changes were not seen'
# The second of two defaults is moved, and the others are changed in place.
if grep -m 1 '^Deleted 10\.' "$WORLD/changes"; then fail 'a route was deleted'; fi
