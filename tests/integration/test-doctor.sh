#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each finding of doctor is provoked, found, and gone once its remedy was followed.
. "$(dirname "$0")/lib.sh"

ETC=/etc/NetworkManager/dispatcher.d/90-tcptune-nm

# found STATE TEXT: prints the remedy.
found()
{
    local line

    "$TT_CMD" -t -e no -f STATE,TEXT doctor >"$OUT" 2>"$ERR" || [ $? -eq 11 ] || fail 'doctor fails'
    line=$(grep -nE -- "^$1:.*$2" "$OUT" | head -n 1 | cut -d : -f 1) || true
    [ -n "$line" ] || { cat "$OUT" >&2; fail "not found: $1: $2"; }
    "$TT_CMD" -t -e no -f REMEDY doctor | sed -n "${line}p" || true
}

gone()
{
    "$TT_CMD" -t -e no -f STATE,TEXT doctor >"$OUT" 2>"$ERR" || [ $? -eq 11 ] || fail 'doctor fails'
    if grep -qE -- "$1" "$OUT"; then cat "$OUT" >&2; fail "still found: $1"; fi
}

# cured STATE TEXT: found, and gone after the remedy, which is run as it stands.
cured()
{
    local remedy

    step "$2"
    remedy=$(found "$1" "$2")
    [ -n "$remedy" ] || fail "no remedy for: $2"
    bash -ec "$remedy" >>"$LOG/remedies" 2>&1 || fail "the remedy fails: $remedy"
    gone "$2"
}

# says STATE TEXT REMEDY: found, and the remedy names what would do, which is not run as it stands.
says()
{
    local remedy

    step "$2"
    remedy=$(found "$1" "$2")
    grep -qE -- "$3" <<<"$remedy" || fail "the remedy for '$2' is: $remedy"
}

start_world bare
step 'no NetworkManager, no policy'
says problem 'there is none: nothing is tuned' '/etc/tcptune-nm/tcptune-nm.conf'
says note 'does not run here' 'tcptune-nm-monitor.service'

step 'a healthy host'
mkdir -p /run/NetworkManager
nm_version() { printf '%s %s %s\n' "$1" "$FAKE" "$(cut -d ' ' -f 22 "/proc/$FAKE/stat")" >/run/tcptune-nm/nm-version; }
# A process of that name: what the version's note is good for.
cp /bin/sleep "$WORLD/NetworkManager"
"$WORLD/NetworkManager" 600 &
FAKE=$!
wait_until 2 grep -q '(NetworkManager)' "/proc/$FAKE/stat"
ip addr add 192.0.2.10/24 dev eth0
ip link set eth0 up
ip route add default via 192.0.2.1 proto static metric 100
policy <<'END'
[route]
rto_min=50ms
END
expect 0 tt apply
nm_version 1.30.6
install -D -m 0755 "$TT_HOOK" "$ETC"
mkdir -p "$(dirname "$ETC")/pre-up.d"
ln -s ../90-tcptune-nm "$(dirname "$ETC")/pre-up.d/"
says note 'has not run since boot' 'nmcli connection up'
expect 0 env -i "$ETC" eth0 up
gone 'has not run'
expect 0 tt doctor
refute_out '^(problem|note)'
assert_out '^ok +NetworkManager: 1\.30\.6'

step 'the hook'
cp -p "$ETC" "$WORLD/hook"
chmod 0775 "$ETC"
cured problem 'writable by group or others'
chmod 0644 "$ETC"
cured problem 'not executable by its owner'
chown 65534 "$ETC"
cured problem 'not owned by root'
chmod 4755 "$ETC"
cured problem 'set-user-ID'
mv "$ETC" /usr/lib/NetworkManager/dispatcher.d/ 2>/dev/null || { mkdir -p /usr/lib/NetworkManager/dispatcher.d; mv "$ETC" /usr/lib/NetworkManager/dispatcher.d/; }
mkdir -p /usr/lib/NetworkManager/dispatcher.d/pre-up.d
mv "$(dirname "$ETC")/pre-up.d/90-tcptune-nm" /usr/lib/NetworkManager/dispatcher.d/pre-up.d/
gone '^problem'
ln -s /dev/null "$ETC"
cured problem 'a link to /dev/null: the hook is switched off'
: >"$ETC"
cured problem 'an empty file: the hook is switched off'
cp "$WORLD/hook" "$ETC"
cured note 'hides /usr/lib'
ln -s /nowhere "$ETC"
cured problem 'a link that leads nowhere'
mkdir "$ETC"
cured problem 'no regular file'
rm /usr/lib/NetworkManager/dispatcher.d/pre-up.d/90-tcptune-nm
cured note 'no link in pre-up.d'
mv /usr/lib/NetworkManager/dispatcher.d/90-tcptune-nm "$WORLD/90-tcptune-nm"
says problem 'is neither in /etc' 'install -o root -g root -m 0755 90-tcptune-nm'
(cd "$WORLD" && bash -ec "$(found problem 'is neither in /etc' | sed 's/, or .*//')")
gone 'is neither in'

step 'SELinux'
mount -t tmpfs tmpfs /sys/fs
mkdir /sys/fs/selinux
: >/sys/fs/selinux/enforce
says problem "has the SELinux label '', not NetworkManager_dispatcher_script_t" 'restorecon -v /usr/lib'
/usr/bin/python3 -c "import os; os.setxattr('/usr/lib/NetworkManager/dispatcher.d/90-tcptune-nm',
    'security.selinux', b'system_u:object_r:NetworkManager_dispatcher_script_t:s0')"
gone 'SELinux'
mv /usr/lib/NetworkManager/dispatcher.d/90-tcptune-nm "$WORLD/"
ln -s "$WORLD/90-tcptune-nm" /usr/lib/NetworkManager/dispatcher.d/90-tcptune-nm
says problem 'SELinux goes by the label of that file' 'install'
mv "$WORLD/90-tcptune-nm" /usr/lib/NetworkManager/dispatcher.d/90-tcptune-nm
umount /sys/fs

step 'the dispatcher'
export SYSTEMD_OFFLINE=1
units=/etc/systemd/system
mkdir -p /run/systemd/system $units/timers.target.wants
rm -f $units/dbus-org.freedesktop.nm-dispatcher.service
cured problem 'NetworkManager-dispatcher.service is not enabled'
ln -s /dev/null $units/NetworkManager-dispatcher.service
cured problem 'NetworkManager-dispatcher.service is masked'
ln -s /usr/lib/systemd/system/nm-cloud-setup.timer $units/timers.target.wants/nm-cloud-setup.timer
says note 'nm-cloud-setup is enabled' '^systemctl disable --now nm-cloud-setup.timer'
rm $units/timers.target.wants/nm-cloud-setup.timer
gone 'nm-cloud-setup'

step 'the policy'
printf '[route]\nrto_min=x\n' | policy
says problem 'tcptune-nm.conf:2: ' 'policy check'
policy <<'END'
[route]
rto_min=20ms
[route-idle]
destination=10.99.0.0/16
rto_min=50ms
congctl=unheard_of
END
says problem '1 route is not as the policy says' 'tcptune-nm apply mends'
expect 0 tt apply
gone 'not as the policy says'
says note '\[route-idle\] .*matches no route' '^tcptune-nm policy test'
says note 'rto_min=20ms: below 40ms' ''
says problem 'congctl=unheard_of .*is not loaded' '^modprobe tcp_unheard_of'
expect 0 tt revert
PATH=$(dirname "$TT_CMD"):$PATH
cured problem 'everything was undone by revert'
printf '[route-idle]\ndestination=10.99.0.0/16\nrto_min=50ms\n' | policy
says problem '\[route-idle\] .*matches no route' 'policy test'

step 'the monitor, and what is not held without it'
printf '[route]\nrto_min=50ms\n' | policy
ip route replace default via 192.0.2.1 dev eth0 proto dhcp src 192.0.2.10 metric 100
nm_version 1.42.4
says problem 'not running: 1 route that this NetworkManager may change' 'tcptune-nm-monitor.service'
start_monitor
gone 'not running'
printf '[route]\nrto_min=x\n' | policy
kill -HUP "$MONITOR_PID"
wait_until 2 sh -c '"$0" doctor | grep -q "follows the policy from before"' "$TT_CMD"
says problem 'follows the policy from before its last reload' 'systemctl reload tcptune-nm-monitor'
printf '[route]\nrto_min=50ms\n' | policy
stop_monitor
nm_version 1.44.0
expect 0 tt apply
says note 'not running: 1 learned route is put right only at the next event' 'tcptune-nm-monitor.service'
