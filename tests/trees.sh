#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian releases with other NetworkManagers, each in a tree of its own, in which the project is
# built and tested by chroot.
#
#   tests/trees.sh names                          the trees there are
#   tests/trees.sh make NAME                      makes it if it is missing or out of date
#   tests/trees.sh run NAME BUILD -- COMMAND...   runs the command in it, with this source at
#                                                 /src (read-only) and the folder BUILD at /build
#
# A tree stays in $TT_TREES (/var/cache/tcptune-nm/trees) and is read-only while it is used.

set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
cache=${TT_TREES:-/var/cache/tcptune-nm/trees}
mirror=${TT_MIRROR:-http://deb.debian.org/debian}

# name, release and what it stands for: one line for each tree
trees='
bullseye  bullseye  NetworkManager 1.30.6, meson 0.56, gcc 10: RHEL 8
trixie    trixie    NetworkManager 1.52: RHEL 9.6 and 10.0
forky     forky     the newest NetworkManager, 1.58 and later, and the newest compiler
'

# libpam-systemd: without it network-manager does not configure in a tree
packages=(ca-certificates gcc libc6-dev meson ninja-build pkg-config libglib2.0-dev libnm-dev
    libmnl-dev libjson-glib-dev libcmocka-dev libpam-systemd network-manager dbus iproute2
    dnsmasq-base radvd strace iputils-ping netcat-openbsd nftables python3
    python3-jsonschema bash-completion procps)
# debootstrap does not know that these are what libnm-dev asks for by other names
packages_since_trixie=(gir1.2-glib-2.0 gir1.2-glib-2.0-dev)

die()
{
    printf 'trees: %s\n' "$*" >&2
    exit 1
}

release_of()
{
    awk -v name="$1" '$1 == name { print $2 }' <<<"$trees" | grep . || die "no tree '$1'"
}

packages_of()
{
    printf '%s\n' "${packages[@]}"
    [ "$1" = bullseye ] || printf '%s\n' "${packages_since_trixie[@]}"
}

# What a tree has to hold: its release and its packages, one in a line.
contents_of()
{
    printf 'release:%s\n' "$1"
    packages_of "$1"
}

# A tree that holds more than that serves as well.
is_made()
{
    [ -e "$cache/$1/.contents" ] \
        && ! contents_of "$2" | grep -qvxFf "$cache/$1/.contents"
}

# The newest release is made by the script of the one that never ends, where its own is missing.
script_of()
{
    local scripts=/usr/share/debootstrap/scripts

    if [ -e "$scripts/$1" ]; then printf '%s' "$scripts/$1"; else printf '%s' "$scripts/sid"; fi
}

# Made aside and renamed: a tree is there as a whole or not at all.
make_tree()
{
    local name=$1 release=$2 aside=$cache/.$1.new list

    rm -rf "$aside" "$cache/.$name.old"
    list=$(packages_of "$release" | paste -s -d ,)
    debootstrap --variant=minbase --include="$list" "$release" "$aside" "$mirror" \
        "$(script_of "$release")" >"$cache/$name.log" 2>&1 || {
        tail -n 20 "$cache/$name.log" >&2
        die "$name: not made"
    }
    rm -rf "$aside"/var/cache/apt/archives/*.deb "$aside"/var/lib/apt/lists/*
    mkdir -p "$aside/src" "$aside/build"
    contents_of "$release" >"$aside/.contents"
    [ ! -e "$cache/$name" ] || mv -T "$cache/$name" "$cache/.$name.old"
    mv -T "$aside" "$cache/$name"
    rm -rf "$cache/.$name.old"
}

make()
{
    local release

    release=$(release_of "$1")
    mkdir -p "$cache"
    exec 9>"$cache/$1.lock"
    flock 9
    is_made "$1" "$release" || make_tree "$1" "$release"
    exec 9>&-
}

# Within mount and process namespaces of its own.
enter_tree()
{
    local tree=$1 build=$2

    shift 2
    mount --bind "$tree" "$tree"
    mount -o remount,bind,ro "$tree"
    mount --bind "$source_dir" "$tree/src"
    mount -o remount,bind,ro "$tree/src"
    mount --bind "$build" "$tree/build"
    mount -t proc proc "$tree/proc"
    mount --rbind /sys "$tree/sys"
    mount --rbind /dev "$tree/dev"
    local dir
    for dir in tmp run root; do
        mount -t tmpfs tmpfs "$tree/$dir"
    done
    exec chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        ${CI:+CI="$CI"} sh -c 'cd /build && exec "$@"' sh "$@"
}

run()
{
    local name=$1 build

    make "$name"
    mkdir -p "$2"
    build=$(cd "$2" && pwd)
    shift 2
    [ "${1:-}" != -- ] || shift
    exec unshare --mount --pid --fork --kill-child \
        bash "$0" enter "$cache/$name" "$build" "$@" </dev/null
}

case ${1:-} in
names) awk 'NF { print $1 }' <<<"$trees" ;;
make) make "$2" ;;
run) shift && run "$@" ;;
enter) shift && enter_tree "$@" ;;
*) die 'usage: trees.sh names | make NAME | run NAME BUILD -- COMMAND [ARGUMENT]...' ;;
esac
