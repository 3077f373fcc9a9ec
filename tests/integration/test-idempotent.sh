#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I3: a second run sends nothing, writes nothing, says nothing (field cases 6, 28).
. "$(dirname "$0")/lib.sh"

start_two_defaults
ip route append default via 192.0.2.254 dev eth0 metric 100 proto static
reach eth0 192.0.2.254
usual_policy

# The lock file is not state; what failed wrote nothing.
assert_quiet()
{
    local found

    grep -qE "${RTM_LOOK:-RTM_GETROUTE}" "$WORLD/trace" || fail "$1: the trace shows no look at the routes"
    found=$(grep -E '^[0-9]+ +(sendto|sendmsg|sendmmsg|write)\(.*RTM_(NEW|DEL)ROUTE' "$WORLD/trace") \
        && fail "$1 sends: $found"
    found=$(grep -E 'open(at)?\(.*(O_WRONLY|O_RDWR|O_CREAT)|^[0-9]+ +(rename|unlink|mkdir|link|f?truncate|f?chmod|utime)[a-z0-9]*\(' \
        "$WORLD/trace" | grep -vE '"/run/tcptune-nm/lock"|"/dev/null"| = -1 E') \
        && fail "$1 writes: $found"
    return 0
}

step 'the hook'
expect 0 hook eth0 up
[ -s "$ERR" ] || fail 'the first run says nothing'
expect 0 hook eth1 up
before=$(all_routes; find /run/tcptune-nm -printf '%p %i %T@ %s\n' | grep -v '/lock ')
expect 0 traced_hook -- eth0 up
assert_silent
assert_quiet 'the hook'

step 'apply'
expect 0 tt apply
expect 0 traced "$TT_CMD" apply
assert_quiet apply
if grep -v "^Warning:" "$ERR"; then fail "apply complains"; fi
assert_same "$before" "$(all_routes; find /run/tcptune-nm -printf '%p %i %T@ %s\n' | grep -v '/lock ')" \
    'something was written'

step 'a policy with no optional key'
printf '[route]\ninitcwnd=20\n' | policy
expect 0 tt apply
expect 0 traced "$TT_CMD" apply
assert_quiet apply

step 'check, status and a dry run never write'
usual_policy
for command in check status 'apply --dry-run' 'revert --dry-run' 'policy show' 'policy check' 'policy test eth0'; do
    # shellcheck disable=SC2086
    traced "$TT_CMD" $command >"$OUT" 2>"$ERR" || [ "$command" = check ] || fail "$command"
    if grep -E '^[0-9]+ +(sendto|sendmsg|write)\(.*RTM_(NEW|DEL)ROUTE' "$WORLD/trace"; then
        fail "$command sends"
    fi
done

step 'revert twice'
expect 0 tt revert
expect 0 traced "$TT_CMD" revert
RTM_LOOK='execve' assert_quiet revert

step 'a host without a policy is none of our business'
rm -rf /etc/tcptune-nm/* /run/tcptune-nm
expect 0 traced_hook -- eth0 up
assert_silent
[ ! -e /run/tcptune-nm ] || fail '/run/tcptune-nm was made for nothing'
