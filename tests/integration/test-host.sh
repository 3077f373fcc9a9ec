#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# [host]: applied by command, hook and monitor, undone to what was found, and what cannot be done is
# said while the rest is done (field cases 17, 27).
. "$(dirname "$0")/lib.sh"

IPV4=/proc/sys/net/ipv4
THIN=$IPV4/tcp_thin_linear_timeouts
REUSE=$IPV4/tcp_tw_reuse
RTO=$IPV4/tcp_rto_min_us
HYSTART=/sys/module/tcp_cubic/parameters/hystart_detect

# fake_core KNOB=VALUE...: /proc/sys/net/core with these and no others.
fake_core()
{
    local knob

    mount -t tmpfs tmpfs /proc/sys/net/core
    for knob in "$@"; do
        echo "${knob#*=}" >"/proc/sys/net/core/${knob%%=*}"
    done
}

values()
{
    cat "$THIN" "$REUSE" "$RTO" | paste -sd ' '
    head -n 1 "$HYSTART"
}

assert_value()
{
    assert_same "$(head -n 1 "$1")" "$2" "$1"
}

assert_no_notes()
{
    [ ! -e /run/tcptune-nm/host ] || fail "notes are left: $(cat /run/tcptune-nm/host)"
}

# The policy of [host] alone, unless a test says more.
host_policy()
{
    { printf '[host]\n'; printf '%s\n' "$@"; } | policy
}

start_two_defaults
fake_cubic
echo 0 >$REUSE
before=$(values)

step 'a dry run writes nothing, and shows what would be done'
host_policy tcp_thin_linear_timeouts=yes tcp_tw_reuse=loopback hystart_detect=delay rto_min=50ms
expect 0 tt apply --dry-run
assert_out '^\[host\] tcp_tw_reuse: loopback \(was: no\)$'
assert_out '^    sysctl -w net.ipv4.tcp_tw_reuse=2$'
assert_out "^    echo 2 >$HYSTART$"
assert_same "$before" "$(values)" 'a dry run wrote'
assert_no_notes
expect 11 tt check
assert_out '^\[host\] rto_min +-- +50ms +200ms +differs$'
planned=$(tt apply --dry-run | grep -v '^    ')

step 'apply does what the dry run said, and reads it back'
expect 0 tt apply
assert_same "$planned" "$(cat "$OUT")" 'not what the dry run said'
assert_out '^\[host\] rto_min: 50ms \(was: 200ms\); sockets that listen already, and what they accept, keep the old one$'
assert_same "$(values)" $'1 2 50000\n2' 'after apply'
expect 0 tt check
expect 0 tt status
assert_out '^\[host\] tcp_tw_reuse +-- +loopback +loopback +sysctl +[0-9]+s +ok$'
assert_out '^\[host\] hystart_detect +-- +delay +delay +module +[0-9]+s +ok; counts for the whole host'
expect 0 tt -t -f ROUTE,SECTION status
assert_out '^\[host\] rto_min:\[host\] /etc/tcptune-nm/tcptune-nm.conf\\:5$'

step 'a second run writes nothing (I3)'
expect 0 traced "$TT_CMD" apply
assert_out '^unchanged$'
found=$(grep -E 'open(at)?\(.*(O_WRONLY|O_RDWR|O_CREAT)|(rename|unlink|pwrite64)\(' "$WORLD/trace" \
    | grep -vE '/run/tcptune-nm/lock"|"/dev/null"| = -1 E') && fail "it writes: $found"

step 'a policy that asks for less undoes the rest (I4); none is less'
host_policy tcp_thin_linear_timeouts=none rto_min=50ms
expect 11 tt check
assert_out '^\[host\] tcp_tw_reuse +-- +no +loopback +to be undone$'
expect 0 tt apply
assert_out '^\[host\] tcp_tw_reuse: undone: no \(was: loopback\)$'
assert_same "$(values)" $'0 0 50000\n1' 'after a policy that asks for less'
rm /etc/tcptune-nm/tcptune-nm.conf
expect 0 hook eth0 up
assert_same "$before" "$(values)" 'after the policy was removed'
assert_no_notes
expect 0 hook eth0 up
assert_silent

step 'revert gives back the values found, not those of the stock (field case 17)'
host_policy tcp_thin_linear_timeouts=yes tcp_tw_reuse=loopback hystart_detect=both rto_min=50ms
expect 0 tt apply
echo '[nonsense' >/etc/tcptune-nm/tcptune-nm.conf
expect 0 tt revert --dry-run
assert_out '^    sysctl -w net.ipv4.tcp_rto_min_us=200000$'
expect 0 tt revert
assert_out '^\[host\] hystart_detect: undone: ack-train \(was: both\)'
assert_same "$before" "$(values)" 'after revert'
assert_no_notes
expect 0 tt revert
assert_out '^unchanged$'

step 'what somebody else set meanwhile is theirs'
host_policy tcp_tw_reuse=loopback
expect 0 tt apply
echo 1 >$REUSE
expect 11 tt check
expect 0 tt revert
assert_value $REUSE 1
echo 0 >$REUSE

step 'apply for a device leaves the host alone'
host_policy tcp_tw_reuse=loopback
expect 0 tt apply ifname eth0
assert_out '^unchanged$'
assert_value $REUSE 0

step 'the hook: at its events, once, and silent when there is nothing to do'
expect 0 hook eth0 up
assert_err '^<5>tcptune-nm: \[host\] tcp_tw_reuse: loopback \(was: no\)$'
assert_value $REUSE 2
expect 0 hook eth0 up
assert_silent
echo 0 >$REUSE
expect 0 hook '' connectivity-change
assert_value $REUSE 2
expect 0 hook eth0 down
assert_value $REUSE 2
expect 0 tt revert

step 'a policy with an error changes nothing (I6)'
host_policy tcp_tw_reuse=loopback rto_min=200s
expect 1 tt apply
assert_err 'tcptune-nm.conf:3: \[host\] rto_min=200s'
host_policy tcp_tw_reuse=3
expect 1 tt apply
expect 1 hook eth0 up
assert_err 'tcptune-nm.conf:2: \[host\] tcp_tw_reuse=3'
assert_same "$before" "$(values)" 'a broken policy'

step 'a missing knob: said, exit status 11, the rest applied (field case 27)'
{ usual_policy; printf '[host]\ntcp_thin_dupack=yes\ntcp_tw_reuse=yes\n' | policy conf.d/host.conf; }
expect 11 tt apply
assert_out '^\[host\] tcp_thin_dupack: not available here: gone from the kernel since 4.11$'
assert_out '^\[host\] tcp_tw_reuse: yes \(was: no\)$'
assert_route 4 "$A4" "$TUNED"
expect 11 tt apply
expect 11 tt -t check
assert_out '^\[host\] tcp_thin_dupack::yes::not available here\\: gone'
assert_same "$(wc -l <"$OUT")" 1 'lines of check'
expect 0 hook eth0 up
assert_silent
expect 0 tt revert
assert_plain 4 "$A4"
assert_same "$before" "$(values)" 'after revert'
rm /etc/tcptune-nm/conf.d/host.conf

step 'an unwritable one: exit status 1, the rest applied, nothing of it in the notes'
host_policy tcp_thin_linear_timeouts=yes tcp_tw_reuse=yes
mount --bind $THIN $THIN
mount -o remount,bind,ro $THIN
expect 1 tt apply
assert_err "^\[host\] tcp_thin_linear_timeouts: yes \(was: no\): failed: $THIN: Read-only file system$"
assert_err '^Error: 1 of 2 edits failed'
assert_value $REUSE 1
! grep -q thin /run/tcptune-nm/host || fail 'it is in the notes'
expect 11 tt check
expect 1 hook eth0 up
assert_err '^<3>tcptune-nm: \[host\] tcp_thin_linear_timeouts: yes .*Read-only'
umount $THIN
expect 0 hook eth0 up
assert_value $THIN 1
mount --bind $THIN $THIN
mount -o remount,bind,ro $THIN
expect 1 tt revert
assert_err '^\[host\] tcp_thin_linear_timeouts: undone: no \(was: yes\): failed'
assert_value $REUSE 0
umount $THIN
expect 0 tt revert
assert_same "$before" "$(values)" 'after revert'
assert_no_notes

step 'a value that the kernel refuses: another range behind the same name'
mount --bind $IPV4/tcp_min_snd_mss $THIN
expect 1 tt apply
assert_err "^\[host\] tcp_thin_linear_timeouts: yes \(was: 48\): failed: $THIN: Invalid argument$"
assert_value $REUSE 1
expect 0 tt revert
assert_value $THIN 48
umount $THIN
assert_same "$before" "$(values)" 'after revert'
assert_no_notes

step 'a knob that cannot be read'
mount --bind /dev/null $RTO
host_policy tcp_tw_reuse=yes rto_min=50ms
expect 1 tt apply
assert_err "^\[host\] rto_min: $RTO cannot be read: not one value$"
assert_value $REUSE 1
umount $RTO
expect 0 tt revert

step 'loopback on a kernel that would take 2 for yes: refused, with the reason'
echo 0 >"$WORLD/old"
mount --bind "$WORLD/old" $REUSE
host_policy tcp_tw_reuse=loopback tcp_thin_linear_timeouts=yes
expect 11 tt apply
assert_out '^\[host\] tcp_tw_reuse: refused: this kernel does not know loopback'
assert_out '^\[host\] tcp_thin_linear_timeouts: yes'
assert_value $REUSE 0
expect 11 tt check
assert_out '^\[host\] tcp_tw_reuse +-- +loopback +no +refused: '
expect 0 traced_hook -- eth0 up
assert_silent
! grep -q 'pwrite64(' "$WORLD/trace" || fail 'it tries again and again'
assert_value $REUSE 0
expect 0 tt revert
assert_no_notes
umount $REUSE
assert_same "$before" "$(values)" 'after revert'

step 'hystart_detect without tcp_cubic: said, with the line for modprobe.d'
host_policy hystart_detect=ack-train tcp_tw_reuse=yes
mount -t tmpfs tmpfs /sys/module
expect 11 tt apply
assert_out '"options tcp_cubic hystart_detect=1" belongs into /etc/modprobe.d/tcptune-nm.conf$'
assert_value $REUSE 1
umount /sys/module
expect 0 tt revert

step 'default_qdisc: this network namespace does not have it; the one that does, names devices'
host_policy default_qdisc=fq
expect 11 tt apply
assert_out "^\[host\] default_qdisc: not available here: counts for the whole host, and is set only in the host's own network namespace$"
fake_core netdev_budget=300
expect 11 tt apply
assert_out '^\[host\] default_qdisc: not available here: this kernel has no /proc/sys/net/core/default_qdisc$'
umount /proc/sys/net/core
fake_core netdev_budget=300 default_qdisc=pfifo_fast
ip link add tun0 type veth peer name tun1
ip link set tun0 up
tc qdisc add dev tun0 root pfifo limit 100
expect 0 tt apply
assert_out '^\[host\] default_qdisc: fq \(was: pfifo_fast\); devices that keep theirs: tun0 \(pfifo\)$'
expect 0 tt status
assert_out '^\[host\] default_qdisc +-- +fq +fq +sysctl +[0-9]+s +ok; devices that keep theirs: tun0 \(pfifo\)$'
expect 0 tt check
expect 0 tt revert
assert_value /proc/sys/net/core/default_qdisc pfifo_fast
umount /proc/sys/net/core

step 'no /proc/sys at all: said, and what was noted is kept'
host_policy tcp_tw_reuse=yes
expect 0 tt apply
mount -t tmpfs tmpfs /proc/sys
expect 11 tt apply
assert_out "^\[host\] tcp_tw_reuse: not available here: $REUSE is not shown$"
expect 0 tt revert
umount /proc/sys
assert_value $REUSE 1
expect 0 tt revert
assert_value $REUSE 0

step 'another network namespace with the same folder in /run'
host_policy tcp_tw_reuse=yes hystart_detect=delay
expect 0 tt apply
on_router bash -c "echo 2 >$REUSE"
expect 0 on_router "$TT_CMD" apply
assert_out '^\[host\] tcp_tw_reuse: yes \(was: loopback\)$'
refute_out hystart
expect 0 tt revert
assert_same "$before" "$(values)" 'after revert'
assert_same "$(on_router cat $REUSE)" 1 'the other one after revert here'
expect 0 on_router "$TT_CMD" revert
assert_same "$(on_router cat $REUSE)" 2 'the other one after revert there'
assert_no_notes

step 'notes that are damaged: said, and nothing is done to the host'
host_policy tcp_tw_reuse=yes
echo garbage >/run/tcptune-nm/host
expect 1 tt apply
assert_err '/run/tcptune-nm/host is damaged'
expect 1 hook eth0 up
expect 1 tt revert
assert_value $REUSE 0
rm /run/tcptune-nm/host

step 'a sysctl.d file that wins at the next boot is named, one that agrees is not'
host_policy tcp_tw_reuse=loopback
mkdir -p /etc/sysctl.d
printf '# ours\nnet.ipv4.tcp_tw_reuse = 2\n' >/etc/sysctl.d/60-tcptune.conf
expect 0 tt apply
! grep drift "$ERR" || fail 'it warns'
expect 0 tt check
printf '\n-net/ipv4/tcp_tw_reuse = 1\n' >/etc/sysctl.d/70-other.conf
expect 0 tt apply
assert_err '^Warning: \[host\] tcp_tw_reuse: drift to come: /etc/sysctl.d/70-other.conf:2 sets net.ipv4.tcp_tw_reuse=1 at the next boot$'
expect 0 tt status
assert_out '^\[host\] tcp_tw_reuse .* ok; drift to come: /etc/sysctl.d/70-other.conf:2 sets '
expect 11 tt check
assert_out '^\[host\] tcp_tw_reuse +-- +loopback +loopback +ok; drift to come: /etc/sysctl.d/70-other.conf:2'
expect 0 traced_hook -- eth0 up
! grep -q sysctl.d "$WORLD/trace" || fail 'the hook reads sysctl.d'
expect 0 tt status --prometheus "$WORLD/textfile"
grep -qE '^tcptune_nm_[a-z_]*drift[a-z_]* 1$' "$WORLD/textfile" || fail "$(cat "$WORLD/textfile")"
rm /etc/sysctl.d/[67]0-*.conf
expect 0 tt revert

step 'counters count from the first setting on, and until the last is undone'
host_policy tcp_tw_reuse=loopback
expect 0 tt apply
expect 0 tt status
assert_out '^TCP since [^b]'
expect 0 tt revert
expect 0 tt status
assert_out '^TCP since (the )?boot'

step 'the monitor: at its start, at its events, at a reload; what fails is said once'
{ usual_policy; printf '[host]\ntcp_tw_reuse=yes\ntcp_thin_dupack=yes\n' | policy conf.d/host.conf; }
start_monitor
assert_value $REUSE 1
assert_route 4 "$A4" "$TUNED"
again()
{
    echo 2 >$REUSE
    ip route change default via 192.0.2.1 dev eth0 metric 100 proto static
    wait_until 5 grep -qx 1 $REUSE
}
again
again
echo 2 >$REUSE
mount --bind $REUSE $REUSE
mount -o remount,bind,ro $REUSE
for ms in 20 30 40; do
    ip route change default via 192.0.2.1 dev eth0 metric 100 proto static rto_min $ms
    wait_until 5 has_route 4 "$A4" "$TUNED"
done
umount $REUSE
again
printf '[host]\ntcp_thin_linear_timeouts=yes\n' | policy conf.d/host.conf
kill -HUP "$MONITOR_PID"
wait_until 5 grep -qx 1 $THIN
assert_value $REUSE 2
stop_monitor
assert_value $THIN 1
count_log()
{
    grep -c -- "$1" "$LOG/monitor" || true
}
assert_same "$(count_log 'tcp_thin_dupack: not available here')" 1 'lines about tcp_thin_dupack'
assert_same "$(count_log 'tcp_tw_reuse: yes (was: [a-z]*)$')" 4 'lines about writes to tcp_tw_reuse'
assert_same "$(count_log 'tcp_tw_reuse: yes (was: loopback): failed')" 1 'lines about a failure'
expect 0 tt revert
