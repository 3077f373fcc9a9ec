#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Connectivity is lost on one device while another has it. NetworkManager tells nobody: of all
# devices together it is not lost. 100 ms after its change traffic goes by the other device, and
# comes back the same way. With the monitor killed just before: within a second of its restart.
#
#   test-monitor-connectivity.sh [static] [killed]
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
B4='default via 198.51.100.1 dev eth1'
HOW=dhcp
ADDRESS=192.0.2.50
export KILLED=
for word in "$@"; do
    case $word in
    static)
        HOW=static
        ADDRESS=192.0.2.10
        ;;
    killed) KILLED=yes ;;
    esac
done

# metric_is METRIC [BEGINNING]
metric_is()
{
    [[ $(grep -F "${2:-$A4} " <<<"$ROUTES") == *" metric $1 "* ]]
}

# Both are there once and tuned, the first with the metric.
both_with()
{
    [ "$(grep -c . <<<"$ROUTES")" -eq 2 ] \
        && [[ $(grep -F "$A4 " <<<"$ROUTES") == *" metric $1 "*"$TUNED"* ]] \
        && [[ $(grep -F "$B4 " <<<"$ROUTES") == *" metric 200 "*"$TUNED"* ]]
}

# NetworkManager has found connectivity on each device, and taken its penalty off.
has_metrics()
{
    ROUTES=$(ip -4 -o route show default)
    metric_is 100 && metric_is 200 "$B4"
}

# Nothing comes back to eth0 any more, while its carrier and its lease stay.
lose_connectivity()
{
    ip -n router route add blackhole "$ADDRESS/32"
    nm networking connectivity check
}

find_connectivity()
{
    ip -n router route del blackhole "$ADDRESS/32"
    nm networking connectivity check
}

assert_path()
{
    [[ $(ip route get 203.0.113.1) == *" dev $1 "* ]] || fail "traffic does not go by $1"
    assert_rto_below 20
}

policy <<'END'
[main]
native=no
[route]
rto_min=8ms
quickack=yes
END
export RENEW=40 NM_CONFIG='[connectivity]
enabled=true
uri=http://203.0.113.1/online
response=online
interval=2'
start_world
start_http
start_dhcp eth0
start_dhcp eth1
"${HOW}_profile" eth0 ipv4.route-metric 100
"${HOW}_profile" eth1 ipv4.route-metric 200
start_monitor
up eth0
up eth1
wait_until 30 has_metrics
within 100 4 default 'metric_is 100' 'both_with 100'
assert_path eth0

step 'connectivity is lost: traffic goes by the other device'
during lose_connectivity
ends 4 default 'metric_is 20100' 'both_with 20100'
assert_path eth1
soon tt check

step 'it comes back, and so does traffic'
during find_connectivity
ends 4 default 'metric_is 100' 'both_with 100'
assert_path eth0
soon tt check
