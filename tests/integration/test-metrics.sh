#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics that the policy does not name stay, undo is exact, no is absence (field cases 9, 13, 16, 17).
. "$(dirname "$0")/lib.sh"

start_two_defaults

set_default()
{
    ip route change default via 192.0.2.1 dev eth0 metric 100 proto static "$@"
    warm eth0 eth1
}

step 'mtu, lock and initcwnd are kept'
policy <<'END'
[route]
rto_min=8ms
END
set_default mtu lock 1400 initcwnd 20 congctl cubic features ecn
before=$(all_routes)
METRICS=rto_min i1 -- "$TT_CMD" apply
for words in 'rto_min lock 8ms' 'mtu lock 1400' 'initcwnd 20' 'congctl cubic' 'features ecn'; do
    assert_route 4 "$A4" "$words"
done
METRICS=rto_min i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'undo'

step 'what was there before the first touch comes back, also after several'
set_default rto_min 300ms quickack 1 initcwnd 20
before=$(all_routes)
for value in 8 50 20; do
    printf '[route]\nrto_min=%sms\nquickack=no\ninitcwnd=30\n' $value | policy
    METRICS=rto_min,quickack,initcwnd i1 -- "$TT_CMD" apply
    assert_route 4 "$A4" "rto_min lock ${value}ms"
    assert_route 4 "$A4" 'initcwnd 30'
    [[ $(routes 4 "$A4") != *quickack* ]] || fail 'quickack=no leaves quickack'
    expect 0 tt check
    expect 0 tt apply
done

step 'a policy that asks for less undoes the rest'
policy <<'END'
[route]
initcwnd=30
END
METRICS=rto_min,quickack i1 -- "$TT_CMD" apply
assert_route 4 "$A4" 'rto_min lock 300ms'
assert_route 4 "$A4" 'quickack 1'
assert_route 4 "$A4" 'initcwnd 30'
METRICS=initcwnd i1 -- "$TT_CMD" revert
assert_same "$before" "$(all_routes)" 'undo'

step 'quickack=no on a route that has it: gone, and the second run finds nothing to do'
set_default quickack 1
policy <<'END'
[route]
quickack=0
END
METRICS=quickack i1 -- "$TT_CMD" apply
assert_plain 4 "$A4"
expect 0 tt check
METRICS=initcwnd i1 -- "$TT_CMD" apply
METRICS=quickack i1 -- "$TT_CMD" revert
assert_route 4 "$A4" 'quickack 1'

step 'none: what we set is undone, what others set stays'
set_default initcwnd 20
policy <<'END'
[route]
rto_min=8ms
initcwnd=30
END
METRICS=rto_min,initcwnd i1 -- "$TT_CMD" apply
policy <<'END'
[route]
rto_min=none
initcwnd=none
END
METRICS=rto_min,initcwnd i1 -- "$TT_CMD" apply
assert_plain 4 "$A4"
assert_route 4 "$A4" 'initcwnd 20'

step 'every attribute at once'
set_default
policy <<'END'
[route]
rto_min=40ms
quickack=yes
advmss=1400
initcwnd=20
initrwnd=30
window=60000
mtu=1400
hoplimit=50
congctl=cubic
features=ecn
fastopen_no_cookie=yes
lock=mtu,congctl
END
METRICS=rto_min,quickack,advmss,initcwnd,initrwnd,window,mtu,hoplimit,congctl,features,fastopen_no_cookie \
    i1 -- "$TT_CMD" apply
for words in 'rto_min lock 40ms' 'quickack 1' 'advmss 1400' 'initcwnd 20' 'initrwnd 30' \
    'window 60000' 'mtu lock 1400' 'hoplimit 50' 'congctl lock cubic' 'features ecn' \
    'fastopen_no_cookie 1'; do
    assert_route 4 "$A4" "$words"
    assert_route 6 "$A6" "$words"
done
expect 0 tt check
METRICS=rto_min,quickack,advmss,initcwnd,initrwnd,window,mtu,hoplimit,congctl,features,fastopen_no_cookie \
    i1 -- "$TT_CMD" revert
assert_plain 4 "$A4"
[[ $(routes 4 "$A4") != *' mtu '* ]] || fail 'mtu is left behind'

step 'a change made by somebody else after ours: seen by check, mended by apply'
usual_policy
i1 -- "$TT_CMD" apply
set_default
expect 11 tt check
assert_out '192.0.2.1'
i1 -- "$TT_CMD" apply
assert_route 4 "$A4" "$TUNED"

step 'a short rto_min earns a warning that names the condition (field case 31)'
expect 0 tt policy check
assert_err 'quickack'
