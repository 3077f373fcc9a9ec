# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# A host without NetworkManager: two NICs with equal-metric IPv4 defaults, one IPv6 default.

A4='default via 192.0.2.1 dev eth0'
B4='default via 198.51.100.1 dev eth1'
A6='default via 2001:db8:1::1 dev eth0'

start_two_defaults()
{
    start_world bare
    static_host eth0 eth1
    ip route add default via 192.0.2.1 dev eth0 metric 100 proto static
    ip route append default via 198.51.100.1 dev eth1 metric 100 proto static
    ip -6 route add default via 2001:db8:1::1 dev eth0 metric 100 proto static
    warm eth0 eth1
}

# Everything that may be tuned is: for routes of all kinds.
policy_for_all()
{
    policy <<'END'
[route-all]
destination=any
table=any
rto_min=8ms
quickack=yes
END
}

# strace with what a sanitized program needs to run under it.
traced()
{
    ASAN_OPTIONS=detect_leaks=0 strace -f -o "$WORLD/trace" "$@"
}

# traced_hook STRACE_OPTIONS... -- IFACE ACTION
traced_hook()
{
    local -a options=()

    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    traced "${options[@]}" env -i ASAN_OPTIONS=detect_leaks=0 "$TT_HOOK" "$@"
}

# A knob of the whole machine: a file over it is as good, and nobody else's. It has 1.
fake_cubic()
{
    local folder=/sys/module/tcp_cubic/parameters

    mkdir -p "$WORLD/cubic"
    echo 1 >"$WORLD/cubic/hystart_detect"
    mount --bind "$WORLD/cubic" "$folder"
}
