#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes kernels out of running programs and puts them back, on programs as people write them: list, capture, replay, tune,
# run with the result, compare. One line a step, PASS or FAIL; details in OUT/NAME.log. Needs nvcc, PyTorch and Triton.
#   app/lab/scripts/gpu-reach.sh [BIN_FOLDER [OUT [SECONDS_OF_TUNING [PART...]]]]
# COMPARE=2: instead of one --ab and one measure, that often: --ab, the original against itself, with CUBINLAB_BEFORE (an older
# library) as well, and measure hot and cold. OPEN=1: also with launches that are not held back until queued.
# LIGHT=1: one kernel of each program. Parts: overhead nvcc tensor_map triton model cublas variants (default: all); stages of each: STAGES="list capture tune run ab".
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=$(realpath "${1:-$here/build/bin}")
out=$(realpath -m "${2:-/tmp/reach}")
seconds=${3:-20}
shift $(($# < 3 ? $# : 3))
parts=${*:-overhead nvcc tensor_map triton model cublas variants}
stages=" ${STAGES:-list capture tune run ab} "
programs="$here/app/lab/scripts/reach"
cubinlab="$bin/cubinlab"
export CUBINLAB_INJECT=${CUBINLAB_INJECT:-$(ls "$bin/libcubinlab-inject.so" "$bin/../lib/libcubinlab-inject.so" 2>/dev/null | head -1)}
mkdir -p "$out"
cd "$out" || exit 1
failed=0
step() { # NAME COMMAND...: prints PASS or FAIL with the time
    local name=$1 from=$SECONDS
    shift
    if "$@" > "$name.log" 2>&1; then
        echo "PASS $name ($((SECONDS - from)) s)"
    else
        echo "FAIL $name (exit $?, $((SECONDS - from)) s): $(tail -2 "$name.log" | tr '\n' ' ')"
        failed=$((failed + 1))
    fi
}
result() { grep -m1 '^result ' "$1.log"; }
same() { # A B: the program's own results
    local a b
    a=$(result "$1") b=$(result "$2")
    if [ -n "$a" ] && [ "$a" = "$b" ]; then echo "PASS results of $2 equal ($a)"; else
        echo "FAIL results of $2 differ: '$a' '$b'"
        failed=$((failed + 1))
    fi
}
wants() { case "$stages" in *" $1 "*) return 0 ;; esac; return 1; }
# reach NAME KERNEL PROGRAM ARGS...: all stages for one kernel of one program
reach() {
    local name=$1 kernel=$2
    shift 2
    step "$name.plain" timeout 100 "$@"
    if wants list; then
        step "$name.list" timeout 100 "$cubinlab" capture --list -- "$@"
        grep -E '%' "$name.list.log" | head -4
        same "$name.plain" "$name.list"
    fi
    if wants capture; then
        rm -rf "$name.captured"
        step "$name.capture" timeout 200 "$cubinlab" capture --kernel "$kernel" --check -o "$name.captured" ${MORE:-} -- "$@"
        grep -E 'captured|replay|REPLAY' "$name.capture.log" | cut -c1-200
        same "$name.plain" "$name.capture"
    fi
    local cubin
    cubin=$(ls "$name.captured"/*.cubin 2>/dev/null | head -1)
    [ -n "$cubin" ] || { echo "FAIL $name: nothing captured to continue with"; failed=$((failed + 1)); return; }
    # An image may hold more kernels than the one that was captured.
    local name_in
    name_in=$(sed -n 's/^ "kernel": "\(.*\)",$/\1/p' "${cubin%.cubin}.workload.json")
    if wants tune; then
        rm -f "$name.db"* "$name.best.cubin"*
        step "$name.tune" timeout $((seconds + 100)) "$cubinlab" tune "$cubin" --only-reschedules --kernel "$name_in" --evaluator gpu --budget "${seconds}s" \
            --session "$name.db" --out "$name.best.cubin"
        tail -3 "$name.tune.log" | cut -c1-200
    fi
    # A kernel without a faster schedule is run with another legal one, so that the way is shown all the same.
    [ -f "$name.best.cubin" ] && ! cmp -s "$name.best.cubin" "$cubin" || {
        rm -f "$name.model.db"*
        timeout 60 "$cubinlab" tune "$cubin" --kernel "$name_in" --evaluator model --agent random --budget 300steps --session "$name.model.db" \
            --out "$name.best.cubin" --force > "$name.model.log" 2>&1
    }
    if wants run; then
        step "$name.run" timeout 100 "$cubinlab" run --with "$name.best.cubin" --original "$cubin" --require -- "$@"
        grep -E 'replaced' "$name.run.log"
        same "$name.plain" "$name.run"
    fi
    if wants ab && [ -n "$COMPARE" ]; then
        compare "$name" "$cubin" "$name_in" "$@"
    elif wants ab; then
        step "$name.ab" timeout 100 "$cubinlab" run --with "$name.best.cubin" --original "$cubin" --require --ab -- "$@"
        grep -E 'pairs|comparison' "$name.ab.log" | cut -c1-220
        same "$name.plain" "$name.ab"
        step "$name.measure" timeout 100 "$cubinlab" measure "$cubin" "$name.best.cubin" --kernel "$name_in" --no-energy
        head -3 "$name.measure.log" | cut -c1-200
    fi
}
# What --ab says, by method, next to what measure says of the same two. A control has the original's code on both sides.
compare() { # NAME CUBIN KERNEL PROGRAM ARGS...
    local name=$1 cubin=$2 kernel=$3 round library label
    shift 3
    rm -rf "$name.deployed" "$name.control"
    step "$name.deploy" "$cubinlab" run --with "$name.best.cubin" --original "$cubin" --deploy "$name.deployed"
    mkdir -p "$name.control"
    for file in "$name.deployed"/*.schedule; do
        sed -n '/^word\|^info\|^move/d; s/^original \(.*\)/original \1\ntuned \1/; /^tuned/d; p' "$file" > "$name.control/$(basename "$file")"
    done
    for round in $(seq 1 "$COMPARE"); do
        for label in queued open before control control_open control_before; do
            library=$CUBINLAB_INJECT
            case $label in *before) library=$CUBINLAB_BEFORE ;; *open) [ -n "$OPEN" ] || continue ;; esac
            [ -f "$library" ] || continue
            local folder="$name.deployed" gate=1
            case $label in control*) folder="$name.control" ;; esac
            case $label in *open) gate=0 ;; esac
            timeout 100 env LD_PRELOAD="$library" CUBINLAB_AB=1 CUBINLAB_AB_GATE=$gate CUBINLAB_SCHEDULES="$out/$folder" \
                CUBINLAB_OUT="$out/$folder" "$@" > "$name.$label$round.log" 2>&1
            printf '%-16s %s\n' "$label" "$(grep -E 'pairs|REPLACED' "$name.$label$round.log" | cut -c1-230)"
            same "$name.plain" "$name.$label$round"
        done
        timeout 100 "$cubinlab" measure "$cubin" "$name.best.cubin" --kernel "$kernel" --no-energy > "$name.hot$round.log" 2>&1
        timeout 100 "$cubinlab" measure "$cubin" "$name.best.cubin" --kernel "$kernel" --no-energy --cache cold > "$name.cold$round.log" 2>&1
        for label in hot cold; do
            printf '%-16s %s\n' "measure $label" "$(grep -v interval "$name.$label$round.log" | head -2 | tr '\n' ' ' | cut -c1-200)"
        done
    done
}
build() { # NAME FLAGS...
    local name=$1
    shift
    step "$name.build" nvcc -O3 -std=c++17 "$@" -o "$name" "$programs/$name.cu"
}
for part in $parts; do
    echo "== $part"
    case $part in
    overhead)
        build overhead -cudart static -gencode arch=compute_90,code=sm_90
        mkdir -p none idle && printf 'cubinlab-schedule 1\nkernel none\nsm 90\nsize 16\noriginal %032d\ntuned %032d\n' 1 2 > none/none.schedule
        # Nothing wanted of the timed kernels: a schedule of no kernel here, and a kernel that is waited for in vain.
        watched="CUBINLAB_CAPTURE=regex:other CUBINLAB_CAPTURE_LAUNCH=1000000 CUBINLAB_OUT=$out/idle"
        replacing="CUBINLAB_SCHEDULES=$out/none"
        for round in $(seq "${ROUNDS:-2}"); do
            step "overhead.same$round" env LD_PRELOAD="$CUBINLAB_INJECT" CUBINLAB_QUIET=1 $replacing ./overhead same
            step "overhead.replacing$round" env LD_PRELOAD="$CUBINLAB_INJECT" CUBINLAB_QUIET=1 $replacing ./overhead
            step "overhead.watched$round" env LD_PRELOAD="$CUBINLAB_INJECT" CUBINLAB_QUIET=1 $watched ./overhead
            tail -n 2 "overhead.same$round.log" "overhead.replacing$round.log" "overhead.watched$round.log"
        done
        # Processes in turn, in random order within pairs: without the library, with it, with it and a kernel watched.
        python3 - "$CUBINLAB_INJECT" "$out" "${PAIRS:-25}" <<'CODE'
import os, random, statistics, subprocess, sys
library, out, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])
ways = {"plain": {}, "replacing": {"LD_PRELOAD": library, "CUBINLAB_QUIET": "1", "CUBINLAB_SCHEDULES": out + "/none"},
        "watched": {"LD_PRELOAD": library, "CUBINLAB_CAPTURE": "regex:other", "CUBINLAB_CAPTURE_LAUNCH": "1000000",
                    "CUBINLAB_OUT": out + "/idle"}}
times = {way: [] for way in ways}
cores = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, {cores[len(cores) // 2]})
for _ in range(pairs):
    for way in random.sample(list(ways), len(ways)):
        times[way].append(float(subprocess.run(["./overhead", "loop", "140000"], env={**os.environ, **ways[way]},
                                               capture_output=True, text=True, check=True).stdout))
for way in ("replacing", "watched"):
    differences = sorted(b - a for a, b in zip(times["plain"], times[way]))
    n, half = len(differences), 0.98 * len(differences) ** 0.5
    print("processes: plain %.1f ns, %s %.1f ns, difference %+.1f ns [%+.1f, %+.1f] over %d pairs" % (
        statistics.median(times["plain"]), way, statistics.median(times[way]), statistics.median(differences),
        differences[max(0, int(n / 2 - half))], differences[min(n - 1, int(n / 2 + half))], n))
CODE
        ;;
    nvcc)
        [ -x saxpy ] || build saxpy -cudart static -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
            -gencode arch=compute_90,code=compute_90
        reach nvcc regex:matmul ./saxpy
        [ -n "$LIGHT" ] || reach stencil regex:stencil ./saxpy ;;
    tensor_map)
        build tensor_map -gencode arch=compute_90a,code=sm_90a -cudart shared
        reach tensor_map regex:tiles ./tensor_map ;;
    triton)
        export TRITON_CACHE_DIR=$out/triton
        python3 "$programs/attention.py" 2 > /dev/null 2>&1
        reach attention attention_kernel python3 "$programs/attention.py"
        [ -n "$LIGHT" ] || reach product matmul_kernel python3 "$programs/attention.py" ;;
    model)
        export TORCHINDUCTOR_CACHE_DIR=$out/inductor
        python3 "$programs/model.py" > /dev/null 2>&1
        reach inductor 'regex:^triton_' python3 "$programs/model.py"
        reach aten 'regex:softmax|SoftMax' python3 "$programs/model.py" eager ;;
    cublas)
        MORE="--limit 8192" reach cublas 'regex:gemm|cutlass|nvjet|xmma' python3 "$programs/model.py" eager cublas ;;
    variants)
        # Which of two entries the driver takes: code for sm_90 or for sm_90a.
        cat > which.cu <<'CODE'
#include <cstdio>
__global__ void which(int* out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    *out = 901;
#else
    *out = 900;
#endif
}
int main() {
    int* d; int h = 0;
    cudaMalloc(&d, 4);
    which<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    std::printf("result %d\n", h);
}
CODE
        step which.build nvcc -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90a,code=sm_90a -o which which.cu
        step which ./which
        result which ;;
    esac
done
echo "$failed failed"
exit $((failed > 0))
