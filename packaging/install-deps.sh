#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs and lacks, on Debian and its relatives. Does nothing if all of it is there. LibTorch is left
# out where the release has none (Ubuntu 24.04), or where CUBINLAB_CMAKE_ARGS has -DCUBINLAB_AGENT=OFF.
#   packaging/install-deps.sh [--list]
set -euo pipefail

packages=(
  build-essential cmake ninja-build pkg-config
  qt6-base-dev qt6-svg-dev libxkbcommon-dev libqscintilla2-qt6-dev libqcustomplot-dev fonts-dejavu-core
  libsqlite3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libexpected-dev libzstd-dev liblz4-dev libxxhash-dev
  catch2
)
# For the neural agents.
torch=(libtorch-dev libopenblas0-pthread)
# Only where the release offers them.
optional=(libqt6opengl6-dev libcatch2-dev)

if [[ "${1:-}" == "--list" ]]; then
  printf '%s\n' "${packages[@]}" "${torch[@]}"
  exit 0
fi
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
offered() { apt-cache policy "$1" 2>/dev/null | grep 'Candidate:' | grep -qv '(none)'; }
if ! command -v apt-get >/dev/null 2>&1; then
  echo "No apt-get here. What to install, also on Fedora and Arch, is in resources/docs/install.md; then run packaging/build.sh." >&2
  exit 2
fi
[[ "${CUBINLAB_CMAKE_ARGS:-}" != *CUBINLAB_AGENT=OFF* ]] || torch=()

missing=() unsure=()
for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
for package in "${torch[@]}"; do installed "$package" || unsure+=("$package"); done
((${#missing[@]} + ${#unsure[@]})) || exit 0

run=()
if ((EUID != 0)); then
  if command -v sudo >/dev/null 2>&1; then
    run=(sudo)
  elif ((${#missing[@]})); then
    echo "These packages are missing, and this needs root or sudo to install them: ${missing[*]}" >&2
    exit 2
  else
    exit 0
  fi
fi
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
for package in "${optional[@]}"; do
  if ! installed "$package" && offered "$package"; then missing+=("$package"); fi
done
if [[ " ${unsure[*]} " == *" libtorch-dev "* ]] && ! offered libtorch-dev; then
  echo "This release has no libtorch-dev: without the neural agents (resources/docs/install.md says how to get them)."
  unsure=()
fi
missing+=("${unsure[@]}")
((${#missing[@]})) || exit 0
echo "Installing: ${missing[*]}"
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
