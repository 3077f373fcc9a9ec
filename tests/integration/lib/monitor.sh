# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# The monitor, and how soon it puts things right.

start_monitor()
{
    "$TT_MONITOR" 2>>"$LOG/monitor" &
    MONITOR_PID=$!
    wait_until 5 monitor_runs
}

# It writes its status when the first look is done.
monitor_runs()
{
    [ -e /run/tcptune-nm/monitor-status ] && ! flock --nonblock /run/tcptune-nm/monitor true
}

kill_monitor()
{
    kill -KILL "$MONITOR_PID"
    { wait "$MONITOR_PID" || true; } 2>/dev/null
    rm -f /run/tcptune-nm/monitor-status
}

stop_monitor()
{
    kill "$MONITOR_PID"
    wait "$MONITOR_PID" || fail "the monitor ended with status $?"
}

now_ms()
{
    local now=$EPOCHREALTIME

    echo $((${now/[.,]/} / 1000))
}

# settled BEGINNING: one IPv4 default, this one, and tuned.
settled()
{
    local lines=$1 beginning=$2

    [ "$(grep -c . <<<"$lines")" -eq 1 ] && [[ $lines == "$beginning "*"$TUNED"* ]]
}

# settles_within MS BEGINNING: from the moment on at which NetworkManager has such a default, in
# so many milliseconds it is the only one, and tuned. What it took goes to SETTLED_MS.
settles_within()
{
    local limit=$1 beginning=$2 seen='' lines end=$((SECONDS + 30))

    while [ "$SECONDS" -lt "$end" ]; do
        lines=$(ip -4 route show default)
        if [ -z "$seen" ] && [[ $lines == *"$beginning "* ]]; then
            seen=$(now_ms)
        fi
        if [ -n "$seen" ] && settled "$lines" "$beginning"; then
            SETTLED_MS=$(($(now_ms) - seen))
            [ "$SETTLED_MS" -le "$limit" ] || fail "settled after $SETTLED_MS ms: $beginning"
            step "settled after $SETTLED_MS ms"
            return
        fi
        [ -z "$seen" ] || [ $(($(now_ms) - seen)) -le $((limit + 2000)) ] \
            || fail "not settled in $((limit + 2000)) ms: $beginning"
    done
    fail "never came: $beginning"
}
