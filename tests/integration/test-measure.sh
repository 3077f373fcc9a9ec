#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `measure`: what it finds under losses, that it touches the peer's route and nothing else, and
# that nothing is left of it however it ends.
. "$(dirname "$0")/lib.sh"

PEER=203.0.113.1
PEER6=2001:db8:ffff::1

start_two_defaults
usual_policy
before=$(all_routes)

assert_untouched()
{
    assert_same "$before" "$(all_routes)" "$1: other routes than before"
}

has_measure_route()
{
    [ -n "$(ip -4 route show table all proto 84)$(ip -6 route show table all proto 84)" ]
}

# start ARGUMENT...: a measurement that goes on for long, in the background; its route is in.
start()
{
    "$TT_CMD" measure --rounds 1000 --count 20000 "$@" >"$LOG/running" 2>&1 &
    MEASURE_PID=$!
    wait_until 5 has_measure_route
}

# ended STATUS
ended()
{
    local status=0

    wait "$MEASURE_PID" || status=$?
    [ "$status" -eq "$1" ] || {
        cat "$LOG/running" >&2
        fail "the measurement ended with $status, not $1"
    }
}

# Both sides of the first round are through.
has_a_round()
{
    [ "$(grep -c '^Deleted.*proto 84' "$WORLD/monitor")" -ge 2 ]
}

guard_of()
{
    pgrep -P "$1" || true
}

# factor: what the last measurement came to.
factor()
{
    sed -n 's/^With the metrics it was \([0-9.]*\) times as fast.*/\1/p' "$OUT"
}

step 'the routes during a measurement: the peer and nobody else'
ip monitor route >"$WORLD/monitor" &
monitor_pid=$!
expect 0 tt measure --rounds 6 --count 20 $PEER:7
kill $monitor_pid
assert_out '^203\.0\.113\.1:7 by default via 192\.0\.2\.1 dev eth0 '
assert_out '^6 rounds, in each about 20 requests of 200 bytes plain, then as many tuned$'
assert_out '^metrics +none +rto_min lock 8ms quickack 1$'
assert_out '^(median|p99|p99\.9|worst) +[0-9.]+ ms +[0-9.]+ ms$'
assert_untouched 'a measurement'
if grep -vE '^(Deleted )?203\.0\.113\.1 via 192\.0\.2\.1 dev eth0 proto 84 metric 21588( rto_min lock 8ms quickack 1)?( pref medium)? *$' "$WORLD/monitor"; then
    fail 'it touches other routes'
fi
[ "$(grep -c '^203' "$WORLD/monitor")" -eq 12 ] || fail 'not twelve routes'
[ "$(grep -c '^203.*rto_min' "$WORLD/monitor")" -eq 6 ] || fail 'not six of them tuned'
[ "$(grep -c '^Deleted' "$WORLD/monitor")" -eq 12 ] || fail 'not twelve deleted'

step 'while it runs: check, apply, hook and monitor leave its route alone, as it does theirs'
policy <<'END'
[route-any]
destination=any
table=any
rto_min=8ms
quickack=yes
END
expect 0 tt apply
tuned=$(all_routes)
start_monitor
ip monitor route >"$WORLD/monitor" &
monitor_pid=$!
start $PEER:7 rto_min=30ms
expect 0 tt check
expect 0 tt apply
expect 0 hook eth0 up
expect 0 tt status to $PEER
expect 0 tt revert --dry-run
assert_out '^a measurement is running: its route goes when it ends$'
expect 1 tt measure $PEER:7
assert_err 'another measurement is running'
wait_until 30 has_a_round
kill $monitor_pid
kill -TERM "$MEASURE_PID"
ended 1
stop_monitor
assert_same "$tuned" "$(all_routes)" 'routes of the policy are not as before'
grep -q 'proto 84' "$LOG/monitor" && fail 'the monitor took an interest'
grep -q '^Error: interrupted' "$LOG/running" || fail 'it does not say why it ended'
grep -q '^With the metrics\|^No difference' "$LOG/running" || fail 'it does not tell what it has'

step 'plain is what the route has without tcptune-nm, though it is tuned now'
expect 0 tt measure --rounds 1 --count 5 $PEER:7
assert_out '^metrics +none +rto_min lock 8ms quickack 1$'
assert_out 'but that could be chance'
expect 0 tt revert
assert_untouched revert
usual_policy

step 'IPv6, a name, and metrics from the command line, in any order'
expect 0 tt measure --count 10 "[$PEER6]:7" rto_min=20ms --rounds 6 initcwnd=20 --svg "$WORLD/a.svg"
assert_out '^metrics +none +initcwnd 20 rto_min lock 20ms$'
grep -q '^</svg>$' "$WORLD/a.svg" || fail 'no drawing'
echo "$PEER peer.example" >>/etc/hosts
expect 0 tt measure --rounds 6 --count 10 peer.example:7
assert_untouched IPv6

step 'losses that are counted, and a peer whose own do not cost much'
lose 100
ip -n router route change 192.0.2.0/24 dev r0 proto kernel scope link src 192.0.2.1 rto_min 8ms
expect 0 tt measure --rounds 10 --count 200 $PEER:7
assert_out '^retransmitted +[1-9][0-9]* +[1-9]'
assert_out 'That is hardly chance \(paired permutation test over 10 rounds: p [<=] 0\.00'
ip -n router route change 192.0.2.0/24 dev r0 proto kernel scope link src 192.0.2.1
awk -v f="$(factor)" 'BEGIN { exit !(f > 3) }' || { cat "$OUT" >&2; fail 'the factor'; }

step 'bulk, to a sink, to an echo, and to measure --listen'
on_router "$TT_TRAFFIC" sink 9 >"$LOG/sink" 2>&1 &
on_router "$TT_CMD" measure --listen 10 >"$LOG/listen" 2>&1 &
wait_until 5 grep -q '^listening on 10$' "$LOG/listen"
wait_until 5 serves 9
on_router nc -lk 11 </dev/null >/dev/null 2>&1 &
wait_until 5 serves 11
for port in 9 7 10 11; do
    expect 0 tt measure --bulk --rounds 6 --size 100k $PEER:$port rto_min=8ms
    assert_out '^6 rounds, in each one transfer of 100 kB plain, then as many tuned$'
    assert_out '^median +[0-9.]+ [kMG]B/s +[0-9.]+ [kMG]B/s$'
done
lose_no_more
expect 0 tt measure --rounds 6 --count 10 $PEER:10
assert_untouched bulk

step 'no loss: no difference, or at most chance (but in one of a hundred measurements)'
finds_nothing()
{
    tt measure --rounds 12 --count 200 $PEER:7 rto_min=8ms >"$OUT"
    grep -qE '^No difference: |^but that could be chance ' "$OUT"
}
finds_nothing || finds_nothing || finds_nothing || { cat "$OUT" >&2; fail 'it finds a difference'; }

step 'what it refuses'
expect 2 tt measure
expect 2 tt measure $PEER
expect 2 tt measure $PEER:0
expect 2 tt measure $PEER6:7
expect 2 tt measure --rounds 0 $PEER:7
expect 2 tt measure --size 2G $PEER:7
expect 2 tt measure $PEER:7 now
expect 2 tt measure --nonsense $PEER:7
expect 2 tt measure --listen 10 rto_min=8ms
expect 1 tt measure $PEER:7 rto_min=500us
assert_err 'rto_min=500us'
expect 1 tt measure 192.0.2.10:7 rto_min=8ms
assert_err 'is an address of this host'
expect 10 tt measure nowhere.invalid:7
expect 10 tt measure 198.51.100.1:7
assert_err 'the policy wants nothing of the peer.s route'
expect 1 tt measure $PEER:99
assert_err 'Connection refused'
expect 1 setpriv --reuid 65534 --clear-groups "$TT_CMD" measure $PEER:7
assert_err 'must run as root'
printf '[nonsense]\n' | policy broken.conf
printf '[nonsense]\n' | policy
expect 1 tt measure $PEER:7
usual_policy
assert_untouched 'what is refused'

step 'a host route of the administrator: refused; one that comes meanwhile: it stops, and theirs stays'
ip route add $PEER via 198.51.100.1 dev eth1
expect 1 tt measure $PEER:7 rto_min=8ms
assert_err 'has a route of its own already \(203\.0\.113\.1 via 198\.51\.100\.1 dev eth1'
ip route del $PEER
start $PEER:7
ip route add $PEER via 198.51.100.1 dev eth1
ended 1
grep -q 'something else has changed how the peer is reached' "$LOG/running" || fail 'it does not say why'
assert_route 4 $PEER 'via 198.51.100.1'
ip route del $PEER
assert_untouched 'a route of the administrator'

step 'the gateway moves meanwhile: it stops'
start $PEER:7
ip route replace default via 192.0.2.254 dev eth0 metric 100 proto static
ended 1
has_measure_route && fail 'its route is left'
ip route replace default via 192.0.2.1 dev eth0 metric 100 proto static
assert_untouched 'the gateway'

step 'a rule sends the peer by another table: the route goes there'
ip route add default via 198.51.100.1 dev eth1 table 100
ip rule add to $PEER lookup 100
start $PEER:7 rto_min=8ms
ip route show table 100 | grep -q "^$PEER via 198.51.100.1 dev eth1 proto 84" || fail 'not in that table'
kill -INT "$MEASURE_PID"
ended 1
ip rule del to $PEER lookup 100
ip route flush table 100
assert_untouched 'another table'

step 'a signal: gone when it ends'
for signal in INT TERM HUP QUIT; do
    start $PEER:7
    kill -$signal "$MEASURE_PID"
    ended 1
    assert_untouched "SIG$signal"
done

step 'SIGKILL: its guard takes the route away, and the next one waits for it'
start $PEER:7
kill -KILL "$MEASURE_PID"
expect 0 tt measure --rounds 1 --count 5 $PEER:7
{ wait "$MEASURE_PID" || true; } 2>/dev/null
assert_untouched SIGKILL

# kill_all: the measurement and its guard, as a container's end would.
kill_all()
{
    local guard

    guard=$(guard_of "$MEASURE_PID")
    kill -STOP "$MEASURE_PID"
    kill -KILL $guard "$MEASURE_PID"
    { wait "$MEASURE_PID" || true; } 2>/dev/null
    wait_until 5 flock --nonblock /run/tcptune-nm/measure true
    has_measure_route || fail 'nothing is left to be taken away'
}

step 'SIGKILL, the guard too: what is left goes with the next measurement, or with revert'
start "[$PEER6]:7"
kill_all
expect 0 tt measure --rounds 1 --count 5 $PEER:7
assert_untouched 'the next measurement'
start $PEER:7
kill_all
expect 0 tt revert --dry-run
assert_out '^203\.0\.113\.1 via .*: left by a measurement, removed$'
assert_out '^    ip route del 203\.0\.113\.1 via 192\.0\.2\.1 dev eth0 proto 84 metric 21588'
has_measure_route || fail 'a dry run removes it'
expect 0 tt revert
assert_out '^203\.0\.113\.1 via .*: left by a measurement, removed$'
assert_untouched revert

step 'the peer goes: its program, and then its cable'
serve 8
start $PEER:8
pkill -KILL -f "traffic serve 8"
ended 1
grep -qE 'closed the connection|reset by peer|refused' "$LOG/running" || fail 'it does not say why'
assert_untouched 'the peer is gone'
start --bulk --count 1 --size 1G $PEER:9
ip link set eth0 down
ip link set eth0 up
ended 1
has_measure_route && fail 'its route is left'
for number in 0 1; do
    ip -6 address replace "$(own_address6 $number)/64" dev eth$number
done
ip route append default via 192.0.2.1 dev eth0 metric 100 proto static
ip -6 route append default via 2001:db8:1::1 dev eth0 metric 100 proto static
warm eth0 eth1

step 'other live connections to the peer: said'
hold other $PEER
expect 0 tt measure --rounds 1 --count 5 $PEER:7
assert_err '^Warning: 1 other live connection of this host to the peer will carry the same metrics'

step 'on a terminal: a line that tells how far it is'
script -qec "$TT_CMD measure --rounds 6 --count 4000 $PEER:7" "$WORLD/typescript" >/dev/null
grep -qE 'round [1-6] of 6: plain [0-9.]+ ms, tuned [0-9.]+ ms' "$WORLD/typescript" || fail 'no progress'
