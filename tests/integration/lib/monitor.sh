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

now_us()
{
    echo "${EPOCHREALTIME/[.,]/}"
}

now_ms()
{
    echo $(($(now_us) / 1000))
}

start_stalls()
{
    "$TT_STALLS" "$WORLD/stalls" &
    wait_until 5 test -s "$WORLD/stalls"
}

# stalled_us: what a measurement excuses, from the first call on: the time for which the machine
# stood still, and for which the monitor and NetworkManager waited for a processor.
stalled_us()
{
    local total beat over pid delay

    read -r total beat <"$WORLD/stalls"
    total=$((10#$total))
    over=$(($(now_us) - 10#$beat - 2000))
    [ "$over" -lt 0 ] || total=$((total + over))
    for pid in "$MONITOR_PID" "${NM_PID:-0}"; do
        read -r _ delay _ <"/proc/$pid/schedstat" && total=$((total + delay / 1000))
    done 2>/dev/null
    echo "$total"
}

# So many milliseconds have passed since $SEEN, without $SEEN_STALLED.
passed_ms()
{
    echo $((($1 - SEEN - ($(stalled_us) - SEEN_STALLED)) / 1000))
}

# What is looked at began to be true, or false, by now at the latest.
note_seen()
{
    SEEN=$(now_us)
    SEEN_STALLED=$(stalled_us)
}

# within MS FAMILY PREFIX CAUSE RESULT: from the moment on at which the first command is true, in so
# many milliseconds so is the second. Both find the routes with that prefix in $ROUTES. A look that
# began later than that and finds it false is what fails: how long a look takes is not the question.
# What it took, with that, goes to SETTLED_MS.
within()
{
    local limit=$1 cause=$4 result=$5 begun passed=0 end=$((SECONDS + 30))

    SEEN=''
    while [ "$SECONDS" -lt "$end" ]; do
        begun=$(now_us)
        ROUTES=$(ip "-$2" -o route show "$3")
        if [ -z "$SEEN" ]; then
            eval "$cause" || continue
            note_seen
        fi
        if eval "$result"; then
            [ "$passed" -le "$limit" ] || fail "settled only after $passed ms: $result"
            SETTLED_MS=$((($(now_us) - SEEN) / 1000))
            step "settled after $SETTLED_MS ms"
            return
        fi
        passed=$(passed_ms "$begun")
        [ "$passed" -le $((limit + 2000)) ] || fail "not settled in $passed ms: $result"
    done
    fail "never came: $cause"
}

# soon COMMAND [ARGUMENT]...: succeeds now, or within 100 ms: so long what NetworkManager has just
# done may be on its way.
soon()
{
    local begun passed=0

    SEEN=''
    while begun=$(now_us) && ! "$@" >"$OUT" 2>"$ERR"; do
        [ -n "$SEEN" ] || note_seen
        passed=$(passed_ms "$begun")
        [ "$passed" -le 100 ] || { cat "$OUT" "$ERR" >&2; fail "not in $passed ms: $*"; }
    done
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

# keeps SECONDS COMMAND [ARGUMENT]...: it succeeds for so long, or again within 100 ms.
keeps()
{
    local end=$(($(now_ms) + $1 * 1000))

    shift
    while [ "$(now_ms)" -lt "$end" ]; do
        soon "$@"
        sleep 0.01
    done
}

# sample SECONDS FAMILY PREFIX BEGINNING: looks every 100 ms whether the route is there once and
# tuned. What it saw goes to SAMPLES and UNSETTLED; what it saw just after a stall does not count.
sample()
{
    local end=$(($(now_ms) + $1 * 1000)) stalled excused=0

    SAMPLES=0
    UNSETTLED=0
    while [ "$(now_ms)" -lt "$end" ]; do
        stalled=$(stalled_us)
        sleep 0.1
        ROUTES=$(ip "-$2" -o route show "$3")
        SAMPLES=$((SAMPLES + 1))
        ! settled "$4" || continue
        if [ $(($(stalled_us) - stalled)) -ge 20000 ]; then
            excused=$((excused + 1))
        else
            UNSETTLED=$((UNSETTLED + 1))
        fi
    done
    step "$UNSETTLED of $SAMPLES samples untuned or doubled, $excused more just after a stall"
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
