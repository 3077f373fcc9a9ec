#!/bin/bash
. "$(dirname "$0")/lib.sh"
policy <<'END'
[route]
rto_min=none
END
RENEW=6 start_world
export RENEW=6
start_dhcp eth0
dhcp_profile eth0
up eth0
f=/run/NetworkManager/devices/$(cat /sys/class/net/eth0/ifindex)
move_gateway eth0 192.0.2.254
python3 - $f <<'P' &
import sys,time
f=sys.argv[1]; r=None; w=None; t0=time.time()
while time.time()-t0<12 and (r is None or w is None):
    if r is None and 'FE0200C0' in open('/proc/net/route').read(): r=time.time()
    if w is None:
        try:
            if 'routers=192.0.2.254' in open(f).read(): w=time.time()
        except Exception: pass
print('file - route: %.3f ms' % ((w-r)*1000) if r and w else (r,w))
P
await_renewal eth0
wait
