#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes Debian packages in build-deb/packages: cubinlab, cubinlab-agent (LibTorch) and cubinlab-bench-worker (alone, for
# machines that only measure). Install them with: apt install ./build-deb/packages/*.deb
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-deps.sh
# Files carry the time of the commit, so that two builds of it are the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
cmake -S . -B build-deb -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DCUBINLAB_TESTS=OFF ${CUBINLAB_CMAKE_ARGS:-} >/dev/null
cmake --build build-deb
rm -rf build-deb/packages && mkdir build-deb/packages
cpack --config build-deb/CPackConfig.cmake -B build-deb/packages >build-deb/cpack.log || { cat build-deb/cpack.log >&2; exit 1; }
rm -rf build-deb/packages/_CPack_Packages
ls -l build-deb/packages
