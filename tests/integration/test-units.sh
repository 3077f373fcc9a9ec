#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The units: systemd has nothing to say against them, and what they run works as they run it: with
# their capabilities, no new privileges, nothing writable but their folder below /run, and no
# system call that their filter refuses.
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'
ONCE=$TT_BUILD/data/tcptune-nm.service
RESIDENT=$TT_BUILD/data/tcptune-nm-monitor.service
NOTES=$WORLD/notes

# setting UNIT NAME: the values of all its lines, one a line.
setting()
{
    sed -n "s/^$2=//p" "$1"
}

# overlay FOLDER: changes to it stay in this world.
overlay()
{
    local memory

    memory=$(mktemp -d "$WORLD/overlay-XXXXXX")
    mkdir "$memory/upper" "$memory/work"
    mount -t overlay -o "lowerdir=$1,upperdir=$memory/upper,workdir=$memory/work" overlay "$1"
}

# install_for UNIT PROGRAM: where the unit looks for it.
install_for()
{
    local path there

    path=$(setting "$1" ExecStart)
    path=${path%% *}
    there=${path%/*}
    while [ ! -d "$there" ]; do
        there=${there%/*}
    done
    overlay "$there"
    mkdir -p "${path%/*}"
    install -m 0755 "$2" "$path"
}

# exec_line UNIT NAME [MAINPID]: the words of that command, in $WORDS.
exec_line()
{
    local line

    line=$(setting "$1" "$2")
    [ -n "$line" ] || fail "$1 has no $2="
    # shellcheck disable=SC2016
    read -ra WORDS <<<"${line//'$MAINPID'/${3:-}}"
}

# as UNIT COMMAND [ARGUMENT]...: what systemd would do around it; it keeps the process id. $TRACE is
# strace where that is wanted.
as()
{
    local capabilities writable

    writable=$(setting "$1" ReadWritePaths)
    assert_same "$(setting "$1" ProtectKernelTunables)" yes "$1: ProtectKernelTunables"
    capabilities=$(setting "$1" CapabilityBoundingSet | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
    assert_same "$(setting "$1" NoNewPrivileges)" yes "$1: NoNewPrivileges"
    mkdir -p "/run/$(setting "$1" RuntimeDirectory)"
    shift
    # shellcheck disable=SC2016
    exec ${TRACE[@]+"${TRACE[@]}"} env -i PATH="$PATH" NOTIFY_SOCKET="$WORLD/notify" WATCHDOG_USEC=400000 \
        ASAN_OPTIONS=detect_leaks=0 WRITABLE="$writable" unshare --mount sh -c '
            mount --bind /run/tcptune-nm /run/tcptune-nm
            mount -o remount,bind,ro /run
            mount -o remount,bind,ro /etc
            mount --bind /proc/sys /proc/sys
            for path in $WRITABLE; do
                mount --bind "${path#-}" "${path#-}"
            done
            mount -o remount,bind,ro /proc/sys
            exec "$@"' sh \
        setpriv --no-new-privs --inh-caps=-all --bounding-set="-all,$capabilities" -- "$@"
}

# run_line UNIT NAME: the words of a oneshot's command are run to their end.
run_line()
{
    exec_line "$1" "$2"
    (as "$1" "${WORDS[@]}")
}

listen()
{
    : >"$NOTES"
    /usr/bin/python3 - "$WORLD/notify" >>"$NOTES" <<'PYTHON' &
import socket, sys
notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notify.bind(sys.argv[1])
while True:
    print(notify.recv(4096).decode().replace("\n", " "), flush=True)
PYTHON
    wait_until 5 test -S "$WORLD/notify"
}

# noted N TEXT: came at least that often.
noted()
{
    [ "$(grep -cE -- "^$2" "$NOTES")" -ge "$1" ]
}

# -D: the program keeps its process id, and strace is the child.
start_as_unit()
{
    local -a TRACE=(strace -D -f -s 200 -o "$WORLD/trace")

    exec_line "$RESIDENT" ExecStart
    (as "$RESIDENT" "${WORDS[@]}") 2>>"$LOG/monitor" &
    MONITOR_PID=$!
    wait_until 20 noted 1 READY=1
}

# reload N: by the unit's own line; until it is ready for the Nth time.
reload()
{
    exec_line "$RESIDENT" ExecReload "$MONITOR_PID"
    (as "$RESIDENT" "${WORDS[@]}")
    wait_until 20 noted "$1" READY=1
}

# calls_of PROGRAM: the system calls in the trace, from the start of that program on.
calls_of()
{
    awk -v start="execve\\(\"[^\"]*/$1\"" '
        $0 ~ start { on = 1 }
        on && match($2, /^[a-z0-9_]+\(/) { print substr($2, 1, RLENGTH - 1) }' "$WORLD/trace" | sort -u
}

# group NAME: the system calls of a group of systemd's, or the one of that name.
group()
{
    local name

    [[ $1 == @* ]] || { printf '%s\n' "$1"; return; }
    systemd-analyze syscall-filter "$1" | awk 'NR > 1 && $1 !~ /^#/ { print $1 }' \
        | while read -r name; do
            group "$name"
        done
}

# allowed_by UNIT: what its filter lets through.
allowed_by()
{
    local name
    local -a words

    # What is always allowed, and what the list begins with.
    read -ra words <<<"@default $(setting "$1" SystemCallFilter | grep -v '^~')"
    for name in "${words[@]}"; do
        group "$name"
    done | sort -u >"$WORLD/allowed"
    read -ra words <<<"$(setting "$1" SystemCallFilter | sed -n 's/^~//p')"
    for name in "${words[@]}"; do
        group "$name"
    done | sort -u | comm -13 - "$WORLD/allowed"
}

# assert_allowed UNIT PROGRAM: the filter refuses nothing of what the program did, but for the call
# by which GLib finds out whether it is refused.
assert_allowed()
{
    local refused

    # A sanitizer does more than the program.
    ! grep -q __asan_init "$TT_MONITOR" || return 0
    [ "$(calls_of "$2" | grep -c .)" -gt 20 ] || fail "hardly anything was traced of $2"
    refused=$(comm -13 <(allowed_by "$1") <(calls_of "$2") | grep -vxF sched_setattr || true)
    [ -z "$refused" ] || fail "the filter of $1 refuses: $refused"
}

# verify UNIT...: systemd 247 wants to see control groups; read-only, so that it moves nobody.
verify()
{
    # shellcheck disable=SC2016
    unshare --cgroup --mount sh -c '
        mount -t cgroup2 cgroup2 /sys/fs/cgroup && mount -o remount,bind,ro /sys/fs/cgroup || exit
        exec systemd-analyze verify --man=no "$@"' sh "$@"
}

fake_cubic
usual_policy
policy conf.d/host.conf <<'END'
[host]
tcp_tw_reuse=yes
hystart_detect=delay
END
NO_HOOK=1 start_world
static_profile eth0
up eth0
assert_plain 4 "$A4"
host_values()
{
    head -qn 1 /proc/sys/net/ipv4/tcp_tw_reuse /sys/module/tcp_cubic/parameters/hystart_detect \
        | paste -sd ' '
}

# In this order: there may be no libexec yet, and what is mounted above hides what is below.
install_for "$RESIDENT" "$TT_MONITOR"
install_for "$ONCE" "$TT_CMD"

step 'systemd-analyze verify'
verify "$ONCE" "$RESIDENT" >"$OUT" 2>&1 || fail "verify: $(cat "$OUT")"
refute_out 'tcptune-nm'

step 'systemd-analyze security'
if systemd-analyze --help | grep -q -- --offline; then # 250 and later
    expect 0 systemd-analyze security --no-pager --offline=true --threshold=20 "$ONCE"
    expect 0 systemd-analyze security --no-pager --offline=true --threshold=20 "$RESIDENT"
fi

step 'the oneshot: start, reload, stop'
TRACE=(strace -f -o "$WORLD/trace" -e inject=sched_setattr:error=EPERM)
expect 0 run_line "$ONCE" ExecStart
assert_route 4 "$A4" "$TUNED"
assert_same "$(host_values)" '1 2' 'settings of the host after start'
assert_allowed "$ONCE" tcptune-nm
TRACE=()
grep -q "^$(nm_version) " /run/tcptune-nm/nm-version || fail 'the version was not noted'
sed -i 's/8ms/9ms/' /etc/tcptune-nm/tcptune-nm.conf
expect 0 run_line "$ONCE" ExecReload
assert_route 4 "$A4" 'rto_min lock 9ms'
expect 0 run_line "$ONCE" ExecStop
assert_plain 4 "$A4"
assert_same "$(host_values)" '2 1' 'settings of the host after stop'

step 'a setting that this kernel does not have is no failure of the unit'
printf '[host]\ntcp_thin_dupack=yes\n' | policy conf.d/gone.conf
expect "$(setting "$ONCE" SuccessExitStatus)" run_line "$ONCE" ExecStart
expect 0 run_line "$ONCE" ExecStop
rm /etc/tcptune-nm/conf.d/gone.conf

step 'a policy with an error: nothing is done, and the monitor is not started again'
policy <<<'[nonsense]'
expect 1 run_line "$ONCE" ExecStart
expect "$(setting "$RESIDENT" RestartPreventExitStatus)" run_line "$RESIDENT" ExecStart
assert_err 'tcptune-nm.conf:1'
assert_plain 4 "$A4"

step 'the monitor starts: ready when the route is tuned, not before'
NATIVE=no usual_policy
expect 0 tt status
assert_out '^monitor: not running$'
listen
start_as_unit
assert_route 4 "$A4" "$TUNED"
assert_same "$(host_values)" '1 2' 'settings of the host with the monitor'
awk '/RTM_NEWROUTE/ && /NLM_F_REPLACE/ { tuned = 1 } /READY=1/ { exit !tuned }' "$WORLD/trace" \
    || fail 'ready before the route was tuned'
expect 0 tt status
assert_out '^monitor: running for [0-9]+s, [0-9]+ events? seen, 1 route put right \(last [0-9]+s ago\)$'
expect 0 tt -t status
refute_out monitor
expect 0 tt check

step 'the watchdog'
[ "$(setting "$RESIDENT" WatchdogSec)" -gt 0 ] || fail 'no watchdog'
wait_until 10 noted 3 WATCHDOG=1

step 'a second one'
expect 1 run_line "$RESIDENT" ExecStart
assert_err 'another monitor is running'
noted 1 READY=1 && ! noted 2 READY=1 || fail 'the second one said that it is ready'

step 'reload: another policy'
sed -i 's/8ms/9ms/' /etc/tcptune-nm/tcptune-nm.conf
reload 2
wait_until 5 has_route 4 "$A4" 'rto_min lock 9ms'
assert_same "$(grep -v WATCHDOG "$NOTES" | sed 's/=[0-9]\{2,\}$/=N/' | tail -n 2)" \
    $'RELOADING=1 MONOTONIC_USEC=N\nREADY=1' 'reload as told'

step 'reload: a policy with an error; the one before stays, status and check say so'
good=$(cat /etc/tcptune-nm/tcptune-nm.conf)
policy <<<'[nonsense]'
reload 3
assert_route 4 "$A4" 'rto_min lock 9ms'
expect 1 tt status
assert_err 'tcptune-nm.conf:1'
policy <<<"$good"
wait_until 5 grep -q policy-error /run/tcptune-nm/monitor-status
expect 0 tt status
assert_out '^monitor: follows the policy from before its last reload, which failed: .*tcptune-nm.conf:1'
expect 11 tt -t check
assert_out '^monitor::::follows the policy'
reload 4
expect_fine()
{
    tt check && ! tt status | grep 'follows the policy'
}
wait_until 5 expect_fine

step 'stop: in good order, and what needs no monitor stays'
kill -TERM "$MONITOR_PID"
wait "$MONITOR_PID" || fail "the monitor ended with status $?"
wait_until 5 noted 1 STOPPING=1
assert_same "$(grep -v WATCHDOG "$NOTES" | tail -n 1)" STOPPING=1 'the last word'
assert_route 4 "$A4" 'rto_min lock 9ms'
assert_allowed "$RESIDENT" tcptune-nm-monitor
expect 0 tt status
assert_out '^monitor: not running$'
