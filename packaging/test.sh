#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs every test. GPU tests skip, visibly, where there is no GPU.
# Tests wait for workers, timers and disks for a third of their time, so more tests run at once than there are cores.
#   packaging/test.sh [CTEST ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-deps.sh
packaging/build.sh
export QT_QPA_PLATFORM=offscreen
exec ctest --test-dir build --output-on-failure -j "$(($(nproc) * 3 / 2 + 1))" "$@"
