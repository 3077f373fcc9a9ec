#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I1, I4, I7 under faults: at each system call that a program makes in turn it is killed, or the
# call fails; the host keeps its routes and their order, who ends with status 0 has done the job,
# the next run converges, and revert gives back exactly what was before.
#
#   test-faults.sh hook|apply|revert|monitor
#
# What calls there are is found out by a run without a fault.
. "$(dirname "$0")/lib.sh"

VARIANT=$1
: "${TT_FAULT:=$TT_BUILD/tests/integration/fault}"
export TT_FAULT TT_IN_WORLD ASAN_OPTIONS=detect_leaks=0

# Where a run is slow, every so many faults; most of what the monitor does is to wait.
STRIDE=${TT_SLOW:+11}
STRIDE=${STRIDE:-1}
N_WORKERS=2
[ "$VARIANT" != monitor ] || N_WORKERS=8

# What is tuned is the second of three defaults: the third has to be put behind it again.
put_routes()
{
    ip -batch - <<'BATCH'
route add default via 192.0.2.1 dev eth0 metric 100 proto static
route append default via 198.51.100.1 dev eth1 metric 100 proto static
route append default via 192.0.2.254 dev eth0 metric 100 proto static
route add 10.9.0.0/16 via 198.51.100.1 dev eth1
BATCH
    ip -6 -batch - <<'BATCH'
route add default via 2001:db8:1::1 dev eth0 metric 100 proto static
route add default via 2001:db8:2::1 dev eth1 metric 200 proto static
BATCH
}

host()
{
    local number

    calm_kernel
    for number in 0 1; do
        ip link add "eth$number" type veth peer name "peer$number"
        ip link set "eth$number" addrgenmode none up
        ip link set "peer$number" addrgenmode none up
    done
    static_host eth0 eth1
    wait_until 5 is_settled
    put_routes
    echo 0 >/proc/sys/net/ipv4/tcp_tw_reuse
    policy <<'POLICY'
[route-one]
match-device=interface-name:eth1
destination=default,10.9.0.0/16
rto_min=8ms
quickack=yes
[host]
tcp_thin_linear_timeouts=yes
tcp_tw_reuse=loopback
POLICY
}

KNOBS=(/proc/sys/net/ipv4/tcp_thin_linear_timeouts /proc/sys/net/ipv4/tcp_tw_reuse)

knobs()
{
    cat "${KNOBS[@]}"
}

# The kernel adds the local routes of IPv6 addresses a moment after the addresses.
is_settled()
{
    ! ip route show | grep -q linkdown && ! ip link show | grep -q NO-CARRIER \
        && [ "$(ip -6 route show table local | grep -c '^local 2001:')" -eq 2 ]
}

# Without what is ours; ssthresh at its greatest, which does nothing, marks a route that is moved.
untuned()
{
    sed 's/ rto_min lock 8ms//; s/ quickack 1//; s/ ssthresh 2147483647//'
}

# Nothing is missing, nothing is new, the first default is the first.
assert_connected()
{
    local now

    now=$(all_routes | untuned)
    assert_same "$(sort -u <<<"$before")" "$(sort -u <<<"$now")" "$JOB: other routes than before"
    [[ $(grep -m 1 default <<<"$now") == *"via 192.0.2.1 "* ]] || fail "$JOB: another first default"
}

is_tuned()
{
    [ "$(all_routes | grep -c 'rto_min lock 8ms quickack 1')" -eq 3 ] \
        && [ "$before" = "$(all_routes | untuned)" ] && [ "$(knobs)" = $'1\n2' ]
}

assert_tuned()
{
    is_tuned || assert_same "$before" "$(all_routes | untuned)" "$JOB: $1: not as before but tuned"
    is_tuned || fail "$JOB: $1: not tuned; the settings of the host: $(knobs | paste -s)"
    expect 0 tt check
}

assert_untouched()
{
    assert_same "$before" "$(all_routes)" "$JOB: $1: not as before"
    [ ! -e /run/tcptune-nm/journal ] || fail "$JOB: $1: a journal is left"
    assert_same "$knobs_before" "$(knobs)" "$JOB: $1: the settings of the host are not as before"
    [ ! -e /run/tcptune-nm/host ] || fail "$JOB: $1: notes are left: $(cat /run/tcptune-nm/host)"
}

program()
{
    case $VARIANT in
    hook) PROGRAM=("$TT_HOOK" eth1 up) ;;
    monitor) PROGRAM=("$TT_MONITOR") ;;
    *) PROGRAM=("$TT_CMD" "$VARIANT") ;;
    esac
}

# with_fault WHAT N: its exit status goes to $STATUS.
with_fault()
{
    STATUS=0
    env -i CONNECTION_ID=one CONNECTION_UUID=5d3ae1f0-0000-4000-8000-000000000001 \
        ASAN_OPTIONS=detect_leaks=0 TT_FAULT_HURRY=1 timeout --kill-after=1 20 \
        "$TT_FAULT" "$1" "$2" "$WORLD/calls" "${PROGRAM[@]}" >"$LOG/program" 2>&1 || STATUS=$?
    [ "$STATUS" -ne 124 ] && [ "$STATUS" -ne 137 ] || [ "$1" = kill ] || fail "$JOB: it hangs"
}

# True but for one in ten, if nothing was done yet: what comes after that is another test's.
is_enough()
{
    [ $((COUNT % 10)) -ne 0 ] && [ "$before" = "$(all_routes)" ] && [ ! -e /run/tcptune-nm/journal ] \
        && [ "$knobs_before" = "$(knobs)" ] && [ ! -e /run/tcptune-nm/host ]
}

try_tuning()
{
    with_fault "$1" "$2"
    if [ "$STATUS" -ne 0 ] && is_enough; then
        return
    fi
    assert_connected
    [ "$STATUS" -ne 0 ] || assert_tuned 'after exit status 0'
    expect 0 tt apply
    assert_tuned 'after the next run'
    expect 0 tt revert
    assert_untouched 'after revert'
}

try_undoing()
{
    is_tuned || expect 0 tt apply
    with_fault "$1" "$2"
    if [ "$STATUS" -ne 0 ] && [ $((COUNT % 10)) -ne 0 ] && is_tuned; then
        return
    fi
    assert_connected
    [ "$STATUS" -ne 0 ] || assert_untouched 'after exit status 0'
    expect 0 tt revert
    assert_untouched 'after the next run'
}

#
# The monitor: while it starts, when routes change, while it ends.
#

start_with_fault()
{
    rm -f /run/tcptune-nm/monitor-status
    env "$3" "$TT_FAULT" "$1" "$2" "$WORLD/calls" "$TT_MONITOR" >"$LOG/program" 2>&1 &
    FAULT_PID=$!
}

ended()
{
    ! kill -0 "$FAULT_PID" 2>/dev/null
}

await_end()
{
    wait_until 10 ended
    { wait "$FAULT_PID" || true; } 2>/dev/null
}

has_begun()
{
    ended || monitor_runs
}

# It has put things right, or it is dead; then its successor does.
assert_follows()
{
    has_followed()
    {
        ended || is_tuned
    }
    wait_until 5 has_followed
    assert_connected
    if ended; then
        start_monitor
        wait_until 5 is_tuned
        stop_monitor
    else
        kill "$FAULT_PID"
        await_end
    fi
    assert_tuned 'by the monitor'
}

# A plain twin, and two that are plain again.
change_routes()
{
    ip route append default via 198.51.100.1 dev eth1 metric 100 proto static
    ip route change 10.9.0.0/16 via 198.51.100.1 dev eth1
    ip -6 route change default via 2001:db8:2::1 dev eth1 metric 200 proto static
}

try_monitor()
{
    case $PHASE in
    start)
        start_with_fault "$1" "$2" LC_ALL=C
        wait_until 5 has_begun
        ;;
    *)
        start_with_fault "$1" "$2" TT_FAULT_LATER=1
        wait_until 5 is_tuned
        wait_until 5 monitor_runs
        if [ "$PHASE" = change ]; then
            kill -USR1 "$FAULT_PID"
            change_routes
        else
            kill "$FAULT_PID"
            await_end
        fi
        ;;
    esac
    assert_follows
    expect 0 tt revert
    assert_untouched 'after revert'
}

#
# All faults, shared among workers, each of them in a host of its own.
#

# faults TRY: every fault at every call of a run without one; of those, this worker's.
faults()
{
    local nr call what n=0

    JOB="$VARIANT${PHASE:+, $PHASE}, no fault"
    "$1" kill 0
    cp "$WORLD/calls" "$LOG/calls${PHASE:+-$PHASE}"
    while read -r nr call what; do
        for what in $what; do
            n=$((n + 1))
            [ $((n % (N_WORKERS * STRIDE))) -eq "$WORKER" ] || continue
            JOB="$VARIANT${PHASE:+, $PHASE}, $call (call $nr), $what"
            "$1" "$what" "$nr"
            COUNT=$((COUNT + 1))
        done
    done <"$LOG/calls${PHASE:+-$PHASE}"
}

work()
{
    WORKER=$1
    PHASE='' COUNT=0
    host
    before=$(all_routes)
    knobs_before=$(knobs)
    program
    case $VARIANT in
    revert) faults try_undoing ;;
    monitor)
        for PHASE in start change stop; do
            faults try_monitor
        done
        ;;
    *) faults try_tuning ;;
    esac
    echo "$COUNT" >"$TT_FAULT_COUNT"
}

direct()
{
    local worker pids=() total

    for ((worker = 0; worker < N_WORKERS; worker++)); do
        TT_FAULT_COUNT=$LOG/count-$worker \
            unshare --net --mount bash "$0" "$VARIANT" worker-$worker &
        pids+=($!)
    done
    for worker in "${pids[@]}"; do
        wait "$worker" || fail 'see above'
    done
    total=$(cat "$LOG"/count-* | awk '{ n += $1 } END { print n }')
    step "$total faults"
    [ "$total" -gt $((200 / STRIDE)) ] || fail 'too few: does it see the calls?'
}

if [[ ${2:-} == worker-* ]]; then
    work "${2#worker-}"
else
    direct
fi
