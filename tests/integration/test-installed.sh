#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The hook as it is installed: from a package, tuned before the device counts as up; and what
# nm-dispatcher refuses to run (field case 20).
. "$(dirname "$0")/lib.sh"

A4='default via 192.0.2.1 dev eth0'

usual_policy
NO_HOOK=1 start_world
lib=/usr/lib/NetworkManager/dispatcher.d
static_profile eth0

step 'installed as by a package: in /usr/lib, with a link for pre-up'
install -m 0755 "$TT_HOOK" $lib/90-tcptune-nm
sh "$TEST_DIR/../../dispatcher/install-links.sh" $lib 90-tcptune-nm
# Sees the route as it is when the hook is done with pre-up, before anybody is told "up".
cat >/etc/NetworkManager/dispatcher.d/pre-up.d/95-look <<END
#!/bin/sh
ip -4 route show default >$WORLD/at-pre-up
END
chmod 0755 /etc/NetworkManager/dispatcher.d/pre-up.d/95-look
up eth0
grep -q "$TUNED" "$WORLD/at-pre-up" || fail "not tuned at pre-up: $(cat "$WORLD/at-pre-up")"
assert_route 4 "$A4" "$TUNED"

step 'masked by a link to /dev/null in /etc'
for dir in . pre-up.d; do
    ln -s /dev/null /etc/NetworkManager/dispatcher.d/$dir/90-tcptune-nm
done
up eth0
assert_plain 4 "$A4"
rm /etc/NetworkManager/dispatcher.d/90-tcptune-nm /etc/NetworkManager/dispatcher.d/pre-up.d/90-tcptune-nm
rm -r $lib/90-tcptune-nm $lib/pre-up.d

# refused WHY COMMAND...: what the command does to the file makes nm-dispatcher refuse it.
refused()
{
    local why=$1 file=/etc/NetworkManager/dispatcher.d/90-tcptune-nm

    shift
    step "refused: $why"
    install -m 0755 "$TT_HOOK" $file
    up eth0
    assert_route 4 "$A4" "$TUNED"
    "$@" $file
    : >"$LOG/dispatcher"
    up eth0
    assert_plain 4 "$A4"
    grep -qi "$why" "$LOG/dispatcher" || fail "the dispatcher does not say: $why"
    rm $file
}

refused 'writable by group or other' chmod 0775
refused 'not executable by owner' chmod 0644
refused 'not owned by root' chown 65534
