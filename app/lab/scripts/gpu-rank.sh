#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Data for resources/docs/model.md: measured schedules of ten kernels (rank files) and loops of one warp.
#   gpu-rank.sh BIN SAMPLES GOOD PROBE OUT [SECONDS]
# BIN: cubinlab-lab, cubinlab-bench-worker, cubinlab-lab-worker. GOOD: folder of good schedules, NAME.cubin each. PROBE:
# synthesis.sm_90a.cubin. OUT: NAME.rank.json, loops.md, loops.json, logs. SECONDS: of each kernel, 40 if not said. The
# kernels are shared between the first two GPUs, or all run on the one there is: five, then ten, times SECONDS and 8 s.
set -u
bin=$1 samples=$2 good=$3 probe=$4 out=$5 seconds=${6:-40}
mkdir -p "$out"
rank() {  # GPU, kernels
    local gpu=$1
    shift
    for kernel in "$@"; do
        "$bin/cubinlab-lab" rank "$kernel" --device "$gpu" --samples "$samples" --good "$good" --seconds "$seconds" \
            --out "$out" >>"$out/rank.$gpu.log" 2>&1
    done
}
first="flash_attn_mma gemm_leaky_mma bmm ff_swiglu rmsnorm"
second="bmm_mma ff_swiglu_mma flash_attn flash_attn_d64_mma softmax"
"$bin/cubinlab-lab" probe "$probe" --loops >"$out/loops.md" 2>&1
"$bin/cubinlab-lab" probe "$probe" --loops --json >"$out/loops.json" 2>"$out/loops.log"
# shellcheck disable=SC2086
if [ "$(nvidia-smi -L 2>/dev/null | grep -c .)" -gt 1 ]; then
    rank 0 $first &
    rank 1 $second
    wait
else
    rank 0 $first $second
fi
cat "$out"/rank.*.log "$out/loops.md"
