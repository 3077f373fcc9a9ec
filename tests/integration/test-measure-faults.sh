#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `measure` that is ended at any moment: at each of its system calls in turn.
#
#   test-measure-faults.sh interrupt   by SIGINT: nothing is left
#   test-measure-faults.sh kill        by SIGKILL: its guard takes away what is left
#   test-measure-faults.sh alone       by SIGKILL, and the guard cannot do anything either: the next
#                                      measurement does, or `revert`
. "$(dirname "$0")/lib.sh"

WHAT=$1
: "${TT_FAULT:=$TT_BUILD/tests/integration/fault}"
export ASAN_OPTIONS=detect_leaks=0
STRIDE=${TT_SLOW:+7}
FAULT=$WHAT
[ "$WHAT" != alone ] || { FAULT='kill' && export TT_FAULT_ALONE=1; }
MEASURE=(measure --rounds 1 --count 2 203.0.113.1:7)

start_two_defaults
usual_policy
before=$(all_routes)

assert_untouched()
{
    assert_same "$before" "$(all_routes)" "call $n ($call): $1: other routes than before"
}

# Alternately, what is to take away what is left.
clean_up()
{
    if [ $((n % 2)) -eq 0 ]; then
        expect 0 tt revert
    else
        expect 0 tt measure --rounds 1 --count 1 203.0.113.1:7
    fi
}

"$TT_FAULT" kill 0 "$WORLD/calls" "$TT_CMD" "${MEASURE[@]}" >"$OUT"
total=$(wc -l <"$WORLD/calls")
[ "$total" -gt 100 ] || fail "only $total calls"
step "$total calls"
left=0
n=0
while read -r n call _; do
    [ $((n % ${STRIDE:-1})) -eq 0 ] || continue
    { "$TT_FAULT" "$FAULT" "$n" "$WORLD/list" "$TT_CMD" "${MEASURE[@]}" || true; } >"$LOG/run" 2>&1
    # Until the guard has ended, a measurement counts as running.
    if [ "$WHAT" != interrupt ] && [ -e /run/tcptune-nm/measure ]; then
        wait_until 5 flock --nonblock /run/tcptune-nm/measure true
    fi
    if [ "$WHAT" = alone ]; then
        [ "$before" = "$(all_routes)" ] || left=$((left + 1))
        clean_up
    fi
    assert_untouched 'at the end'
done <"$WORLD/calls"
step "$left times something was left"
[ "$WHAT" != alone ] || [ "$left" -gt 0 ] || fail 'nothing was ever left: not in the middle of it'
