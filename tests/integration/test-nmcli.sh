#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The nmcli commands that --dry-run prints do what a run does: executed in a second world, with the
# same profiles and without tcptune-nm, they give the same profiles. For apply, for a policy that
# asks for something else, and for revert. What they cannot write is the note in [user].
. "$(dirname "$0")/lib.sh"

if ! nm_is_at_least 1.40; then
    step 'before 1.40 there is nothing native'
    usual_policy
    start_world
    static_profile eth0
    expect 0 tt apply --dry-run
    refute_out 'nmcli connection modify'
    exit 0
fi

SHARED=$TT_LOG_DIR/nmcli-shared

add_profiles()
{
    static_profile eth0 +ipv4.addresses 203.0.113.10/24 ipv4.dns 192.0.2.53 \
        ipv6.method manual ipv6.addresses 2001:db8:1::10/64 ipv6.gateway fe80::1
    static_profile eth1 ipv4.route-metric 300 ipv4.routes \
        '10.0.0.0/8 198.51.100.9 50 mtu=9000 lock-mtu=true, 10.1.0.0/16 198.51.100.9 table=100,
         0.0.0.0/0 198.51.100.1 300 rto_min=50, 10.2.0.0/16 70 src=198.51.100.10 tos=8'
    profile "it's; \"odd\" \$HOME" eth1 ipv4.method manual ipv4.addresses 192.0.2.77/24 \
        ipv4.gateway 192.0.2.1 ipv4.route-table 100 ipv6.method disabled
    profile auto eth1 ipv4.method auto ipv4.routes '10.3.0.0/16 192.0.2.9' \
        ipv6.routes '2001:db8:3::/48 fe80::9 1024 advmss=1300'
}

# All of them, but for what nmcli cannot write.
profiles()
{
    local uuid

    for uuid in $(nmcli -g UUID,TYPE connection show | sed -n 's/:802-3-ethernet$//p' | sort); do
        nmcli -s -f connection,ipv4,ipv6 connection show "$uuid" | grep -v '^connection.timestamp:'
    done
}

# stage N COMMAND: prints what nmcli would do, then does it.
stage()
{
    local n=$1

    shift
    expect 0 tt "$@" --dry-run
    sed -n 's/^ *\(nmcli connection modify .*\)/\1/p' "$OUT" >"$SHARED/commands-$n"
    [ -s "$SHARED/commands-$n" ] || fail "$*: no command was printed"
    expect 0 tt "$@"
    profiles >"$SHARED/profiles-$n"
}

first_world()
{
    rm -rf "$SHARED"
    mkdir -p "$SHARED/files"
    start_world
    add_profiles
    cp -a /etc/NetworkManager/system-connections/. "$SHARED/files"
    profiles >"$SHARED/profiles-0"
    up eth0

    step 'apply'
    policy <<'END'
[route-a]
destination=any
table=any
rto_min=8ms
quickack=yes
mtu=1400
lock=mtu
END
    stage 1 apply
    grep -q "ipv4.gateway ''" "$SHARED/commands-1" || fail 'no gateway was moved'
    assert_same 4 "$(wc -l <"$SHARED/commands-1")" 'commands'

    step 'another policy'
    policy <<'END'
[route-a]
destination=any
table=any
family=ipv6
initcwnd=20
advmss=1400
[route]
rto_min=20ms
quickack=no
END
    stage 2 apply
    expect 0 tt apply --dry-run
    refute_out 'nmcli connection modify'

    step 'revert'
    stage 3 revert
    assert_same "$(cat "$SHARED/profiles-0")" "$(cat "$SHARED/profiles-3")" 'after revert'
}

second_world()
{
    local n

    start_world
    cp -a "$SHARED/files/." /etc/NetworkManager/system-connections
    nm connection reload
    assert_same "$(cat "$SHARED/profiles-0")" "$(profiles)" 'at the beginning'
    for n in 1 2 3; do
        step "what was printed, $n"
        sh -e "$SHARED/commands-$n" >"$LOG/commands-$n" 2>&1 || fail "$(cat "$LOG/commands-$n")"
        assert_same "$(cat "$SHARED/profiles-$n")" "$(profiles)" "after the commands of stage $n"
    done
}

case ${1:-} in
'')
    first_world
    env -u TT_IN_WORLD bash "$0" second </dev/null || fail 'in the second world'
    rm -rf "$SHARED"
    ;;
second) second_world ;;
esac
