#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs and lacks, on Debian and its relatives. Does nothing if all of it is there.
#   packaging/install-deps.sh [--list]
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config
  qt6-base-dev qt6-svg-dev libxkbcommon-dev libqscintilla2-qt6-dev libqcustomplot-dev fonts-dejavu-core
  libtorch-dev libopenblas0-pthread
  libsqlite3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libexpected-dev libzstd-dev liblz4-dev libxxhash-dev
  catch2
)
# Only on releases that have them as packages of their own.
optional=(libqt6opengl6-dev libcatch2-dev)

if [[ "${1:-}" == "--list" ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
if ! command -v apt-get >/dev/null 2>&1; then
  echo "No apt-get here: install the equivalents of these packages yourself, then run packaging/build.sh:" >&2
  printf '  %s\n' "${packages[@]}" >&2
  exit 2
fi

missing=()
for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
((${#missing[@]})) || exit 0

run=()
if ((EUID != 0)); then
  command -v sudo >/dev/null 2>&1 || {
    echo "These packages are missing, and this needs root or sudo to install them: ${missing[*]}" >&2
    exit 2
  }
  run=(sudo)
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
for package in "${optional[@]}"; do
  if ! installed "$package" && apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package"); fi
done
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
