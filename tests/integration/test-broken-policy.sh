#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# I6: a policy with an error changes nothing, anywhere, and says where the error is
# (field cases 10, 11, 12, 27, 29).
. "$(dirname "$0")/lib.sh"

start_two_defaults
usual_policy
expect 0 tt apply
before=$(all_routes)

# bad LINE WORDS: a policy with this line is refused by name and line, by everybody.
bad()
{
    printf '[route]\nrto_min=50ms\n%s\n' "$1" | policy
    expect 1 tt apply
    assert_err "tcptune-nm.conf:${3:-3}"
    assert_err "$2"
    expect 1 tt check
    expect 1 tt policy check
    expect 1 hook eth0 up
    assert_err "tcptune-nm.conf:${3:-3}"
    assert_same "$before" "$(all_routes)" "routes changed with: $1"
}

step 'keys and values'
bad 'initcwn=20' 'initcwn'
bad 'cwnd=20' 'cwnd'
bad 'ssthresh=20' 'ssthresh'
bad 'rto_min=8ms' 'rto_min'
bad 'advmss=70000' 'advmss'
bad 'quickack=2' 'quickack'
bad 'mtu=1400 # office' 'mtu'
bad '[routes]' 'routes'
bad 'table=main' 'table'
bad $'[route-x]\ndestination=10.0.0.1/8' '10\.0\.0\.1/8' 4
bad $'[host]\ntcp_thin_dupack=maybe' 'tcp_thin_dupack' 4
for value in 500us 0 infinity -1 4294967296 121s 0x8 ''; do
    printf '[route]\nrto_min=%s\n' "$value" | policy
    expect 1 tt apply
    assert_err 'tcptune-nm.conf:2'
    assert_same "$before" "$(all_routes)" "routes changed with rto_min=$value"
done

step 'the same value in several spellings'
for value in 20ms 20 0.02s ' 20ms'; do
    printf '[route]\nrto_min = %s\nquickack=yes\n' "$value" | policy
    expect 0 tt apply
    assert_route 4 "$A4" 'rto_min lock 20ms'
done
usual_policy
expect 0 tt apply

step 'an error in one file of several'
printf '[route]\nrto_min=50ms\n' | policy
printf '[route-b]\nrto_minn=8ms\n' | policy conf.d/50-broken.conf
expect 1 tt apply
assert_err '50-broken.conf:2'
expect 1 hook eth0 up
assert_same "$before" "$(all_routes)" 'routes changed'
rm /etc/tcptune-nm/conf.d/50-broken.conf

step 'a file that others could write, or that is not root'\''s'
chmod 0666 /etc/tcptune-nm/tcptune-nm.conf
expect 1 tt apply
expect 1 hook eth0 up
chmod 0644 /etc/tcptune-nm/tcptune-nm.conf
chown 65534 /etc/tcptune-nm/tcptune-nm.conf
expect 1 tt apply
expect 1 hook eth0 up
assert_same "$before" "$(all_routes)" 'routes changed'
chown 0 /etc/tcptune-nm/tcptune-nm.conf
expect 0 tt apply
assert_route 4 "$A4" 'rto_min lock 50ms'
