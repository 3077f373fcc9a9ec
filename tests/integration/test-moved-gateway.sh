#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The administrator wins: a gateway that was moved into the routes is edited in each of the four
# ways, and traffic goes where he said. By the hook alone: at NetworkManager's next event. With the
# monitor beside it, or alone with its note of the profile: within 100 ms.
#
#   test-moved-gateway.sh hook|monitor|alone
. "$(dirname "$0")/lib.sh"

WHO=$1
OLD='default via 192.0.2.1 dev eth0'
NEW='default via 192.0.2.254 dev eth0'
LEASED='default via 192.0.2.1 dev eth0 proto dhcp'

# The first of the main table's defaults is this one, and tuned.
first_is()
{
    [[ $(head -n 1 <<<"$ROUTES") == "$1 "*"$TUNED"* ]]
}

# takes_effect HOW: the edit becomes true.
takes_effect()
{
    case $1 in
    up) nm connection up eth0 ;;
    reapply) nm device reapply eth0 ;;
    esac
}

# ends_by HOW CAUSE BEGINNING: then the first default is this one.
ends_by()
{
    if [ "$WHO" = hook ]; then
        after_event eth0 "$1" takes_effect "$1"
        ROUTES=$(ip -4 -o route show default)
        first_is "$3" || fail "the first default is not \"$3\": $ROUTES"
    else
        takes_effect "$1" &
        within 100 4 default "$2" "first_is '$3'"
        wait $!
    fi
}

# As `apply` left it, active, and in front.
moved()
{
    wait_until 15 dispatcher_is_idle
    install -m 0600 "$WORLD/moved" "$PROFILES/eth0.nmconnection"
    nm connection reload
    up eth0
    assert_route 4 "$OLD" "$TUNED"
    assert_goes_by 'via 192.0.2.1 dev eth0'
    is_noted eth0 || fail 'the profile is not noted'
}

new_gateway()
{
    step "a new gateway, $1"
    moved
    modify eth0 ipv4.gateway 192.0.2.254
    assert_route 4 "$OLD" "$TUNED"
    assert_goes_by 'via 192.0.2.1 dev eth0'
    ends_by "$1" "came '$NEW'" "$NEW"
    assert_goes_by 'via 192.0.2.254 dev eth0'
    assert_rto_below 20
}

method_auto()
{
    step "method auto, $1"
    moved
    modify eth0 ipv4.method auto ipv4.addresses '' ipv4.gateway ''
    assert_route 4 "$OLD" "$TUNED"
    ends_by "$1" "came '$LEASED'" "$LEASED"
    assert_goes_by 'src 192.0.2.50'
    assert_rto_below 20
}

# With an event, and that takes the hook: the kernel shows nothing of it.
never_default()
{
    step "never-default, $1"
    moved
    modify eth0 ipv4.never-default yes
    assert_route 4 "$OLD" "$TUNED"
    assert_goes_by 'via 192.0.2.1 dev eth0'
    after_event eth0 "$1" takes_effect "$1"
    assert_goes_by 'via 198.51.100.1 dev eth1'
    assert_rto_below 20
}

usual_policy
start_world
export RENEW=60
start_dhcp eth0
static_profile eth0 ipv4.route-metric 100
static_profile eth1 ipv4.route-metric 200
tune_profile eth0
cp "$PROFILES/eth0.nmconnection" "$WORLD/moved"
up eth1
up eth0
[ "$WHO" = hook ] || start_monitor
if [ "$WHO" = alone ]; then
    rm /etc/NetworkManager/dispatcher.d/90-tcptune-nm
fi
for how in up reapply; do
    new_gateway "$how"
    method_auto "$how"
    [ "$WHO" = alone ] || never_default "$how"
done
