#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Which routes a policy picks on a live table: the default only (field case 30), connected ones,
# prefixes, tables, protocols, gateways, hands off.
. "$(dirname "$0")/lib.sh"

start_two_defaults
ip route add 10.1.0.0/24 via 192.0.2.1 proto static
ip route add 10.1.2.0/24 via 192.0.2.1 proto 77
ip route add 10.2.0.0/24 via 198.51.100.1 proto static
ip route add 10.3.0.0/24 via 192.0.2.1 dev eth0 table 900
ip -6 route add 2001:db8:a::/48 via 2001:db8:1::1 proto ra
echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_ra # as NetworkManager does where it takes them itself
before=$(all_routes)

# picks WHAT ROUTE...: exactly these IPv4 or IPv6 routes are tuned by the policy on stdin.
picks()
{
    local what=$1 got wanted

    shift
    step "$what"
    policy
    i1 -- "$TT_CMD" apply
    got=$({ ip -4 -o route show table all; ip -6 -o route show table all; } | grep rto_min | cut -d ' ' -f 1,3 | sort)
    wanted=$(printf '%s\n' "$@" | sort)
    assert_same "$wanted" "$got" "$what: other routes were tuned"
    expect 0 tt check
    i1 -- "$TT_CMD" revert
    assert_same "$before" "$(all_routes)" "$what: not as before"
}

picks 'the fallback: defaults of both families' 'default 192.0.2.1' 'default 198.51.100.1' 'default 2001:db8:1::1' <<'END'
[route]
rto_min=8ms
END
picks 'one family, one device' 'default 198.51.100.1' <<'END'
[route-x]
family=ipv4
match-device=interface-name:eth*,except:interface-name:eth0
rto_min=8ms
END
picks 'connected prefixes' '192.0.2.0/24 eth0' '2001:db8:1::/64 eth0' <<'END'
[route-x]
match-device=interface-name:eth0
destination=connected
rto_min=8ms
END
picks 'a prefix, exactly' '10.1.0.0/24 192.0.2.1' <<'END'
[route-x]
destination=10.1.0.0/24,10.3.0.0/16
rto_min=8ms
END
picks 'within a prefix' '10.1.0.0/24 192.0.2.1' '10.1.2.0/24 192.0.2.1' '10.2.0.0/24 198.51.100.1' <<'END'
[route-x]
destination=within:10.0.0.0/8
rto_min=8ms
END
picks 'another table' '10.3.0.0/24 192.0.2.1' <<'END'
[route-x]
destination=within:10.0.0.0/8
table=900
rto_min=8ms
END
picks 'a protocol' '10.1.2.0/24 192.0.2.1' <<'END'
[route-x]
destination=any
protocol=77
rto_min=8ms
END
picks 'advertised routes, asked for' '2001:db8:a::/48 2001:db8:1::1' <<'END'
[main]
learned=always
[route-x]
destination=any
protocol=ra
rto_min=8ms
END
picks 'a gateway' '10.2.0.0/24 198.51.100.1' 'default 198.51.100.1' <<'END'
[route-x]
destination=any
gateway=198.51.100.1
rto_min=8ms
END
picks 'hands off one device' 'default 192.0.2.1' 'default 2001:db8:1::1' <<'END'
[route-off]
match-device=interface-name:eth1
stop-match=yes
[route]
rto_min=8ms
END
picks 'the higher file first' 'default 192.0.2.1' 'default 198.51.100.1' 'default 2001:db8:1::1' < <(
    mkdir -p /etc/tcptune-nm/conf.d
    printf '[route-high]\nmatch-device=interface-name:eth1\nrto_min=30ms\n' >/etc/tcptune-nm/conf.d/90-high.conf
    printf '[route]\nrto_min=8ms\n')
expect 0 tt apply
assert_route 4 "$A4" 'rto_min lock 8ms'
assert_route 4 "$B4" 'rto_min lock 30ms'
expect 0 tt policy test eth1
assert_out 'route-high.*90-high.conf'
expect 0 tt policy show
assert_out '90-high.conf:3'

step 'status to an address: what a peer gets'
expect 0 tt status to 203.0.113.1
assert_out 'default via 192.0.2.1'
assert_out 'rto_min lock 8ms'
expect 0 tt status to 192.0.2.77
assert_out '192.0.2.0/24'
expect 2 tt status to nowhere
expect 10 tt apply ifname gone9

step 'apply for one device only'
expect 0 tt revert
expect 0 tt apply ifname eth1
assert_plain 4 "$A4"
assert_route 4 "$B4" 'rto_min lock 30ms'

step 'a dry run names the commands, and does nothing'
expect 0 tt revert
expect 0 tt apply --dry-run
assert_out 'ip (-4 )?route .*192.0.2.1'
assert_same "$before" "$(all_routes)" 'a dry run changed routes'

step 'start, restart, stop'
expect 0 tt start
assert_route 4 "$A4" 'rto_min lock 8ms'
expect 0 tt restart
assert_route 4 "$A4" 'rto_min lock 8ms'
expect 0 tt stop
assert_same "$before" "$(all_routes)" 'stop'
