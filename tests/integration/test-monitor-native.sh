#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Attributes in the profile itself: where NetworkManager leaves out the lock bit of rto_min (1.40 to
# 1.52), the monitor sets it within 100 ms, in place, and it stays: over a reapply, a new
# activation, a restart of the daemon.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
A6='default via 2001:db8:1::1 dev eth0'
export KILLED=

# Nothing is deleted or added that is not NetworkManager's own doing.
watch_routes()
{
    ip monitor route >"$WORLD/events-of-routes" &
    WATCH_PID=$!
    wait_until 5 ip_monitor_listens
}

ip_monitor_listens()
{
    local fd

    for fd in "/proc/$WATCH_PID/fd"/*; do
        case $(readlink "$fd") in socket:*) return ;; esac
    done
    return 1
}

# The watch ends; "Deleted default" was not seen.
assert_nothing_deleted()
{
    kill -KILL "$WATCH_PID"
    { wait "$WATCH_PID" || true; } 2>/dev/null
    ! grep '^Deleted default' "$WORLD/events-of-routes" || fail "routes were deleted: $1"
}

assert_tuned()
{
    assert_route 4 "$A4" "$TUNED"
    assert_route 6 "$A6" "$TUNED"
    warm eth0
    assert_rto_below 20
    assert_rto_below 20 2001:db8:ffff::1
}

usual_policy
NO_HOOK=1 start_world
profile eth0 eth0 ipv4.method manual ipv4.addresses 192.0.2.10/24 \
    ipv4.routes '0.0.0.0/0 192.0.2.1 rto_min=8 quickack=true' \
    ipv6.method manual ipv6.addresses 2001:db8:1::10/64 \
    ipv6.routes '::/0 2001:db8:1::1 rto_min=8 quickack=true' connection.autoconnect yes

step 'the lock bit, added in place'
after_event eth0 up nm connection up eth0
watch_routes
start_monitor
assert_tuned
assert_nothing_deleted 'for a lock bit'

step 'a reapply leaves it alone'
watch_routes
nm device reapply eth0
keeps 1 has_route 4 "$A4" "$TUNED"
keeps 1 has_route 6 "$A6" "$TUNED"
assert_nothing_deleted 'by a reapply'

step 'a new activation: within 100 ms'
nm connection down eth0
nm connection up eth0 &
settles_within 100 "$A4"
wait $!
warm eth0 # an address may still be tentative
soon has_route 6 "$A6" "$TUNED"
assert_tuned

step 'a restart of the daemon'
restart_nm
keeps 2 has_route 4 "$A4" "$TUNED"
keeps 1 has_route 6 "$A6" "$TUNED"

step 'a revert leaves what is in the profile'
expect 0 tt revert
if nm_is_at_least 1.54; then
    assert_tuned
else
    assert_route 4 "$A4" 'rto_min 8ms quickack 1'
    assert_route 6 "$A6" 'rto_min 8ms quickack 1'
fi
