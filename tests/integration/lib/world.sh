# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# The file systems and cables of a world.

WORLD=/run/world
OUT=$WORLD/out
ERR=$WORLD/err

# start_world [bare]: "bare" has no NetworkManager, only cables and routes.
start_world()
{
    hostname world
    start_router
    plug eth0 r0
    plug eth1 r1
    if [ "${1:-}" != bare ]; then
        start_stalls
        start_bus
        start_nm
    fi
}

# A world sees the machine's files, but writes to memory of its own: from the first line of a
# test on, so that nothing that it does before start_world reaches the machine.
private_file_systems()
{
    mount -t tmpfs -o mode=0755 tmpfs /run
    mkdir -p "$WORLD"/{etc,work,tmp} /run/lock
    export TMPDIR=$WORLD/tmp
    mount -t sysfs -o ro sysfs /sys
    mount -t overlay -o "lowerdir=/etc,upperdir=$WORLD/etc,workdir=$WORLD/work" overlay /etc
    [ -s /etc/machine-id ] || printf '0123456789abcdef0123456789abcdef\n' >/etc/machine-id
    mkdir -p /etc/NetworkManager /usr/lib/NetworkManager/{conf,dispatcher}.d
    local dir
    for dir in /etc/NetworkManager /usr/lib/NetworkManager/{conf,dispatcher}.d \
        /var/lib/NetworkManager; do
        mount -t tmpfs -o mode=0755 tmpfs "$dir"
    done
    mkdir -p /etc/tcptune-nm
    : >"$WORLD/events"
}

# What the kernel would change by itself while a test looks is switched off: neighbours stay
# reachable for an hour (two equal defaults take turns when one is stale), addresses are usable
# at once, replies may come back another way.
calm_kernel()
{
    echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
    echo 0 >/proc/sys/net/ipv4/conf/default/rp_filter
    echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
    echo 0 >/proc/sys/net/ipv6/conf/default/dad_transmits
}

keep_neighbours()
{
    echo 3600000 >"/proc/sys/net/ipv4/neigh/$1/base_reachable_time_ms"
    echo 3600000 >"/proc/sys/net/ipv6/neigh/$1/base_reachable_time_ms"
}

# plug DEVICE PORT: a cable between this host and the router.
plug()
{
    local number=${1#eth}

    ip link add "$1" address "02:00:00:00:01:1$number" type veth \
        peer name "$2" address "02:00:00:00:01:0$number" netns router
    keep_neighbours "$1"
    ip link set "$1" up
    router_port "$2" "$number"
}

# pull DEVICE, push_back DEVICE: the carrier goes and comes.
pull()
{
    ip -n router link set "r${1#eth}" down
}

push_back()
{
    ip -n router link set "r${1#eth}" up
}

# A host without NetworkManager: static_host eth0 [eth1]
static_host()
{
    local device number

    for device in "$@"; do
        number=${device#eth}
        ip address add "$(own_address "$number")/24" dev "$device"
        ip -6 address add "$(own_address6 "$number")/64" dev "$device"
    done
}

own_address()
{
    [ "$1" -eq 0 ] && echo 192.0.2.10 || echo 198.51.100.10
}

own_address6()
{
    echo "2001:db8:$(($1 + 1))::10"
}

gateway_of()
{
    [ "$1" -eq 0 ] && echo 192.0.2.1 || echo 198.51.100.1
}

gateway6_of()
{
    echo "2001:db8:$(($1 + 1))::1"
}

# warm DEVICE...: the gateways are known neighbours from here on.
warm()
{
    local device number

    for device in "$@"; do
        number=${device#eth}
        reach "$device" "$(gateway_of "$number")"
        if ip -6 address show dev "$device" scope global | grep -q inet6; then
            reach "$device" "$(gateway6_of "$number")"
        fi
    done
}

# reach DEVICE ADDRESS: "reachable", not only known; a neighbour that called first is not.
reach()
{
    wait_until 5 reach_once "$1" "$2"
}

reach_once()
{
    ip neighbour show dev "$1" nud reachable | grep -qwF -- "$2" && return
    ip neighbour del "$2" dev "$1" 2>/dev/null || true
    ping -q -c 1 -W 1 -I "$1" "$2" >/dev/null
    ip neighbour show dev "$1" nud reachable | grep -qwF -- "$2"
}
