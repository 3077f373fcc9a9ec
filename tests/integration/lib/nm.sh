# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
#
# NetworkManager and its dispatcher, on a bus of their own.

start_bus()
{
    mkdir -p /run/dbus
    cat >"$WORLD/bus.conf" <<END
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  ${BUS_CONFIG:-}
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="*"/>
    <allow receive_type="*"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
END
    dbus-daemon --config-file="$WORLD/bus.conf" --nofork --nopidfile >"$LOG/bus" 2>&1 &
    wait_until 5 test -S /run/dbus/system_bus_socket
}

start_nm()
{
    write_nm_config
    install_hook
    start_dispatcher
    start_daemon
}

write_nm_config()
{
    local dir=/etc/NetworkManager

    mkdir -p $dir/{conf.d,system-connections} $dir/dispatcher.d/{pre-up.d,pre-down.d,no-wait.d}
    cat >$dir/NetworkManager.conf <<END
[main]
plugins=keyfile
auth-polkit=false
dns=none
rc-manager=unmanaged
systemd-resolved=false
no-auto-default=*
dhcp=internal
[logging]
level=${NM_LOG_LEVEL:-INFO}
[connectivity]
enabled=false
${NM_CONFIG:-}
END
    # Runs after the hook: an event in this file is an event whose hook is done.
    cat >$dir/dispatcher.d/99-world <<END
#!/bin/sh
echo "\$1 \$2" >>$WORLD/events
END
    chmod 0755 $dir/dispatcher.d/99-world
    ln -s ../99-world $dir/dispatcher.d/pre-up.d/99-world
}

# The hook as an administrator without a package installs it: the one file, copied.
install_hook()
{
    [ -n "${NO_HOOK:-}" ] || install -m 0755 "$TT_HOOK" /etc/NetworkManager/dispatcher.d/90-tcptune-nm
}

start_dispatcher()
{
    local program

    for program in /usr/lib/NetworkManager/nm-dispatcher /usr/libexec/nm-dispatcher; do
        [ -x "$program" ] && break
    done
    "$program" --persist --debug >>"$LOG/dispatcher" 2>&1 &
    DISPATCHER_PID=$!
}

start_daemon()
{
    NetworkManager --debug >>"$LOG/nm" 2>&1 &
    NM_PID=$!
    wait_until 10 nm_runs
}

nm_runs()
{
    [ "$(nmcli -t -f RUNNING general)" = running ]
}

restart_nm()
{
    kill "$NM_PID"
    wait "$NM_PID" || true
    start_daemon
}

nm_version()
{
    NetworkManager --version | sed 's/[^0-9.].*//'
}

# nm_is_at_least 1.40
nm_is_at_least()
{
    [ "$(printf '%s\n' "$1" "$(nm_version)" | sort -V | head -n 1)" = "$1" ]
}

# Does this NetworkManager tell nobody of a renewal?
nm_is_silent()
{
    nm_is_at_least 1.36 && ! nm_is_at_least 1.42.6
}

# profile NAME DEVICE [SETTING VALUE]...
profile()
{
    local name=$1 device=$2

    shift 2
    nmcli connection add type ethernet con-name "$name" ifname "$device" autoconnect no "$@" \
        >>"$LOG/nmcli" 2>&1 || fail "nmcli connection add: $(tail -n 1 "$LOG/nmcli")"
}

# static_profile DEVICE [SETTING VALUE]...: address and gateway written in the profile.
static_profile()
{
    local device=$1 number=${1#eth}

    shift
    profile "$device" "$device" ipv4.method manual \
        ipv4.addresses "$(own_address "$number")/24" ipv4.gateway "$(gateway_of "$number")" \
        ipv6.method ignore "$@"
}

# dhcp_profile DEVICE [SETTING VALUE]...
dhcp_profile()
{
    local device=$1

    shift
    profile "$device" "$device" ipv4.method auto ipv6.method ignore "$@"
}

nm()
{
    nmcli -w 20 "$@" >>"$LOG/nmcli" 2>&1 || fail "nmcli $*: $(tail -n 1 "$LOG/nmcli")"
}

# count_events IFACE ACTION
count_events()
{
    grep -cxF -- "$1 $2" "$WORLD/events" || true
}

event_came()
{
    [ "$(count_events "$1" "$2")" -ge "$3" ]
}

# after_event IFACE ACTION COMMAND [ARGUMENT]...: runs the command, then waits for one more event
# of that kind; the hook is done with it.
after_event()
{
    local iface=$1 action=$2 before

    before=$(count_events "$iface" "$action")
    shift 2
    "$@"
    wait_until 15 event_came "$iface" "$action" $((before + 1))
}

# Every request that nm-dispatcher has got is done.
dispatcher_is_idle()
{
    [ "$(grep -ac 'new request' "$LOG/dispatcher")" -eq \
        "$(grep -ac 'completed' "$LOG/dispatcher")" ]
}

# up DEVICE: activates its profile and lets the hook do its work.
up()
{
    after_event "$1" up nm connection up "${2:-$1}"
    wait_until 15 dispatcher_is_idle
}
