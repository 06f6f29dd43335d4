#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Configures and builds into build/ (Release), several sources at once. Arguments are build targets; none builds everything.
#   packaging/build.sh [TARGET...]        CUBINLAB_CMAKE_ARGS: more -D options
set -euo pipefail
cd "$(dirname "$0")/.."
heap=()
memory=$(awk '/^MemTotal:/ {print $2}' /proc/meminfo 2>/dev/null || true)
((${memory:-0} / $(nproc) < 3000000)) || heap=(-DCUBINLAB_COMPILER_HEAP=1500000)
# shellcheck disable=SC2086
cmake --preset release -DCUBINLAB_UNITY=ON "${heap[@]}" ${CUBINLAB_CMAKE_ARGS:-} >build-configure.log 2>&1 || { cat build-configure.log >&2; exit 1; }
rm -f build-configure.log
targets=()
for target in "$@"; do targets+=(--target "$target"); done
cmake --build build "${targets[@]}"
