#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Live connections: what each has of its route, before, during and after a tuning; those that an
# undo does not reach; and peers that delay their acknowledgements.
. "$(dirname "$0")/lib.sh"

PEER=203.0.113.1
PEER6=2001:db8:ffff::1
NEIGHBOUR=198.51.100.1 # by the connected route of eth1, which no policy here touches

policy_of_eth0()
{
    policy <<END
[route-eth0]
match-device=interface-name:eth0
rto_min=${1:-8}ms
END
}

start_two_defaults

step 'before: connections, and no verdict on them'
policy_of_eth0
hold four $PEER
hold six $PEER6
hold mapped ::ffff:$PEER
hold other $NEIGHBOUR
expect 0 tt sockets
assert_out 'PEER +ROUTE +DEVICE +RTO +ATO +RTT +RETRANSMITTED +DSACKS +IDLE +VERDICT'
assert_out '^203\.0\.113\.1:7 +default via 192\.0\.2\.1 metric 100 +eth0 +20[0-9]ms .* --$'
assert_out '^\[2001:db8:ffff::1\]:7 +default via 2001:db8:1::1 metric 100 +eth0 '
assert_out '^198\.51\.100\.1:7 +198\.51\.100\.0/24 +eth1 '
assert_out '^4 connections: 4 not tuned$'

step 'tuned, but no traffic since: not yet; with traffic: tuned'
expect 0 tt apply
assert_verdict 'not yet
not yet' $PEER
assert_verdict 'not yet' $PEER6
assert_verdict '' $NEIGHBOUR
settle four six mapped
again other
assert_verdict 'tuned
tuned' $PEER
assert_verdict tuned $PEER6
assert_verdict '' $NEIGHBOUR
expect 0 tt -t -f RTO,VERDICT sockets peer $PEER6
assert_out '^(9|1[0-9])ms:tuned$'

step 'filters'
n_lines()
{
    expect 0 tt -t sockets "$@"
    wc -l <"$OUT"
}
[ "$(n_lines)" -eq 4 ] || fail 'not all'
[ "$(n_lines ifname eth0)" -eq 3 ] || fail 'ifname'
[ "$(n_lines ifname eth1)" -eq 1 ] || fail 'ifname'
[ "$(n_lines peer 203.0.113.0/24)" -eq 2 ] || fail 'peer, a prefix'
[ "$(n_lines peer ::/0)" -eq 1 ] || fail 'peer, IPv6'
[ "$(n_lines state established)" -eq 4 ] || fail 'state'
[ "$(n_lines state close-wait state last-ack)" -eq 0 ] || fail 'states'
[ "$(n_lines ifname eth0 peer ::/0 state established)" -eq 1 ] || fail 'all of them'
expect 10 tt sockets ifname eth9
expect 2 tt sockets peer nowhere
expect 2 tt sockets peer $PEER/33
expect 2 tt sockets state asleep
assert_err 'close-wait'
expect 2 tt sockets peer
expect 2 tt sockets eth0

step 'anybody may look'
as_root=$(tt -t -f PEER,LOCAL,ROUTE,VERDICT sockets)
expect 0 setpriv --reuid 65534 --clear-groups "$TT_CMD" -t -f PEER,LOCAL,ROUTE,VERDICT sockets
assert_same "$as_root" "$(cat "$OUT")" 'who is not root sees something else'

step 'a higher rto_min does not reach them: stale'
policy_of_eth0 50
expect 0 tt apply
again four
assert_verdict 'stale
stale' $PEER

step 'a rule sends one user by another table: the route is the one of that user'
ip route add default via $NEIGHBOUR dev eth1 table 100 rto_min 12ms
ip rule add uidrange 65533-65533 lookup 100
hold ruled $PEER 7 setpriv --reuid 65533 --clear-groups
expect 0 tt sockets ifname eth1 peer $PEER
assert_out '^203\.0\.113\.1:7 +default via 198\.51\.100\.1 table 100 +eth1 +(13|16)ms .* --$'
policy_of_eth0
expect 0 tt apply
settle four six mapped

step 'a dry run closes nothing, but names them'
expect 0 tt revert --dry-run
assert_out '^3 live connections will keep a lowered RTO'
expect 0 tt revert --dry-run --close-stale
[ "$(grep -c 'to be closed$' "$OUT")" -eq 3 ] || fail 'not the three'
assert_verdict tuned $PEER6

step 'after revert: stale are those that were lowered, and no other'
expect 0 tt revert
assert_out "^3 live connections keep a lowered RTO; 'tcptune-nm revert --close-stale' closes them"
hold later $PEER
for name in four six mapped other later ruled; do
    again $name
done
assert_verdict stale $PEER6
expect 0 tt sockets
assert_out '^6 connections: 3 stale, 3 not tuned$'
expect 0 tt -m multiline -f VERDICT sockets peer $PEER6
assert_out '^VERDICT: +stale$'

step 'the stale ones are closed, and only those'
expect 0 tt revert --close-stale
[ "$(grep -c ': closed$' "$OUT")" -eq 3 ] || fail 'not the three'
assert_out 'connection from 192\.0\.2\.10:[0-9]+ to 203\.0\.113\.1:7, RTO (9|1[0-9])ms: closed'
for name in four six mapped; do
    wait_until 5 is_closed $name
done
for name in other later ruled; do
    again $name
done
expect 0 tt sockets
assert_out '^3 connections: 3 not tuned$'
expect 0 tt revert --close-stale
assert_out '^unchanged$'
refute_out 'closed'
for name in other later ruled; do
    again $name
done
expect 2 tt revert --close-stale now
expect 1 setpriv --reuid 65534 --clear-groups "$TT_CMD" revert --close-stale

step 'a server that takes 20 ms, a peer that delays its acknowledgements: status and check warn'
serve 8 20
expect 0 tt apply
expect 0 tt status
assert_out '^TCP since the policy took effect \([0-9]+s ago\): TCPTimeouts 0, TCPLossProbes 0, TCPDSACKRecv 0, '
[ ! -s "$ERR" ] || fail 'a warning without a reason'
"$TT_TRAFFIC" request $PEER 8 200 200 >"$LOG/requests"
expect 0 tt status
assert_out 'TCPDSACKRecv (19[0-9]|200),'
warning='^Warning: DSACKs follow loss probes one to one \([0-9]+ of [0-9]+\): rto_min is below your peers. delayed ACK; tune them too, or use 50 ms$'
assert_err "$warning"
expect 0 tt check
assert_out '^everything is as the policy says$'
assert_err "$warning"
expect 0 tt -t check
assert_silent
hold slow $PEER 8
assert_verdict spurious $PEER 8

step 'with quickack on the peer they do not'
ip -n router route change 192.0.2.0/24 dev r0 proto kernel scope link src 192.0.2.1 quickack 1
expect 0 tt revert
expect 0 tt apply
"$TT_TRAFFIC" request $PEER 8 200 200 >>"$LOG/requests"
expect 0 tt status
assert_out 'TCPDSACKRecv 0,'
[ ! -s "$ERR" ] || fail "a warning: $(cat "$ERR")"
ip -n router route change 192.0.2.0/24 dev r0 proto kernel scope link src 192.0.2.1

step 'the same for node_exporter'
file=$WORLD/tcptune.prom
value()
{
    awk -v name="tcptune_nm_$1" '$1 == name { print $2 }' $file
}
expect 0 tt status --prometheus $file
assert_silent
[ "$(value policy_valid) $(value routes_tuned) $(value drift)" = '1 2 0' ] || fail "$(cat $file)"
[ "$(value tcp_dsack_received_total)" -eq 0 ] || fail 'not since the policy took effect'
[ "$(value tcp_sent_segments_total)" -ge 200 ] || fail 'no segments'
[ $(($(date +%s) - $(value last_run_timestamp_seconds))) -le 60 ] || fail 'the last run'
[ "$(stat -c %a $file)" = 644 ] || fail 'mode'
ip route change default via 192.0.2.1 dev eth0 metric 100 proto static
expect 0 tt status --prometheus $file
[ "$(value routes_tuned) $(value drift)" = '1 1' ] || fail "$(cat $file)"
echo '[route' | policy broken
printf '[nonsense]\n' | policy
expect 1 tt status --prometheus $file
[ "$(value policy_valid)" -eq 0 ] || fail 'a broken policy'
[ -z "$(value drift)" ] || fail 'drift of a broken policy'
expect 1 tt status --prometheus /nowhere/file.prom
expect 2 tt status --prometheus
[ "$(find "$WORLD" -name 'tcptune.prom*' | wc -l)" -eq 1 ] || fail 'left behind'

step 'the count begins anew when everything was undone, and not before'
policy_of_eth0
expect 0 tt apply
ip route del default via 192.0.2.1 dev eth0
expect 0 hook eth0 down
ip route append default via 192.0.2.1 dev eth0 metric 100 proto static
expect 0 tt apply
[ -s /run/tcptune-nm/baseline ] || fail 'no baseline'
expect 0 tt revert
[ ! -e /run/tcptune-nm/baseline ] || fail 'the baseline outlives revert'
expect 0 tt status
assert_out '^TCP since boot: '
