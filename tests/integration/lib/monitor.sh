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

# within MS FAMILY PREFIX CAUSE RESULT: from the moment on at which the first command is true, in so
# many milliseconds so is the second. Both find the routes with that prefix in $ROUTES. What it took
# goes to SETTLED_MS.
within()
{
    local limit=$1 cause=$4 result=$5 seen='' end=$((SECONDS + 30))

    while [ "$SECONDS" -lt "$end" ]; do
        ROUTES=$(ip "-$2" -o route show "$3")
        [ -n "$seen" ] || ! eval "$cause" || seen=$(now_ms)
        [ -n "$seen" ] || continue
        SETTLED_MS=$(($(now_ms) - seen))
        if eval "$result"; then
            [ "$SETTLED_MS" -le "$limit" ] || fail "settled after $SETTLED_MS ms: $result"
            step "settled after $SETTLED_MS ms"
            return
        fi
        [ "$SETTLED_MS" -le $((limit + 2000)) ] || fail "not settled in $((limit + 2000)) ms: $result"
    done
    fail "never came: $cause"
}

came()
{
    [[ $ROUTES == *"$1 "* ]]
}

# settled BEGINNING: one route, this one, and tuned.
settled()
{
    [ "$(grep -c . <<<"$ROUTES")" -eq 1 ] && [[ $ROUTES == "$1 "*"$TUNED"* ]]
}

# settles_within MS BEGINNING [FAMILY]: from the moment on at which NetworkManager has such a
# default, in so many milliseconds it is the only one, and tuned.
settles_within()
{
    within "$1" "${3:-4}" default "came '$2'" "settled '$2'"
}

# sample SECONDS FAMILY PREFIX BEGINNING: looks every 100 ms whether the route is there once and
# tuned. What it saw goes to SAMPLES and UNSETTLED.
sample()
{
    local end=$((SECONDS + $1))

    SAMPLES=0
    UNSETTLED=0
    while [ "$SECONDS" -lt "$end" ]; do
        ROUTES=$(ip "-$2" -o route show "$3")
        settled "$4" || UNSETTLED=$((UNSETTLED + 1))
        SAMPLES=$((SAMPLES + 1))
        sleep 0.1
    done
    step "$UNSETTLED of $SAMPLES samples untuned or doubled"
}

# during COMMAND [ARGUMENT]...: something happens while the monitor runs, or ($KILLED) just after
# it was killed.
during()
{
    [ -z "${KILLED:-}" ] || kill_monitor
    "$@"
}

# ends FAMILY PREFIX CAUSE RESULT: 100 ms after NetworkManager's change, or a second
# after a new start, which comes when NetworkManager has done its part.
ends()
{
    if [ -z "${KILLED:-}" ]; then
        within 100 "$@"
    else
        wait_until 30 there "$@"
        start_monitor
        within 1000 "$@"
    fi
}

there()
{
    ROUTES=$(ip "-$1" -o route show "$2")
    eval "$3"
}

# ends_with BEGINNING [FAMILY]: such a default, the only one, and tuned.
ends_with()
{
    ends "${2:-4}" default "came '$1'" "settled '$1'"
}
