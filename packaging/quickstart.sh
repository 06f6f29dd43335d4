#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs the main job: the workbench on a sample kernel with the agent
# running. Without a display it runs headless and prints the summary; without a GPU it runs on the SM model and says so.
#   packaging/quickstart.sh [CUBIN]
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/install-deps.sh
packaging/build.sh cubinlab_programs
cubin=${1:-samples/bmm_mma.cubin}
if [[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]]; then
  exec build/bin/cubinlab "$cubin" --agent auto --budget 120s
fi
echo "No display: running the agent headless."
out=$(mktemp -d)
build/bin/cubinlab tune "$cubin" --only-reschedules --agent auto --budget 20s --session "$out/quickstart.db" --out "$out/best.cubin"
build/bin/cubinlab check "$out/best.cubin" --against "$cubin"
