#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is known of a profile with a moved gateway, and how long: after a restart of the host, with a
# second profile for the device, without a policy, with a broken one, and when the profile is gone.
. "$(dirname "$0")/lib.sh"

OLD='default via 192.0.2.1 dev eth0'
NEW='default via 192.0.2.254 dev eth0'

# All of /run is new, and nothing was activated yet.
restart_host()
{
    nm connection down eth0
    nm connection down eth1
    wait_until 15 dispatcher_is_idle
    rm -rf /run/tcptune-nm
    restart_nm
}

usual_policy
start_world
static_profile eth0 ipv4.route-metric 100
static_profile eth1 ipv4.route-metric 200
tune_profile eth0
cp "$PROFILES/eth0.nmconnection" "$WORLD/moved"
up eth1
up eth0
is_noted eth0 || fail 'the profile is not noted'
[ ! -e "$(note_of eth1)" ] || fail 'a profile that is not ours is noted'

step 'the host restarts, and the administrator edits the profile'
restart_host
up eth1
up eth0
is_noted eth0 || fail 'the profile is not noted after a restart'
assert_route 4 "$OLD" "$TUNED"
modify eth0 ipv4.gateway 192.0.2.254
after_event eth0 reapply nm device reapply eth0
assert_goes_by 'via 192.0.2.254 dev eth0'

step 'it was edited while it was down, and the host restarts'
restart_host
up eth1
up eth0
assert_goes_by 'via 192.0.2.254 dev eth0'
assert_route 4 "$NEW" "$TUNED"

step 'never-default, edited before a restart'
restart_host
install -m 0600 "$WORLD/moved" "$PROFILES/eth0.nmconnection"
nm connection reload
modify eth0 ipv4.never-default yes
up eth1
up eth0
assert_goes_by 'via 198.51.100.1 dev eth1'

step 'a second profile for the device has that gateway: it is not the first one that counts'
static_profile eth0 connection.id second ipv4.route-metric 100 +ipv4.routes '0.0.0.0/0 192.0.2.254'
up eth0 second
wait_until 5 has_route 4 "$OLD" "$TUNED"
hook eth0 up
assert_route 4 "$OLD" "$TUNED"

step 'no policy, and a broken one: the administrator wins all the same'
for text in '' 'rubbish'; do
    expect 0 tt revert
    printf '%s' "$text" >/etc/tcptune-nm/tcptune-nm.conf
    install -m 0600 "$WORLD/moved" "$PROFILES/eth0.nmconnection"
    nm connection reload
    up eth0
    modify eth0 ipv4.gateway 192.0.2.254
    after_event eth0 reapply nm device reapply eth0
    assert_goes_by 'via 192.0.2.254 dev eth0'
    assert_plain 4 "$NEW"
done
usual_policy

step 'the note goes with the profile, and with its stamp'
note=$(note_of eth0)
[ -e "$note" ] || fail 'the profile is not noted'
after_event eth0 down nm connection delete eth0
[ ! -e "$note" ] || fail 'a note of a profile that is deleted'
install -m 0600 "$WORLD/moved" "$PROFILES/eth0.nmconnection"
nm connection reload
up eth0
is_noted eth0 || fail 'the profile is not noted again'
sed -i '/^tcptune-nm/d' "$PROFILES/eth0.nmconnection"
nm connection reload
after_event eth0 reapply nm device reapply eth0
! is_noted eth0 || fail 'a note of a profile without a stamp'
