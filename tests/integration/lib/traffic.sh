# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Connections that stay open, and servers behind the router.

# hold NAME ADDRESS [PORT] [COMMAND...]: a connection with 30 requests behind it, by the command
# (setpriv or the like) where there is one.
hold()
{
    local name=$1 address=$2 port=${3:-7}

    shift $(($# < 3 ? $# : 3))
    mkfifo "$WORLD/$name.in"
    eval "exec {hold_$name}<>$WORLD/$name.in"
    "$@" "$TT_TRAFFIC" hold "$address" "$port" 30 <"$WORLD/$name.in" >"$WORLD/$name.out" 2>&1 &
    wait_until 10 has_rounds "$name" 1
}

rounds()
{
    grep -c . "$WORLD/$1.out" || true
}

has_rounds()
{
    [ "$(rounds "$1")" -ge "$2" ]
}

# again NAME: 30 requests more.
again()
{
    local n fd="hold_$1"

    n=$(rounds "$1")
    echo >&"${!fd}"
    wait_until 10 has_rounds "$1" $((n + 1))
    ! is_closed "$1" || fail "connection $1 is closed"
}

# settle NAME...: requests until `sockets` calls the connection tuned; one slow answer lifts an RTO.
settle()
{
    local name

    for name in "$@"; do
        wait_until 10 has_settled "$name"
    done
}

has_settled()
{
    local local_port

    again "$1"
    local_port=$(awk 'NF == 3 { port = $3 } END { print port }' "$WORLD/$1.out")
    tt -t -f LOCAL,VERDICT sockets | grep -q ":$local_port:tuned$"
}

is_closed()
{
    grep -qx closed "$WORLD/$1.out"
}

# serve PORT [DELAY_MS]: an echo behind the router.
serve()
{
    on_router "$TT_TRAFFIC" serve "$@" >>"$LOG/serve-$1" 2>&1 &
    wait_until 5 serves "$1"
}

serves()
{
    on_router ss -Hltn "sport = $1" | grep -q .
}

# verdict ADDRESS [PORT]: what `sockets` says of the connection to it.
verdict()
{
    tt -t -f PEER,VERDICT sockets peer "$1" | sed 's/\\//g' \
        | awk -v peer=":${2:-7}:" 'index($0, peer) { sub(/.*:/, ""); print }'
}

assert_verdict()
{
    local got

    got=$(verdict "$2" "${3:-7}")
    [ "$got" = "$1" ] || fail "sockets says \"$got\" of the connection to $2, not \"$1\""
}

# lose N: of the packets with data that come in here and at the peer, each Nth is lost; SYNs are
# spared, since no rto_min reaches their second. One packet is one segment.
lose()
{
    local side

    "$TT_OFFLOADS" eth0 eth1
    on_router "$TT_OFFLOADS" r0 r1
    for side in "" on_router; do
        $side nft -f - <<END
table inet loss {
    chain lose {
        type filter hook prerouting priority -300;
        iif != lo tcp flags & (syn | rst) == 0 meta length > 100 numgen inc mod $1 0 counter drop
    }
}
END
    done
}

lose_no_more()
{
    nft delete table inet loss
    on_router nft delete table inet loss
}
