#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests on a GPU, in one call, that what the checker accepts is right.
#   app/lab/scripts/gpu-trust.sh [BIN_FOLDER [SECONDS [JOBS [OUT_FOLDER [SEED]]]]]
#
#   0 maps        tensor maps of this driver put into the workload of tma_tensor
#   1 originals   every kernel 200 times against itself, alone and next to a second kernel; what differs is left out, loudly
#   2 queues      operands overwritten by younger memory instructions, queues full (QUEUE_SECONDS, default 60)
#   3 directed    every legal edit at an asynchronous or fence instruction (DIRECTED_SHARE of what is left, default 35 %)
#   4 walks       random legal walks until the time is over, hot and cold, alone and next to a second kernel
#
# Kernels: samples/, tests/data/gpu/, and what lies in EXTRA (a folder of cubins with workloads). OUT_FOLDER gets
# summary.md, summary.json, queues.md and .json, failures/ (cubin, walk and culprit) and the single documents under
# parts/. Exit code 1: a legal candidate was wrong or faulted, or an original is not deterministic; 2: it did not run.
#
# FUZZ_FLAGS is added to every fuzz command: FUZZ_FLAGS='--evaluator model' tries the script without a GPU (with
# PARTS='directed walks'), FUZZ_FLAGS='--worker "..."' with a worker of your own. PARTS: which of the parts to run.
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=${1:-$here/build/bin}
seconds=${2:-520}
jobs=${3:-12}
out=${4:-$here/trust-out}
seed=${5:-1}
parts=${PARTS:-maps originals queues directed walks}
bases=${BASES:-0 1 2 3}
begun=$(date +%s)
work=$out/work
mkdir -p "$out/parts" "$out/failures" "$work" || exit 2
left() { echo $((seconds - ($(date +%s) - begun))); }
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

# One fuzz process: NAME CUBIN SECONDS SEED STEPS FLAGS...
if [ "${CUBINLAB_TRUST_SLICE:-}" ]; then
    name=$1 cubin=$2 time=$3 slice_seed=$4 steps=$5
    shift 5
    rest=$((CUBINLAB_TRUST_END - $(date +%s)))
    [ "$rest" -ge 2 ] || { echo "$name" >>"$CUBINLAB_TRUST_OUT/not-run.txt"; exit 0; }
    [ "$time" -le "$rest" ] || time=$rest
    # shellcheck disable=SC2086
    eval "timeout $((time + 45)) \"$CUBINLAB_TRUST_SLICE/cubinlab-lab\" fuzz \"$cubin\" --json --steps $steps --seconds $time \
        --seed $slice_seed --input-sets 2 --failures \"$CUBINLAB_TRUST_OUT/failures\" $* ${FUZZ_FLAGS:-}" \
        >"$CUBINLAB_TRUST_OUT/parts/$name.json" 2>"$CUBINLAB_TRUST_OUT/parts/$name.err"
    code=$?
    [ "$code" -le 1 ] || {
        echo "slice $name ended with exit code $code: $(tail -c 300 "$CUBINLAB_TRUST_OUT/parts/$name.err")" \
            "$(head -c 300 "$CUBINLAB_TRUST_OUT/parts/$name.json")"
        rm -f "$CUBINLAB_TRUST_OUT/parts/$name.json"
        echo "$name" >>"$CUBINLAB_TRUST_OUT/not-run.txt"
    }
    [ -s "$CUBINLAB_TRUST_OUT/parts/$name.err" ] || rm -f "$CUBINLAB_TRUST_OUT/parts/$name.err"
    exit 0
fi
export CUBINLAB_TRUST_OUT="$out"
# Slices from standard input, until so many seconds from now at most.
slices() { CUBINLAB_TRUST_END=$(($(date +%s) + $1)) CUBINLAB_TRUST_SLICE="$bin" xargs -P "$jobs" -L 1 sh "$0"; }

code=0
# --- kernels: copies, so that workloads can be completed next to them
for file in "$here"/samples/*.cubin "$here"/tests/data/gpu/*.cubin ${EXTRA:+"$EXTRA"/*.cubin}; do
    [ -f "$file" ] || continue
    stem=${file%.cubin}
    if [ -f "$stem.workload.json" ]; then
        cp "$file" "$stem.workload.json" "$work/"
    elif [ -f "$stem.workload.in.json" ]; then
        wants maps || continue
        if python3 "$here/app/lab/scripts/tensor-maps.py" "$stem.workload.in.json" "$work/$(basename "$stem").workload.json"; then
            cp "$file" "$work/"
            cp "$work/$(basename "$stem").workload.json" "$out/"
        else
            echo "LEFT OUT: $(basename "$stem"): no tensor maps" | tee -a "$out/left-out.txt"
        fi
    fi
done
kernels=$(cd "$work" && ls ./*.cubin | sed 's,^\./,,; s,\.cubin$,,')

# --- originals: 200 identical candidates each
if wants originals; then
    for k in $kernels; do echo "$k"; done | xargs -P "$jobs" -I{} sh -c \
        "timeout 60 '$bin/cubinlab-lab' fuzz '$work/{}.cubin' --self-check --steps 200 --bad-every 0 --input-sets 2 ${FUZZ_FLAGS:-} >'$out/parts/same.{}.txt' 2>&1 || echo {} >>'$work/bad.txt'"
    for k in $(cat "$work/bad.txt" 2>/dev/null); do
        echo "LEFT OUT: the original of $k does not run or differs from itself: $(tail -c 300 "$out/parts/same.$k.txt")" |
            tee -a "$out/left-out.txt"
        kernels=$(echo "$kernels" | grep -vx "$k")
        code=1
    done
    for k in $kernels; do echo "$k"; done | xargs -P "$jobs" -I{} sh -c \
        "timeout 60 '$bin/cubinlab-lab' fuzz '$work/{}.cubin' --self-check --background-load --steps 200 --bad-every 0 --input-sets 2 ${FUZZ_FLAGS:-} >'$out/parts/beside.{}.txt' 2>&1 || echo {} >>'$work/alone.txt'"
    for k in $(cat "$work/alone.txt" 2>/dev/null); do
        echo "ALONE ONLY: the original of $k differs from itself next to a second kernel: $(tail -c 300 "$out/parts/beside.$k.txt")" |
            tee -a "$out/left-out.txt"
    done
    echo "originals: $(echo "$kernels" | wc -w) kernels, each the same 200 times alone; $(left) s left"
fi

# --- queues
if wants queues; then
    "$bin/cubinlab-lab" probe "$here/resources/probe/queues.sm_90a.cubin" --queues --json --seconds "${QUEUE_SECONDS:-60}" \
        --trials "${QUEUE_TRIALS:-200000}" >"$out/queues.json" 2>"$out/parts/queues.err" ||
        { echo "queues: $(head -c 400 "$out/queues.json" "$out/parts/queues.err")"; [ "$code" = 1 ] || code=2; }
    python3 -c "import json,sys; print(json.load(open(sys.argv[1]))['table'])" "$out/queues.json" >"$out/queues.md"
    echo "queues: $(grep -c 'measured: 0 of' "$out/queues.md") pairs held, $(grep launches "$out/queues.md"); all others:"
    grep -E 'needs a barrier|not shown|no verdict' "$out/queues.md"
fi

# --- directed: the originals first, then the other bases, in chunks so that a long kernel is shared
if wants directed; then
    share=$(($(left) * ${DIRECTED_SHARE:-35} / 100))
    for b in $bases; do for k in $kernels; do echo "$k $b"; done; done >"$work/bases.txt"
    xargs -P "$jobs" -L 1 sh -c "'$bin/cubinlab-lab' fuzz '$work/'\$0.cubin --evaluator model --directed --base \$1 --seed $seed \
        --steps 1 --json >'$work/count.'\$0.\$1.json 2>&1" <"$work/bases.txt"
    while read -r k b; do
        edits=$(sed -n 's/.*"directed": \([0-9]*\).*/\1/p' "$work/count.$k.$b.json" | head -n 1)
        first=0
        while [ "$first" -lt "${edits:-0}" ]; do
            echo "directed.$k.$b.$first $work/$k.cubin 120 $seed ${CHUNK:-800} --directed --base $b --first $first --bad-every 0"
            first=$((first + ${CHUNK:-800}))
        done
    done <"$work/bases.txt" >"$work/directed.txt"
    echo "directed: $(wc -l <"$work/directed.txt") chunks of ${CHUNK:-800} edits in $share s"
    slices "$share" <"$work/directed.txt"
    echo "directed: $(cat "$out/not-run.txt" 2>/dev/null | wc -l) chunks not run; $(left) s left"
fi

# --- walks
if wants walks; then
    conditions='hot cold hot-beside cold-beside'
    count=$(($(echo "$kernels" | wc -w) * 4))
    rounds=$(((count + jobs - 1) / jobs))
    each=$((($(left) - 8) / rounds - 2))
    [ "$each" -ge 3 ] || each=3
    number=0
    for c in $conditions; do
        for k in $kernels; do
            number=$((number + 1))
            flags=
            case $c in cold*) flags='--cache cold' ;; esac
            case $c in *beside)
                flags="$flags --background-load"
                ! grep -qx "$k" "$work/alone.txt" 2>/dev/null || continue
                ;;
            esac
            echo "walks.$k.$c $work/$k.cubin $each $((seed * 1000 + number)) 1000000000 $flags --bad-every ${BAD_EVERY:-400}"
        done
    done >"$work/walks.txt"
    echo "walks: $count slices of $each s, $jobs at a time"
    slices "$(left)" <"$work/walks.txt"
fi

# --- one table
good=
for file in "$out"/parts/*.json; do
    grep -q '"next_walk"' "$file" 2>/dev/null && good="$good $file"
done
if [ "$good" ]; then
    # shellcheck disable=SC2086
    "$bin/cubinlab-lab" fuzz --json --merge $good >"$out/summary.json" || code=1
    # shellcheck disable=SC2086
    "$bin/cubinlab-lab" fuzz --merge $good >"$out/summary.md"
    cut -c 1-600 "$out/summary.md"
else
    echo "no slice brought a result"
    [ "$code" = 1 ] || code=2
fi
[ ! -f "$out/left-out.txt" ] || cat "$out/left-out.txt"
rm -rf "$work"
echo "exit code $code after $(($(date +%s) - begun)) s"
exit $code
