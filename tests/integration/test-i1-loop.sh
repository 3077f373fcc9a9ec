#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I1 under load: hook, apply and revert a thousand times, while packets go over each device and
# somebody looks routes up (field case 15).
. "$(dirname "$0")/lib.sh"

ROUNDS=${ROUNDS:-${TT_SLOW:+150}}
ROUNDS=${ROUNDS:-1000}

write_policies()
{
    local name spec

    for name in first second both; do
        case $name in
        first) spec=interface-name:eth0 ;;
        second) spec=interface-name:eth1 ;;
        both) spec='interface-name:eth*' ;;
        esac
        printf '[route-it]\nmatch-device=%s\nrto_min=8ms\nquickack=yes\n' "$spec" >"$WORLD/$name"
    done
}

cat_loop()
{
    cat <<'END'
set -e
cd /etc/tcptune-nm
round=0
while [ $round -lt "$1" ]; do
    for policy in first second both; do
        cp /run/world/$policy tcptune-nm.conf
        env -i "$TT_HOOK" eth0 pre-up # which does not wait for NetworkManager to finish
        env -i "$TT_HOOK" eth1 pre-up
        "$TT_CMD" apply
        round=$((round + 1))
        "$TT_CMD" revert
    done
done
END
}

start_two_defaults
write_policies
cat_loop >"$WORLD/loop"
export TT_HOOK TT_CMD
before=$(all_routes)
printf x >/etc/tcptune-nm/tcptune-nm.conf && cp "$WORLD/both" /etc/tcptune-nm/tcptune-nm.conf
step "$ROUNDS rounds"
i1 -- "$TT_EXCHANGE" --device eth0 --device eth1 -- sh "$WORLD/loop" "$ROUNDS"
tail -n 5 "$ERR"
assert_same "$before" "$(all_routes)" 'not as before'

step 'the same with IPv6'
i1 -- "$TT_EXCHANGE" --to 2001:db8:ffff::1 --device eth0 -- sh "$WORLD/loop" $((ROUNDS / 10))
tail -n 5 "$ERR"
assert_same "$before" "$(all_routes)" 'not as before'
