#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two routers advertise on one link (field case 8): both hops stay, both are tuned.
. "$(dirname "$0")/lib.sh"

hops()
{
    ip -6 -o route show default | grep -oE 'via fe80::[^ ]+' | sort -u
}

both_are_there()
{
    [ "$(hops | wc -l)" -eq 2 ]
}

policy <<'END'
[main]
learned=always
[route-ra]
protocol=ra
rto_min=8ms
quickack=yes
END
NO_HOOK=1 start_world
second_router
start_ra r0
start_ra r9
static_profile eth0
nm connection modify eth0 ipv6.method auto
up eth0
wait_until 20 both_are_there
before=$(hops)
ip -6 -o route show default
expect 0 hook eth0 up
assert_same "$before" "$(hops)" 'a hop was lost'
tuned=$(ip -6 -o route show default | grep -c "$TUNED")
all=$(ip -6 -o route show default | grep -c .)
[ "$tuned" -eq "$all" ] || fail "$tuned of $all are tuned: $(ip -6 route show default)"
expect 0 tt revert
assert_same "$before" "$(hops)" 'a hop was lost at revert'
