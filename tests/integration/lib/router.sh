# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The router in its own network namespace: a port for each cable, a peer behind it (203.0.113.1
# and 2001:db8:ffff::1) that echoes, and on demand DHCP and router advertisements.

on_router()
{
    nsenter --net=/run/netns/router "$@"
}

start_router()
{
    calm_kernel
    ip link set lo up
    ip netns add router
    on_router bash -c "$(declare -f calm_kernel); calm_kernel
        echo 1 >/proc/sys/net/ipv4/ip_forward
        echo 1 >/proc/sys/net/ipv6/conf/all/keep_addr_on_down
        echo 1 >/proc/sys/net/ipv6/conf/all/forwarding"
    ip -n router -batch - <<'END'
link set lo up
address add 203.0.113.1/32 dev lo
address add 2001:db8:ffff::1/128 dev lo
END
    on_router "$TT_EXCHANGE" --serve >"$LOG/peer" 2>&1 &
    wait_until 5 peer_listens
}

peer_listens()
{
    on_router ss -Hltn 'sport = 7' | grep -q .
}

# start_http: a server that a connectivity check is content with; stop_http.
start_http()
{
    nsenter --net=/run/netns/router "$TT_EXCHANGE" --http online >"$LOG/http" 2>&1 &
    HTTP_PID=$!
    wait_until 5 http_listens
}

http_listens()
{
    on_router ss -Hltn 'sport = 80' | grep -q .
}

# unshare of util-linux 2.36 leaves SIGTERM blocked.
stop_http()
{
    kill -KILL "$HTTP_PID"
}

# router_port PORT NUMBER: .1 is the gateway, .254 the one to which it may move.
router_port()
{
    local prefix

    prefix=$(gateway_of "$2")
    prefix=${prefix%.1}
    ip -n router -batch - <<END
link set $1 up
address add $prefix.1/24 dev $1
address add $prefix.254/24 dev $1
address add $(gateway6_of "$2")/64 dev $1
END
}

link_local_of()
{
    ip -n router -6 -o address show dev "$1" scope link | awk '{ sub("/.*", "", $4); print $4 }'
}

# start_dhcp DEVICE [GATEWAY]: leases of 120 s (the least that dnsmasq gives), renewed every
# ${RENEW:-3} s.
start_dhcp()
{
    local port=r${1#eth} prefix

    prefix=$(gateway_of "${1#eth}")
    prefix=${prefix%.1}
    dhcp_options "$port" "${2:-$prefix.1}"
    cat >"$WORLD/dhcp-$port.conf" <<END
port=0
interface=$port
bind-interfaces
leasefile-ro
dhcp-authoritative
no-ping
log-dhcp
log-facility=-
dhcp-range=$prefix.50,$prefix.50,120s
dhcp-optsfile=$WORLD/dhcp-$port.options
END
    on_router dnsmasq --keep-in-foreground --conf-file="$WORLD/dhcp-$port.conf" \
        --user=root --group=root --pid-file="$WORLD/dhcp-$port.pid" >"$LOG/dhcp-$port" 2>&1 &
    wait_until 5 test -s "$WORLD/dhcp-$port.pid"
}

dhcp_options()
{
    printf 'option:router,%s\noption:T1,%s\noption:T2,100\n' "$2" "${RENEW:-3}" \
        >"$WORLD/dhcp-$1.options"
}

# move_gateway DEVICE GATEWAY: from the next renewal on.
move_gateway()
{
    dhcp_options "r${1#eth}" "$2"
    kill -HUP "$(cat "$WORLD/dhcp-r${1#eth}.pid")"
}

renewals()
{
    grep -c 'DHCPACK' "$LOG/dhcp-r${1#eth}" || true
}

has_renewed()
{
    [ "$(renewals "$1")" -ge "$2" ]
}

# await_renewal DEVICE [N]: N more acknowledgements than now.
await_renewal()
{
    wait_until $(((${RENEW:-3} + 2) * ${2:-1} + 5)) has_renewed "$1" $(($(renewals "$1") + ${2:-1}))
}

# start_ra PORT [PREFERENCE]: advertisements every 3 to 4 s, or to ${RA_INTERVAL_MAX} s.
start_ra()
{
    local prefix

    prefix=$(ip -n router -6 -o address show dev "$1" scope global | awk 'NR == 1 { print $4 }')
    cat >"$WORLD/ra-$1.conf" <<END
interface $1 {
    AdvSendAdvert on;
    MinRtrAdvInterval 3;
    MaxRtrAdvInterval ${RA_INTERVAL_MAX:-4};
    AdvDefaultLifetime ${RA_LIFETIME:-1800};
    AdvDefaultPreference ${2:-medium};
    prefix ${prefix%::*}::/64 { AdvValidLifetime 3600; AdvPreferredLifetime 3600; };
};
END
    chmod 0644 "$WORLD/ra-$1.conf"
    on_router radvd --nodaemon --logmethod stderr --debug 3 --username root \
        --config "$WORLD/ra-$1.conf" --pidfile "$WORLD/ra-$1.pid" >"$LOG/ra-$1" 2>&1 &
    wait_until 5 test -s "$WORLD/ra-$1.pid"
}

# The last advertisement says that the router is gone.
stop_ra()
{
    kill "$(cat "$WORLD/ra-$1.pid")"
    wait_until 5 test ! -e "$WORLD/ra-$1.pid"
}

advertisements()
{
    grep -c 'timer_handler called for' "$LOG/ra-$1" || true
}

has_advertised()
{
    [ "$(advertisements "$1")" -ge "$2" ]
}

# await_ra PORT [N]: N more advertisements than now.
await_ra()
{
    wait_until $((6 * ${2:-1} + 5)) has_advertised "$1" $(($(advertisements "$1") + ${2:-1}))
}

# A second router on the cable of eth0, with a link-local address of its own.
second_router()
{
    ip -n router link add link r0 name r9 address 02:00:00:00:01:09 type macvlan mode bridge
    ip -n router link set r9 up
    ip -n router address add 2001:db8:1::9/64 dev r9
}
