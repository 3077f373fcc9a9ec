#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what building and testing needs and this machine lacks, and nothing else.
#
#   tests/install.sh demo     to build, and to run one world
#   tests/install.sh all      the other compilers, checkers and trees as well

set -euo pipefail

debian_demo=(gcc libc6-dev meson ninja-build pkg-config libglib2.0-dev libmnl-dev libnm-dev
    libjson-glib-dev network-manager dbus iproute2 dnsmasq-base radvd iputils-ping util-linux procps)
debian_all=(clang clang-format-14 clang-tidy-14 libclang-rt-14-dev cppcheck gcovr valgrind
    libcmocka-dev strace debootstrap shellcheck python3-jsonschema bash-completion mandoc systemd
    nftables netcat-openbsd)

redhat_demo=(gcc meson ninja-build pkgconf-pkg-config glib2-devel libmnl-devel
    NetworkManager-libnm-devel json-glib-devel NetworkManager dbus-daemon iproute dnsmasq radvd
    iputils util-linux procps-ng)
redhat_all=(clang clang-tools-extra cppcheck gcovr valgrind libasan libubsan libcmocka-devel strace
    debootstrap python3-jsonschema bash-completion mandoc ShellCheck systemd nftables nmap-ncat)

die()
{
    printf 'install: %s\n' "$*" >&2
    exit 1
}

missing_debian()
{
    local package

    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] \
            || printf '%s\n' "$package"
    done
}

# Services of the packages are not started: the tests run their own, and this machine's network
# stays as it is.
install_debian()
{
    local policy=/usr/sbin/policy-rc.d

    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod 0755 $policy
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    fi
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@"
}

missing_redhat()
{
    local package

    for package in "$@"; do
        rpm -q --quiet "$package" || printf '%s\n' "$package"
    done
}

main()
{
    local -a wanted missing

    if command -v apt-get >/dev/null; then
        wanted=("${debian_demo[@]}")
        [ "$1" = demo ] || wanted+=("${debian_all[@]}")
        mapfile -t missing < <(missing_debian "${wanted[@]}")
    elif command -v dnf >/dev/null; then
        wanted=("${redhat_demo[@]}")
        [ "$1" = demo ] || wanted+=("${redhat_all[@]}")
        mapfile -t missing < <(missing_redhat "${wanted[@]}")
    else
        die 'neither apt-get nor dnf is here'
    fi
    [ "${#missing[@]}" -gt 0 ] || return 0
    [ "$(id -u)" -eq 0 ] || die "not root, and these are missing: ${missing[*]}"
    printf 'installing: %s\n' "${missing[*]}"
    if command -v apt-get >/dev/null; then
        install_debian "${missing[@]}"
    else
        dnf -q -y install "${missing[@]}"
    fi
}

main "${1:-all}"
