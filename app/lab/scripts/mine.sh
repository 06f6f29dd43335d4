#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Mines the shortest distances of compiled code: every cubin below the folders (compiler output only, nothing edited)
# into core/legality/tables/observed_distances.inc, and the overwrites that core/legality/tables/queue_order.cpp lists to stdout.
#   app/lab/scripts/mine.sh build/bin/cubinlab-lab samples tests/data/cubins FOLDER...
set -eu
here=$(cd "$(dirname "$0")/../../.." && pwd)
lab=${1:?path of cubinlab-lab}
shift
# Do not mine what a search or a test wrote: those schedules may be illegal.
mapfile -t files < <(find "$@" -name '*.cubin' -size +0 ! -path '*/hillclimbed/*' ! -name 'guarded_depbar.*' ! -name 'guard_rewritten.*' | sort)
table=$here/core/legality/tables/observed_distances.inc
"$lab" mine --table "${files[@]}" >"$table.new"
mv "$table.new" "$table"
"$lab" mine --overwrites "${files[@]}"
