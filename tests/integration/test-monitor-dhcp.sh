#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The monitor holds what was learned by DHCP: whatever NetworkManager does to the default, 100 ms
# later traffic goes where NetworkManager wants it, tuned, and no other default is left. With the
# monitor killed just before: within a second of its restart.
#
#   test-monitor-dhcp.sh [ipv6] [killed]
. "$(dirname "$0")/lib.sh"

OLD='default via 192.0.2.1 dev eth0'
NEW='default via 192.0.2.254 dev eth0'
IPV6=ignore
export KILLED=
for word in "$@"; do
    case $word in
    ipv6) IPV6=auto ;;
    killed) KILLED=yes ;;
    esac
done

# settles BEGINNING: there is one such default, tuned, and it works.
settles()
{
    ends_with "$1"
    assert_rto_below 20
    soon tt check
}

next_renewal_moves_to()
{
    move_gateway eth0 "$1"
    await_renewal eth0
}

change_metric()
{
    nm connection modify eth0 ipv4.route-metric "$1"
    nm device reapply eth0
}

lose_carrier()
{
    pull eth0
    wait_until 15 no_route 4 default
    push_back eth0
}

policy <<'END'
[route]
rto_min=8ms
quickack=yes
END
export RENEW=4
start_world
[ "$IPV6" = ignore ] || start_ra r0
start_dhcp eth0
dhcp_profile eth0 ipv6.method "$IPV6"
nm connection modify eth0 connection.autoconnect yes
start_monitor
up eth0
settles_within 100 "$OLD"

step 'the gateway moves at the first renewal'
during next_renewal_moves_to 192.0.2.254
settles "$NEW"

step 'an empty renewal, then it moves'
await_renewal eth0 2
during next_renewal_moves_to 192.0.2.1
settles "$OLD"

step 'an empty renewal leaves no twin'
await_renewal eth0
keeps 1 has_route 4 "$OLD" "$TUNED"

step 'the metric changes'
during change_metric 150
settles "$OLD"
[[ $(routes 4 default) == *' metric 150 '* ]] || fail "the metric is not 150: $(routes 4 default)"

step 'the carrier goes and comes'
during lose_carrier
settles "$OLD"

step 'the lease is lost: no default is left, and it comes back'
during nm device disconnect eth0
wait_until 5 no_route 4 default
nm connection up eth0
settles "$OLD"

step 'stopped in good order: what needs it is taken back'
before=$(cat /etc/NetworkManager/system-connections/*)
stop_monitor
if nm_is_at_least 1.40; then
    assert_plain 4 "$OLD"
    expect 11 tt check
    assert_out 'needs monitor'
else
    assert_route 4 "$OLD" "$TUNED"
fi
assert_same "$before" "$(cat /etc/NetworkManager/system-connections/*)" 'profiles changed'
