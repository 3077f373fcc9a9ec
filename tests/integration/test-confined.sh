#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the hook touches of the machine: no other program, no file that SELinux would refuse, no
# environment (field cases 20, 21), no word about events that are not for it (24).
. "$(dirname "$0")/lib.sh"

start_two_defaults
usual_policy
mkdir -p /run/NetworkManager/devices
printf '[device]\nconnection-uuid=5d3ae1f0-0000-4000-8000-000000000001\n[dhcp4]\ndhcp4.routers=192.0.2.1\n' \
    >"/run/NetworkManager/devices/$(cat /sys/class/net/eth0/ifindex)"

step 'no program, no file outside its places'
policy <<'END'
[route-x]
match-device=driver:veth,type:ethernet
match-connection=uuid:5d3ae1f0-0000-4000-8000-000000000001
table=any
destination=any
protocol=any
rto_min=8ms
[route]
rto_min=8ms
[host]
tcp_thin_linear_timeouts=yes
tcp_thin_dupack=yes
tcp_tw_reuse=yes
rto_min=50ms
default_qdisc=fq
END
expect 0 traced_hook -- eth0 up
[ -s "$ERR" ] || fail 'nothing was done'
assert_route 4 "$A4" 'rto_min lock 8ms'
# The two are strace's own start: env, and the hook.
[ "$(grep -cE 'execve(at)?\(' "$WORLD/trace")" -eq 2 ] || fail "it runs programs: $(grep execve "$WORLD/trace")"
strange=$(sed '1,/execve("[^"]*90-tcptune-nm"/d' "$WORLD/trace" | grep -E 'open(at|at2)?\(' \
    | grep -oE '"[^"]*"' | tr -d '"' | sort -u \
    | grep -vE '^/(etc|run|usr/lib)/tcptune-nm(/|$)|^/run/NetworkManager/|^/(proc|sys)/|^/(etc|usr/lib|usr/share)/iproute2/rt_tables(\.d)?(/|$)|^/etc/ld\.so|\.so(\.[0-9.]+)?$|^/dev/null$|^/(usr/)?lib/|^(lock|journal|dirty)' || true)
[ -z "$strange" ] || fail "it opens: $strange"
if grep -E 'connect\(' "$WORLD/trace" | grep -v AF_NETLINK; then
    fail 'it asks somebody'
fi

step 'it links GLib, libmnl and the C library only'
if readelf -d "$TT_HOOK" 2>/dev/null | grep NEEDED \
    | grep -vE 'libglib-2|libmnl|libc\.so|libpcre|libasan|libubsan|libgcc_s|ld-linux'; then
    fail 'it links more'
fi

step 'an empty environment, and any working directory'
expect 0 tt revert
(cd / && exec env -i "$TT_HOOK" eth0 up) 2>"$ERR" || fail 'with an empty environment'
assert_route 4 "$A4" 'rto_min lock 8ms'

step 'events that are not for it: at once, and without a word'
expect 0 tt revert
before=$(all_routes)
for event in 'none hostname' '|hostname' 'eth0 pre-down' 'eth0 device-add' 'eth0 unheard-of' \
    'gone9 up' 'eth0 |' '| |'; do
    read -r iface action <<<"$event"
    expect 0 traced_hook -- "${iface%|}" "${action%|}"
    assert_silent
    assert_same "$before" "$(all_routes)" "routes changed at: $event"
done
expect 0 env -i "$TT_HOOK"
assert_silent
expect 0 env -i "$TT_HOOK" eth0
assert_silent
expect 0 traced_hook -- none hostname
if grep -q NETLINK "$WORLD/trace"; then
    fail 'it looks at routes for hostname'
fi

step 'a connectivity-change, which a revert itself may bring about, does not end it'
expect 0 hook '' connectivity-change
assert_same "$before" "$(all_routes)" 'tuned again after a revert'

step 'connectivity-change names no device: it looks at all'
rm /run/tcptune-nm/reverted
expect 0 hook '' connectivity-change
assert_route 4 "$A4" 'rto_min lock 8ms'
assert_route 4 "$B4" 'rto_min lock 8ms'

step 'a down that comes late, when the new route is there already (field case 23)'
before=$(all_routes)
i1 -- env -i "$TT_HOOK" eth0 down
assert_same "$before" "$(all_routes)" 'a late down stripped the route'

step 'down tidies: routes that are gone are forgotten'
ip route del default via 192.0.2.1
expect 0 hook eth0 down
ip route append default via 192.0.2.1 dev eth0 metric 100 proto static rto_min 30ms
expect 0 tt revert
assert_route 4 "$A4" 'rto_min lock 30ms'

step 'not root: said, and nothing done'
expect 1 setpriv --reuid 65534 --clear-groups env -i "$TT_HOOK" eth0 up
assert_err root
