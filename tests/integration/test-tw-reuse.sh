#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# [host] tcp_tw_reuse does what it says: 50 ports, 120 connections one after the other.
. "$(dirname "$0")/lib.sh"

ip link set lo up
echo '40000 40049' >/proc/sys/net/ipv4/ip_local_port_range

# connections ADDRESS: how many of 120 come about. The caller closes first, so that the port is his
# to wait for; the pause is longer than tcp_tw_reuse_delay, a second.
connections()
{
    /usr/bin/python3 - "$1" <<'PYTHON'
import errno, socket, sys, threading, time
server = socket.create_server((sys.argv[1], 7777), backlog=8)

def serve():
    while True:
        peer = server.accept()[0]
        peer.recv(1)
        peer.close()

threading.Thread(target=serve, daemon=True).start()
done = 0
for i in range(120):
    if i == 60:
        time.sleep(1.2)
    try:
        caller = socket.create_connection(server.getsockname())
        caller.shutdown(socket.SHUT_WR)
        caller.recv(1)
        caller.close()
        done += 1
    except OSError as error:
        if error.errno != errno.EADDRNOTAVAIL:
            raise
print(done)
PYTHON
}

recycled()
{
    tt status | sed -n 's/^TCP since .*TWRecycled \([0-9]*\).*/\1/p'
}

# try WORD ADDRESS FROM TO RECYCLED: an address for each, so that no port waits for another.
try()
{
    local count before

    step "tcp_tw_reuse=$1"
    expect 0 tt revert
    printf '[host]\ntcp_tw_reuse=%s\n' "$1" | policy
    expect 0 tt apply
    before=$(recycled)
    count=$(connections "$2")
    step "$count of 120, $(recycled) ports used again"
    [ "$count" -ge "$3" ] && [ "$count" -le "$4" ] || fail "$1: $count of 120 connections"
    [ $(($(recycled) - before)) -ge "$5" ] || fail "$1: TWRecycled $before to $(recycled)"
}

try no 127.0.0.1 45 55 0
try loopback 127.0.0.2 90 120 40
try yes 127.0.0.3 90 120 40
