# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A world of its own for each test: network, mount, process and host-name namespaces with a
# router behind two cables and, where the test wants it, a real NetworkManager with its
# dispatcher. A test sources this file, calls start_world, and is a plain script from there on.
# Nothing of it is left when the script ends, however it ends.
#
# Programs under test come through the environment (set by meson.build here):
#   TT_HOOK TT_CMD TT_MONITOR  the dispatcher hook, the command, the monitor
#   TT_I1 TT_EXCHANGE TT_RTO   the checker, the packet exchange, the RTO of a live socket
#   TT_OFFLOADS                switches the offloads of a device off
#   TT_TRAFFIC                 servers and clients of TCP
#   TT_DELAY                   a long cable
#   TT_STALLS                  for how long the machine stood still
#   TT_LOOKUPS                 lookups without end (for tests/soak)
#   TT_LOG_DIR                 where logs go; those of tests that passed are removed

set -Eeuo pipefail

TEST_NAME=$(basename "$0" .sh)$(printf -- '-%s' ${@+"$@"} | sed 's/^-$//')
TEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TT_BUILD=${TT_BUILD:-$TEST_DIR/../../build}
: "${TT_HOOK:=$TT_BUILD/dispatcher/90-tcptune-nm}"
: "${TT_CMD:=$TT_BUILD/helper/tcptune-nm}"
: "${TT_MONITOR:=$TT_BUILD/dispatcher/tcptune-nm-monitor}"
: "${TT_I1:=$TT_BUILD/tests/integration/i1-checker}"
: "${TT_EXCHANGE:=$TT_BUILD/tests/integration/i1-exchange}"
: "${TT_DELAY:=$TT_BUILD/tests/integration/delay}"
: "${TT_RTO:=$TT_BUILD/tests/rto}"
: "${TT_OFFLOADS:=$TT_BUILD/tests/offloads}"
: "${TT_TRAFFIC:=$TT_BUILD/tests/traffic}"
: "${TT_STALLS:=$TT_BUILD/tests/integration/stalls}"
: "${TT_LOOKUPS:=$TT_BUILD/tests/lookups}"
: "${TT_LOG_DIR:=$TT_BUILD/tests/integration/logs}"

if [ -z "${TT_IN_WORLD:-}" ]; then
    exec env TT_IN_WORLD=1 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        unshare --net --mount --pid --uts --ipc --fork --kill-child --mount-proc \
        bash "$0" "$@" </dev/null
fi

LOG=$TT_LOG_DIR/$TEST_NAME
rm -rf "$LOG"
mkdir -p "$LOG"

# shellcheck source=lib/assert.sh
. "$TEST_DIR/lib/assert.sh"
# shellcheck source=lib/world.sh
. "$TEST_DIR/lib/world.sh"
# shellcheck source=lib/router.sh
. "$TEST_DIR/lib/router.sh"
# shellcheck source=lib/bare.sh
. "$TEST_DIR/lib/bare.sh"
# shellcheck source=lib/nm.sh
. "$TEST_DIR/lib/nm.sh"
# shellcheck source=lib/moved.sh
. "$TEST_DIR/lib/moved.sh"
# shellcheck source=lib/native.sh
. "$TEST_DIR/lib/native.sh"
# shellcheck source=lib/monitor.sh
. "$TEST_DIR/lib/monitor.sh"
# shellcheck source=lib/traffic.sh
. "$TEST_DIR/lib/traffic.sh"

trap 'failed_command $? "$BASH_COMMAND" "${BASH_SOURCE[0]}" "$LINENO"' ERR
trap finish EXIT

private_file_systems
