#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A short check of a worker on a GPU machine, with a build (default build/bin) and samples/. Prints everything, continues
# after a failure, and ends with the number of parts that failed.
#   app/lab/scripts/gpu-check.sh [BIN_FOLDER [CANDIDATES]]
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${1:-$here/build/bin}
count=${2:-300}
worker=$bin/cubinlab-bench-worker
lab=$bin/cubinlab-lab-worker
samples=$here/samples
[ -d "$samples" ] || samples=${CUBINLAB_SAMPLES:-$samples}
failed=0
part() {
    title=$1
    shift
    echo "== $title"
    "$@" || { echo "-- exit $?"; failed=$((failed + 1)); }
}
part "libraries of the worker" sh -c "ldd '$worker' | grep -v linux-vdso; ! ldd '$worker' | grep 'not found'"
part "probe" "$worker" --probe
for k in bmm_mma softmax flash_attn_mma gemm_leaky_large flash_attn_d64; do
    [ -f "$samples/$k.cubin" ] || { echo "no $samples/$k.cubin"; continue; }
    n=$count
    case $k in gemm_leaky_large | flash_attn_d64) n=40 ;; esac
    part "selftest $k" timeout 120 "$lab" --selftest "$samples/$k.cubin" $n
done
for k in bmm_mma flash_attn flash_attn_mma softmax; do
    for best in "$samples/hillclimbed/$k.hillclimb.cubin" "$samples/$k.hillclimb.cubin"; do
        [ -f "$best" ] && part "compare $k with its hill-climbed schedule" timeout 120 "$lab" --compare "$samples/$k.cubin" "$best" 20
    done
done
for k in bmm ff_swiglu ff_swiglu_mma flash_attn flash_attn_d64_mma gemm_leaky gemm_leaky_mma rmsnorm; do
    [ -f "$samples/$k.cubin" ] && part "A/A $k" timeout 120 "$lab" --compare "$samples/$k.cubin" "$samples/$k.cubin" 12
done
tests=$(dirname "$bin")/tests/test_measure_gpu
export CUBINLAB_TEST_WORKER="$worker" CUBINLAB_TEST_SAMPLES="$samples"
[ -x "$tests" ] && part "tests on the GPU" timeout 120 "$tests" "[gpu]"
echo "== $failed parts failed"
exit $failed
