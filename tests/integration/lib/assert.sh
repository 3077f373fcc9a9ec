# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2120
#
# What a test says and asks.

FAILURE='FAILED'
TUNED='rto_min lock 8ms quickack 1'

step()
{
    printf '# %s\n' "$*"
}

fail()
{
    FAILURE="FAILED: $* ($TEST_NAME line ${BASH_LINENO[-2]})"
    exit 1
}

# wait_until SECONDS COMMAND [ARGUMENT]...: for conditions that no event announces. On a machine that
# stood still or is busy it looks as often as it would have looked elsewhere.
wait_until()
{
    local end=$((SECONDS + $1 + 1)) looks=$(($1 * 10))

    shift
    while ! "$@" >/dev/null 2>&1; do
        looks=$((looks - 1))
        [ "$SECONDS" -lt "$end" ] || [ "$looks" -gt 0 ] || fail "waited in vain for: $*"
        sleep 0.02
    done
}

# holds_for SECONDS COMMAND [ARGUMENT]...: the condition stays true that long.
holds_for()
{
    local end=$((SECONDS + $1 + 1))

    shift
    while [ "$SECONDS" -lt "$end" ]; do
        "$@" >/dev/null 2>&1 || fail "does not hold any more: $*"
        sleep 0.02
    done
}

# expect STATUS COMMAND [ARGUMENT]...: keeps what it prints in $OUT and $ERR.
expect()
{
    local wanted=$1 got=0

    shift
    "$@" >"$OUT" 2>"$ERR" || got=$?
    { printf '$ %s\n' "$*"; cat "$OUT" "$ERR"; } >>"$LOG/commands"
    [ "$got" -eq "$wanted" ] || {
        cat "$OUT" "$ERR" >&2
        fail "exit status $got instead of $wanted: $*"
    }
}

assert_out()
{
    grep -qE -- "$1" "$OUT" || { cat "$OUT" >&2; fail "standard output lacks: $1"; }
}

assert_err()
{
    grep -qE -- "$1" "$ERR" || { cat "$ERR" >&2; fail "standard error lacks: $1"; }
}

refute_out()
{
    ! grep -qE -- "$1" "$OUT" || { cat "$OUT" >&2; fail "standard output has: $1"; }
}

refute_err()
{
    ! grep -qE -- "$1" "$ERR" || { cat "$ERR" >&2; fail "standard error has: $1"; }
}

assert_silent()
{
    [ ! -s "$OUT" ] && [ ! -s "$ERR" ] || { cat "$OUT" "$ERR" >&2; fail "something was printed"; }
}

# routes FAMILY WORDS: the routes that begin so, one a line; multipath ones joined to one line.
routes()
{
    ip "-$1" -o route show table "${TABLE:-main}" | tr -s '\\\t ' ' ' \
        | awk -v want="$2" 'index($0 " ", want " ") == 1 { sub(/ $/, ""); print }'
}

has_route()
{
    local line

    line=$(routes "$1" "$2")
    [ "$(grep -c . <<<"$line")" -eq 1 ] && [[ " $line " == *" $3 "* ]]
}

is_plain()
{
    local line

    line=$(routes "$1" "$2")
    [ "$(grep -c . <<<"$line")" -eq 1 ] && [[ $line != *rto_min* && $line != *quickack* ]]
}

# assert_route FAMILY BEGINNING WORDS: exactly one route begins so, and it has these words.
assert_route()
{
    has_route "$@" || fail "IPv$1 \"$2\" should be one route with \"$3\"; it is: $(routes "$1" "$2")"
}

# assert_plain FAMILY BEGINNING: exactly one route begins so, and it is not tuned.
assert_plain()
{
    is_plain "$@" || fail "IPv$1 \"$2\" should be one plain route; it is: $(routes "$1" "$2")"
}

no_route()
{
    [ -z "$(routes "$1" "$2")" ]
}

assert_no_route()
{
    no_route "$@" || fail "there should be no IPv$1 \"$2\"; there is: $(routes "$1" "$2")"
}

count_is()
{
    [ "$(routes "$1" "$2" | grep -c .)" -eq "$3" ]
}

# assert_count FAMILY BEGINNING N
assert_count()
{
    count_is "$@" || fail "there should be $3 IPv$1 \"$2\"; there are: $(routes "$1" "$2")"
}

# assert_same TEXT TEXT WHAT
assert_same()
{
    [ "$1" = "$2" ] || {
        diff <(printf '%s\n' "$1") <(printf '%s\n' "$2") >&2 || true
        fail "$3"
    }
}

# Everything that the kernel has, lifetimes left out: for "exactly as before".
all_routes()
{
    ip -4 -d -o route show table all
    ip -6 -d -o route show table all | sed -E 's/ expires [0-9]+sec//'
}

# i1 [CHECKER OPTION]... -- COMMAND [ARGUMENT]...: invariant I1 holds while the command runs.
i1()
{
    expect 0 "$TT_I1" --allow-metrics "${METRICS:-rto_min,quickack}" "$@"
}

# The RTO and ATO of a live socket towards the peer behind the router.
rto()
{
    "$TT_RTO" "${1:-203.0.113.1}" 7 30 ${2:+"$2"}
}

# assert_rto_below MS [ADDRESS [DEVICE]]: a busy machine makes it greater, and nothing makes it less.
# So one connection of many is enough.
assert_rto_below()
{
    local measured n

    for ((n = 0; n < 50; n++)); do
        measured=$(rto "${2:-}" "${3:-}") || fail "no exchange with the peer"
        [ "${measured% *}" -ge "$1" ] || return 0
    done
    fail "the RTO is ${measured% *} ms, not below $1"
}

# assert_rto_above MS [ADDRESS [DEVICE]]: so must each of many be.
assert_rto_above()
{
    local measured n

    for ((n = 0; n < 10; n++)); do
        measured=$(rto "${2:-}" "${3:-}") || fail "no exchange with the peer"
        [ "${measured% *}" -gt "$1" ] || fail "the RTO is ${measured% *} ms, not above $1"
    done
}

tt()
{
    "$TT_CMD" "$@"
}

# The hook as nm-dispatcher runs it: an environment with nothing in it.
hook()
{
    env -i "$TT_HOOK" "$@"
}

# policy [FILE]: standard input becomes the policy.
policy()
{
    local file=/etc/tcptune-nm/${1:-tcptune-nm.conf}

    mkdir -p "$(dirname "$file")"
    cat >"$file"
    chmod 0644 "$file"
}

# What all tests use unless they say otherwise. $NATIVE: no, where the kernel path is what is tested.
usual_policy()
{
    policy <<END
[main]
native=${NATIVE:-auto}
learned=always
[route]
rto_min=8ms
quickack=yes
END
}

found_by_sanitizer()
{
    grep -rlE 'ERROR: (Address|Leak)Sanitizer|runtime error:' "$LOG"
}

show_state()
{
    printf '%s\n' '---- routes' >&2
    ip -d route show table all type unicast | head -n 100 >&2
    if [ -s "$WORLD/events" ]; then
        printf '%s\n' '---- events' >&2
        tail -n 20 "$WORLD/events" >&2
    fi
    if [ -s "$LOG/dispatcher" ]; then
        printf '%s\n' '---- dispatcher' >&2
        grep -v 'environment: \|run script$' "$LOG/dispatcher" | tail -n 12 | cut -c 1-200 >&2
    fi
}

# For what fails without having been asked.
failed_command()
{
    FAILURE="FAILED: exit status $1 of: $2 (${3##*/} line $4)"
}

finish()
{
    local status=$?

    trap - EXIT
    set +e
    if [ "$status" -eq 0 ] && found_by_sanitizer >&2; then
        printf 'FAILED: a sanitizer complained\n' >&2
        status=1
    fi
    if [ "$status" -eq 0 ]; then
        [ -n "${TT_KEEP_LOGS:-}" ] || rm -rf "$LOG"
        [[ $TEST_NAME != test-* ]] || printf 'passed: %s\n' "$TEST_NAME"
    else
        show_state
        printf 'logs: %s\n%s\n' "$LOG" "$FAILURE" >&2
    fi
    exit "$status"
}
