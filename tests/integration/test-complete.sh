#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion: what the program offers, and what bash makes of it.
. "$(dirname "$0")/lib.sh"

start_world bare

# offers WORDS... -- CANDIDATES: exactly these, for the last of the words.
offers()
{
    local -a words=()

    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    assert_same "$*" "$("$TT_CMD" --complete-args "${words[@]}" | paste -s -d ' ')" "${words[*]}"
}

step 'the program'
offers st -- status start stop
offers apply ifname et -- eth0 eth1
offers apply --dry-run '' -- --offline --reapply ifname id uuid
offers apply ifname eth0 i -- ifname id
offers po t -- test
offers policy test e -- eth0 eth1
offers --p -- --pretty
offers -m '' -- tabular multiline
offers -f ROUTE,w -- ROUTE,WANTED
offers -g 'wa' -- WANTED
offers -t -f ROUTE che -- check
offers unheard of '' --
expect 65 "$TT_CMD" --complete-args policy check /et
expect 0 "$TT_CMD" --complete-args policy ch

step 'bash'
ip link add 'a$b' type veth peer name other
# shellcheck disable=SC1091
completed=$(bash --norc -c '
    . /usr/share/bash-completion/bash_completion
    . "$1"
    PATH=$(dirname "$2"):$PATH
    COMP_WORDS=(tcptune-nm apply ifname a)
    COMP_CWORD=3 COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
    _tcptune_nm
    printf "%s\n" "${COMPREPLY[@]}"' - "$TEST_DIR/../../data/completion/tcptune-nm" "$TT_CMD")
assert_same 'a\$b' "$completed" 'a name that a shell would expand'
