#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The monitor holds a router-advertised default, where the policy asks for it: the first one, which
# comes late, and over advertisements, at each of which NetworkManager 1.40 and later puts its own
# back. No hook is there. With the monitor killed just before: within a second of its restart.
#
#   test-monitor-ra.sh [killed]
. "$(dirname "$0")/lib.sh"

export KILLED=${1:-}

advertise_twice()
{
    await_ra r0 2
}

policy <<'END'
[route-ra]
protocol=ra
family=ipv6
rto_min=8ms
quickack=yes
END
NO_HOOK=1 start_world
DEFAULT6="default via $(link_local_of r0) dev eth0"
static_profile eth0 ipv6.method auto ipv6.may-fail yes
start_monitor
up eth0
assert_no_route 6 default

step 'the first advertisement comes late'
during start_ra r0
ends_with "$DEFAULT6" 6
soon tt check
assert_rto_below 20 2001:db8:ffff::1

step 'advertisements'
during advertise_twice
ends_with "$DEFAULT6" 6
if [ -z "$KILLED" ]; then
    sample 20 6 default "$DEFAULT6"
    [ $((UNSETTLED * 100)) -le "$SAMPLES" ] || fail 'more than one of a hundred'
fi

step 'stopped in good order: what needs it is taken back'
stop_monitor
assert_plain 6 "$DEFAULT6"
expect 11 tt check
assert_out 'needs monitor'
