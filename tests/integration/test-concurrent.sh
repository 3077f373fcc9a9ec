#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Several at once: hooks, apply and revert are put in order by one lock; who does not get it leaves
# a mark, and its work is done by the holder.
. "$(dirname "$0")/lib.sh"

start_two_defaults
usual_policy
before=$(all_routes)
export TT_HOOK TT_CMD

step 'a crowd'
cat >"$WORLD/crowd" <<'END'
for round in 1 2 3 4 5; do
    for i in 1 2 3 4 5; do
        env -i "$TT_HOOK" eth0 up &
        env -i "$TT_HOOK" eth1 up &
        "$TT_CMD" apply &
        "$TT_CMD" revert &
    done
    wait
done
"$TT_CMD" apply
END
i1 -- sh -e "$WORLD/crowd"
assert_route 4 "$A4" "$TUNED"
assert_route 4 "$B4" "$TUNED"
expect 0 tt check
i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'not as before'

step 'somebody holds the lock and never lets go'
expect 0 tt apply
expect 0 tt revert
exec 9>/run/tcptune-nm/lock
flock 9
start=$(date +%s%N)
expect 0 hook eth0 up
took=$((($(date +%s%N) - start) / 1000000))
[ $took -lt 3000 ] || fail "the hook waited $took ms"
assert_plain 4 "$A4"
[ -e /run/tcptune-nm/dirty ] || fail 'no mark was left'
exec 9>&-
expect 0 hook eth1 up
expect 0 hook '' connectivity-change
assert_route 4 "$A4" "$TUNED"
[ ! -e /run/tcptune-nm/dirty ] || fail 'the mark stayed'
