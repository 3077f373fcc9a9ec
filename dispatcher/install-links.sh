#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# install-links.sh DISPATCHER_DIR NAME: NetworkManager runs what is in pre-up.d before
# it says that the device is up, and looks nowhere else for that event.
set -eu

case $1 in
/*) dir=${DESTDIR:-}$1 ;;
*) dir=$MESON_INSTALL_DESTDIR_PREFIX/$1 ;;
esac
mkdir -p "$dir/pre-up.d"
ln -sf "../$2" "$dir/pre-up.d/$2"
