# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# Profiles before, during and after `apply` and `revert`.

# What nmcli shows of a profile, and its file: without the time at which it was last active.
profile_text()
{
    nmcli -s -f profile connection show "$1" | grep -v '^connection.timestamp'
}

keyfile_of()
{
    printf '/etc/NetworkManager/system-connections/%s.nmconnection' "$1"
}

keyfile_text()
{
    grep -v '^timestamp=' "$(keyfile_of "$1")"
}

# has_line NAME LINE: in the profile's file.
has_line()
{
    grep -qxF -- "$2" "$(keyfile_of "$1")"
}

assert_line()
{
    has_line "$@" || { cat "$(keyfile_of "$1")" >&2; fail "profile $1 lacks the line: $2"; }
}

refute_line()
{
    ! has_line "$@" || { cat "$(keyfile_of "$1")" >&2; fail "profile $1 has the line: $2"; }
}

# start_watching FILE, stop_watching: every change of an address or a route meanwhile.
start_watching()
{
    WATCHED=$WORLD/$1
    ip -ts monitor address route >"$WATCHED" 2>&1 &
    WATCH_PID=$!
    # It has subscribed once it sees this route come and go.
    wait_until 5 watch_sees
}

watch_sees()
{
    ip route add unreachable 192.0.2.99/32 metric 99
    ip route del unreachable 192.0.2.99/32 metric 99
    grep -q 'unreachable 192.0.2.99' "$WATCHED"
}

# unshare of util-linux 2.36 leaves SIGTERM blocked.
stop_watching()
{
    kill -KILL "$WATCH_PID"
    { wait "$WATCH_PID" || true; } 2>/dev/null
}

# No address went, and no IPv6 route but the one that was named.
assert_no_address_went()
{
    ! grep -E 'Deleted [0-9]+: ' "$WATCHED" >&2 || fail "$1: an address was deleted"
}

# without_loss COMMAND [ARGUMENT]...: a packet every 2 ms, and a connection, in each family in
# ${FAMILIES:-4 6}; none is lost or late, and no address goes.
without_loss()
{
    local -a to=()

    [[ ${FAMILIES:-4 6} != *4* ]] || to+=(--to 203.0.113.1)
    [[ ${FAMILIES:-4 6} != *6* ]] || to+=(--to 2001:db8:ffff::1)
    start_watching watched
    expect 0 "$TT_EXCHANGE" "${to[@]}" --device "${DEVICE:-eth0}" --pace 2 -- "$@"
    stop_watching
    assert_no_address_went "$*"
}

# Has NetworkManager attributes for rto_min, and is it told of them?
is_native()
{
    nm_is_at_least 1.40
}
