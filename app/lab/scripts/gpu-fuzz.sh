#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random legal walks over all samples on one GPU, split over parallel processes: is the checker sound?
#   app/lab/scripts/gpu-fuzz.sh [BIN_FOLDER [SECONDS [JOBS [OUT_FOLDER [SEED]]]]]
# Every kernel runs hot and cold, alone and next to a second kernel that disturbs the timing. Ends with one table; the
# documents, and cubin, walk and culprit of every failure, are left in OUT_FOLDER. Exit code 1: a legal candidate failed.
#
# A slice is one process on one kernel under one set of conditions for a fixed time; the slices of a kernel differ in
# their seeds, so no walk is counted twice. Kernels of a millisecond get as much time as the others, hence fewer walks.
# BAD_EVERY=N mixes in a known-bad candidate after N legal ones (default 100, 0: none). One that hangs blocks the
# whole GPU until its watchdog ends it, and legal candidates of other processes may be late because of it.
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${1:-$here/build/bin}
seconds=${2:-480}
jobs=${3:-8}
out=${4:-$here/fuzz-out}
seed=${5:-1}
samples=$here/samples
kernels="bmm bmm_mma ff_swiglu ff_swiglu_mma flash_attn flash_attn_mma gemm_leaky gemm_leaky_mma rmsnorm softmax
gemm_leaky_large flash_attn_d64 flash_attn_d64_mma"
mkdir -p "$out" || exit 2

# 13 kernels x 4 conditions = 52 slices, in as many rounds as that takes with $jobs at a time. Starting a worker takes
# a second or two of a slice.
slices=$(echo $kernels | wc -w)
slices=$((slices * 4))
rounds=$(((slices + jobs - 1) / jobs))
each=$((seconds / rounds - 2))
[ "$each" -ge 4 ] || { echo "$seconds s are too short for $slices slices of 4 s with $jobs jobs" >&2; exit 2; }

number=0
list=$out/slices.txt
: >"$list"
# The conditions in the outer loop: at any time the processes are busy with different kernels under the same ones.
for conditions in hot cold hot-beside cold-beside; do
    for kernel in $kernels; do
        number=$((number + 1))
        echo "$kernel $conditions $((seed * 1000 + number))" >>"$list"
    done
done

slice() {
    kernel=$1
    flags=
    case $2 in cold*) flags='--cache cold' ;; esac
    case $2 in *beside) flags="$flags --background-load" ;; esac
    # shellcheck disable=SC2086
    timeout $((each + 60)) "$bin/cubinlab-lab" fuzz "$samples/$kernel.cubin" --steps 1000000000 --seconds "$each" --seed "$3" \
        --bad-every "${BAD_EVERY:-100}" --input-sets 3 --failures "$out/failures" --json $flags \
        >"$out/$kernel.$2.$3.json" 2>"$out/$kernel.$2.$3.err"
    code=$?
    [ "$code" -le 1 ] || echo "slice $kernel $2 seed $3 ended with exit code $code: $(tail -c 300 "$out/$kernel.$2.$3.err")"
}
if [ "${CUBINLAB_FUZZ_SLICE:-}" ]; then
    each=$CUBINLAB_FUZZ_SLICE
    shift 5
    slice "$@"
    exit 0
fi
echo "$slices slices of $each s, $jobs at a time"
export CUBINLAB_FUZZ_SLICE="$each"
xargs -P "$jobs" -L 1 sh "$0" "$bin" "$seconds" "$jobs" "$out" "$seed" <"$list"
unset CUBINLAB_FUZZ_SLICE

good=
for file in "$out"/*.json; do
    grep -q '"next_walk"' "$file" && good="$good $file"
done
[ "$good" ] || { echo "no slice brought a result" >&2; exit 2; }
# shellcheck disable=SC2086
"$bin/cubinlab-lab" fuzz --json --merge $good >"$out/all.merged" || true
# shellcheck disable=SC2086
"$bin/cubinlab-lab" fuzz --merge $good
