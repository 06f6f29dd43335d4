#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two or more GPUs of one machine: the rate of the pool against one GPU, and a run on all of them. At most 2 minutes.
#   app/lab/scripts/gpu-pool.sh [BIN_FOLDER [OUT_FOLDER]]
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=$(cd "${1:-$here/build/bin}" && pwd) || exit 2
out=${2:-gpu-pool}
samples=$here/samples
mkdir -p "$out" || exit 2
failed=0
part() {
    title=$1
    limit=$2
    shift 2
    echo "== $title"
    timeout -s INT -k 5 "$limit" "$@" || { echo "-- exit $?"; failed=$((failed + 1)); }
}
nvidia-smi -L 2>/dev/null
part "rate of the pool" 50 "$bin/cubinlab-lab" bench --suite measurement --part pool --seconds 30 --samples "$samples"
for gpus in 1 all; do
    rm -f "$out/pool-$gpus.db"*
    part "greedy, 12 s, --workers $gpus" 30 "$bin/cubinlab" tune "$samples/bmm_mma.cubin" --agent greedy --evaluator gpu \
        --workers $gpus --budget 12s --seed 1 --session "$out/pool-$gpus.db" --out "$out/pool-$gpus.cubin"
done
# By GPU and rung that a candidate ended with. A pool whose bests stop while promotions go on shows here.
for gpus in 1 all; do
    echo "== rungs, --workers $gpus: device, rung, outcome, verdict, candidates, of these best"
    python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(
    "SELECT coalesce(device, 0), CASE WHEN detail LIKE ? THEN ? WHEN alpha < 0.03 THEN ? ELSE ? END, outcome, verdict, "
    "count(*), sum(best) FROM mutations WHERE repeated = 0 GROUP BY 1, 2, 3, 4",
    ("%confirmation%", "confirmed", "promoted", "screened")):
    print(*row)
' "$out/pool-$gpus.db"
done
echo "== $failed parts failed"
exit $failed
