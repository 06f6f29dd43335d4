#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes Debian packages for the release this runs on: cubinlab, cubinlab-agent (LibTorch) and cubinlab-bench-worker (alone,
# for machines that only measure).
#   packaging/deb.sh [--build FOLDER] [--out FOLDER]
# Without --build it configures and builds in build-deb; with it, that folder is built as it is configured, and packed.
# Default for --out: packages in the build folder. Then: apt install ./FOLDER/*.deb
set -euo pipefail
umask 022  # of what is packed, whoever packs it
build='' out=''
while (($#)); do
  case $1 in
    --build | --out)
      printf -v "${1#--}" %s "$(realpath -m "${2:?$1 wants a folder}")"
      shift 2
      ;;
    *) echo "usage: packaging/deb.sh [--build FOLDER] [--out FOLDER]" >&2; exit 2 ;;
  esac
done
cd "$(dirname "$0")/.."
# Files carry the time of the commit, so that two builds of it are the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
if [[ -z "$build" ]]; then
  packaging/install-deps.sh
  build=$PWD/build-deb
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCUBINLAB_TESTS=OFF ${CUBINLAB_CMAKE_ARGS:-} >/dev/null
elif [[ ! -f "$build/CMakeCache.txt" ]]; then
  echo "$build is not a build folder (no CMakeCache.txt)" >&2
  exit 2
fi
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-shlibdeps is missing: apt install dpkg-dev" >&2; exit 2; }
out=${out:-$build/packages}
cmake --build "$build" --target cubinlab_programs
mkdir -p "$out"
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$work" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
mv "$work"/*.deb "$out"
ls -l "$out"/*.deb
