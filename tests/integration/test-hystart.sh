#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# [host] hystart_detect does what it says: over a long path, slow start of cubic ends by a train of
# acknowledgements under `both`, and never under `delay`. The parameter is the whole machine's: one
# such test at a time, and what was there before is put back whatever happens.
. "$(dirname "$0")/lib.sh"

CUBIC=/sys/module/tcp_cubic/parameters
HYSTART=$CUBIC/hystart_detect
DELTA=$CUBIC/hystart_ack_delta_us

# Something that all worlds of this machine see.
exec {LOCK}</usr/bin/env
flock "$LOCK"
mount -o remount,rw /sys
found=$(cat $HYSTART)
found_delta=$(cat $DELTA)

restore()
{
    trap - ERR
    set +e
    echo "$found" >$HYSTART
    echo "$found_delta" >$DELTA
    (exit "$1")
    finish
}
trap 'restore $?' EXIT

# A round trip of 8 ms, 40 Mbit/s.
long_path()
{
    "$TT_DELAY" 4 40000 near far &
    wait_until 5 ip link show far
    ip link set far netns router
    ip -n router address add 10.66.0.1/30 dev far
    ip -n router link set far up
    ip address add 10.66.0.2/30 dev near
    ip link set near up
    on_router /usr/bin/python3 -c '
import socket, threading
def sink(peer):
    while peer.recv(65536):
        pass
    peer.close()
server = socket.create_server(("10.66.0.1", 9))
while True:
    threading.Thread(target=sink, args=[server.accept()[0]]).start()' &
    wait_until 5 sink_listens
}

sink_listens()
{
    on_router ss -Hltn 'sport = 9' | grep -q .
}

# transfers: five of them, 300 kB each.
transfers()
{
    /usr/bin/python3 -c '
import socket
for i in range(5):
    source = socket.socket()
    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
    source.connect(("10.66.0.1", 9))
    source.sendall(bytes(300000))
    source.shutdown(socket.SHUT_WR)
    source.recv(1)
    source.close()'
}

trains()
{
    nstat -asz TcpExtTCPHystartTrainDetect | awk 'NR > 1 { print $2 }'
}

# tune WORD
tune()
{
    printf '[host]\nhystart_detect=%s\n' "$1" | policy
    expect 0 tt apply
    expect 0 tt check
    before=$(trains)
    transfers
    step "hystart_detect=$1: $(($(trains) - before)) trains in 5 transfers"
}

start_world bare
echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save
echo 0 >$HYSTART
# Acknowledgements make a train if no gap is longer. On a machine with much else to do, 2 ms are short.
echo 50000 >$DELTA
long_path
tune delay
assert_same "$(trains)" "$before" 'trains under delay'
tune both
for _ in 1 2 3 4; do
    [ "$(trains)" -eq "$before" ] || break
    transfers # the delay may have been noticed first
done
[ "$(trains)" -gt "$before" ] || fail 'no train under both'
expect 0 tt status
assert_out '^TCP since the policy took effect .*TCPHystartTrainDetect [1-9]'
tune delay
assert_same "$(trains)" "$before" 'trains under delay, after both'
expect 0 tt revert
assert_same "$(cat $HYSTART)" 0 'after revert'
