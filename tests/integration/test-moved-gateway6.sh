#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# As moved-gateway, in IPv6, where the kernel makes one route with two hops of two defaults of equal
# metric: the hop that was moved goes alone.
#
#   test-moved-gateway6.sh hook|monitor
. "$(dirname "$0")/lib.sh"

WHO=$1

# goes_only_by GATEWAY: every packet to the peer, whatever the hash of its addresses.
goes_only_by()
{
    local line

    line=$(ip -6 -o route show default metric 100)
    [ "$(grep -c . <<<"$line")" -eq 1 ] && [[ $line == *" via $1 dev eth0 "*"$TUNED"* ]] \
        && [[ $line != *nexthop* ]]
}

takes_effect()
{
    case $1 in
    up) nm connection up eth0 ;;
    reapply) nm device reapply eth0 ;;
    esac
}

# ends_by HOW GATEWAY
ends_by()
{
    if [ "$WHO" = hook ]; then
        after_event eth0 "$1" takes_effect "$1"
        wait_until 15 dispatcher_is_idle
        goes_only_by "$2" || fail "IPv6 does not go by $2: $(ip -6 route show default)"
    else
        takes_effect "$1" &
        within 100 6 default "[[ \$ROUTES == *' via $2 dev eth0 '* ]]" "goes_only_by '$2'"
        wait $!
    fi
}

moved()
{
    wait_until 15 dispatcher_is_idle
    install -m 0600 "$WORLD/moved" "$PROFILES/eth0.nmconnection"
    nm connection reload
    up eth0
    goes_only_by 2001:db8:1::1 || fail "not as moved: $(ip -6 route show default)"
    is_noted eth0 || fail 'the profile is not noted'
}

new_gateway()
{
    step "a new gateway, $1"
    moved
    modify eth0 ipv6.gateway 2001:db8:1::254
    goes_only_by 2001:db8:1::1
    ends_by "$1" 2001:db8:1::254
    assert_rto_below 20 2001:db8:ffff::1
}

method_auto()
{
    step "method auto, $1"
    moved
    start_ra r0
    modify eth0 ipv6.method auto ipv6.addresses '' ipv6.gateway ''
    takes_effect "$1"
    wait_until 10 has_ra
    [ "$WHO" = monitor ] || hook eth0 up # no event tells of an advertisement
    soon goes_only_by_ra
    stop_ra r0
    wait_until 15 dispatcher_is_idle
}

has_ra()
{
    ip -6 -o route show default metric 100 | grep -qF "via $RA dev eth0"
}

# Advertised routes are not tuned unless the policy asks for them.
goes_only_by_ra()
{
    local line

    line=$(ip -6 -o route show default metric 100)
    [ "$(grep -c . <<<"$line")" -eq 1 ] && [[ $line == *" via $RA dev eth0 proto ra "* ]] \
        && [[ $line != *nexthop* ]]
}

never_default()
{
    step "never-default, $1"
    moved
    modify eth0 ipv6.never-default yes
    goes_only_by 2001:db8:1::1
    after_event eth0 "$1" takes_effect "$1"
    wait_until 15 dispatcher_is_idle
    [[ "$(ip -6 route get 2001:db8:ffff::1)" == *' via 2001:db8:2::1 dev eth1 '* ]] \
        || fail "IPv6 does not go by eth1: $(ip -6 route show default)"
}

# static6 DEVICE METRIC
static6()
{
    local number=${1#eth}

    profile "$1" "$1" ipv4.method disabled ipv6.method manual ipv6.route-metric "$2" \
        ipv6.addresses "$(own_address6 "$number")/64" ipv6.gateway "$(gateway6_of "$number")"
}

usual_policy
start_world
ip -n router address add 2001:db8:1::254/64 dev r0
RA=$(link_local_of r0)
static6 eth0 100
static6 eth1 200
FAMILY=6 tune_profile eth0
cp "$PROFILES/eth0.nmconnection" "$WORLD/moved"
up eth1
up eth0
[ "$WHO" = hook ] || start_monitor
for how in up reapply; do
    new_gateway "$how"
    never_default "$how"
    method_auto "$how"
done
