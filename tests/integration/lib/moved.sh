# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A profile whose gateway stands in its routes, as `apply` leaves it.

PROFILES=/etc/NetworkManager/system-connections

uuid_of()
{
    nmcli -g connection.uuid connection show "$1"
}

note_of()
{
    printf '/run/tcptune-nm/profiles/%s' "$(uuid_of "$1")"
}

is_noted()
{
    [ -e "$(note_of "$1")" ]
}

# tune_profile NAME: by the command that needs no daemon; then NetworkManager reads it again.
tune_profile()
{
    local file=$PROFILES/$1.nmconnection

    "$TT_CMD" apply --offline <"$file" >"$WORLD/tuned" 2>>"$LOG/commands" || fail "apply --offline: $1"
    grep -q "^tcptune-nm.ipv${FAMILY:-4}-gateway=" "$WORLD/tuned" || fail "the gateway of $1 was not moved"
    install -m 0600 "$WORLD/tuned" "$file"
    nm connection reload
}

# modify NAME [SETTING VALUE]...: what an administrator does.
modify()
{
    nm connection modify "$@"
}

# goes_by WORDS: packets to the peer do.
goes_by()
{
    [[ "$(ip route get 203.0.113.1) " == *" $1 "* ]]
}

assert_goes_by()
{
    goes_by "$1" || fail "packets to the peer do not go by $1: $(ip route get 203.0.113.1)"
}
