#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacks, without installing, what core + command line + tests build with (and, with --window, what the window runs with),
# so that a GPU server with no package registry can use them:
#   packaging/unpack-deps.sh .deps            here, on a Debian machine
#   cmake -S . -B build -DCUBINLAB_UI=OFF -DCUBINLAB_DEPS=$PWD/.deps      there
set -euo pipefail
folder=${1:?usage: packaging/unpack-deps.sh FOLDER [--window]}
packages=(libfmt-dev libfmt9 libexpected-dev nlohmann-json3-dev libsqlite3-dev libsqlite3-0 libzstd-dev libzstd1 liblz4-dev liblz4-1 libxxhash-dev
  libcli11-dev catch2)
if [[ "${2:-}" == "--window" ]]; then
  packages+=(libqt6core6 libqt6gui6 libqt6widgets6 libqt6svg6 libqt6printsupport6 libqt6network6 libqt6dbus6 libqscintilla2-qt6-15
    libqcustomplot2.1 libicu72 libdouble-conversion3 libb2-1 libpcre2-16-0 libmd4c0 libmd4c-html0 fonts-dejavu-core libegl1 libgl1 libglvnd0 libglx0
    libopengl0 libx11-6 libxcb1 libxau6 libxdmcp6 libbsd0 libmd0 libfontconfig1 libfreetype6 libpng16-16 libharfbuzz0b libgraphite2-3
    libbrotli1 libjpeg62-turbo libxkbcommon0 libdbus-1-3 libproxy1v5 libgssapi-krb5-2 libts0 libinput10 libmtdev1 libevdev2 libwacom9 libgudev-1.0-0)
fi
mkdir -p "$folder/.archives"
cd "$folder/.archives"
for package in "${packages[@]}"; do
  apt-get download "$package" >/dev/null 2>&1 || echo "not found here, left out: $package" >&2
done
for archive in *.deb; do dpkg -x "$archive" ..; done
cd ..
rm -rf .archives usr/share/doc usr/share/man usr/share/locale
du -sh .
