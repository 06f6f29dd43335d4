#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the measurement on one GPU (resources/docs/measurement.md). Prints Markdown tables, continues after a failure, keeps
# each part's output in OUT, and skips parts that are done: a second call resumes the first.
#   app/lab/scripts/gpu-study.sh [BIN_FOLDER [OUT_FOLDER [SECONDS]]]       default: build/bin, ./gpu-study, 900
# PARTS="same hostile" picks parts: probe same hostile rate cold hillclimbed winners liars tests
here=$(cd "$(dirname "$0")/../../.." && pwd)
if [ "$1" = --call ]; then # one part, from below: so that `timeout` ends all of it
    bin=$CUBINLAB_BIN out=$CUBINLAB_OUT total=$CUBINLAB_TOTAL
else
    bin=$(cd "${1:-$here/build/bin}" && pwd) || exit 2
    out=${2:-gpu-study}
    total=${3:-900}
fi
export CUBINLAB_BIN="$bin" CUBINLAB_OUT="$out" CUBINLAB_TOTAL="$total"
samples=$here/samples
probe=$here/resources/probe
mkdir -p "$out" || exit 2
start=$(date +%s)
failed=0

left() { echo $((start + total - $(date +%s))); }
share() { echo $(($1 * total / 900)); } # of the default time

# part NAME WANTED_SECONDS COMMAND...: WANTED_SECONDS is the limit; less where less is left
part() {
    name=$1
    limit=$(share "$2")
    shift 2
    case " ${PARTS:-$name} " in *" $name "*) ;; *) return ;; esac
    if [ -f "$out/$name.done" ]; then
        echo "== $name (from before)"
        cat "$out/$name.txt"
        return
    fi
    rest=$(left)
    [ "$rest" -lt 8 ] && { echo "== $name: no time left"; return; }
    [ "$limit" -gt "$rest" ] && limit=$rest
    echo "== $name (at most $limit s)"
    begun=$(date +%s)
    timeout -k 5 "$limit" "$0" --call "$@" >"$out/$name.txt" 2>"$out/$name.log"
    code=$?
    cat "$out/$name.txt"
    if [ $code -eq 0 ]; then touch "$out/$name.done"; else
        failed=$((failed + 1))
        echo "-- exit $code; the end of its log:"
        tail -n 5 "$out/$name.log"
    fi
    echo "-- $name took $(($(date +%s) - begun)) s"
}

# The measurement suite ends by itself when its time is over; the shell's limit is for what hangs.
suite() {
    name=$1
    seconds=$(share "$2")
    shift 2
    exec "$bin/cubinlab-lab" bench --suite measurement --part "$name" --seconds "$seconds" --samples "$samples" \
        --probe "$probe" "$@"
}

show_probe() {
    "$bin/cubinlab-bench-worker" --probe
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,power.draw,temperature.gpu --format=csv 2>/dev/null
    true
}

measure_hillclimbed() {
    for k in bmm_mma flash_attn flash_attn_mma softmax; do
        echo "### $k, hill-climbed"
        "$bin/cubinlab" measure "$samples/$k.cubin" "$samples/hillclimbed/$k.hillclimb.cubin" --loads 20
    done
}

tune_winners() {
    worst=0
    for k in bmm_mma flash_attn_mma; do
        echo "### $k: greedy, then measured again over fresh loads, twice, and cold"
        db=$out/$k.db
        rm -f "$db" "$db"-* "$out/$k.best.cubin"
        "$bin/cubinlab" tune "$samples/$k.cubin" --agent greedy --evaluator gpu --budget "$(share 18)s" --seed 1 \
            --session "$db" --out "$out/$k.best.cubin" | tail -n 5
        "$bin/cubinlab" measure "$db" --loads 20 --seed 11 || worst=1
        "$bin/cubinlab" measure "$db" --loads 20 --seed 12 --no-energy || worst=1
        "$bin/cubinlab" measure "$db" --loads 12 --cache cold || worst=1
    done
    rm -rf "$out/bundle"
    echo "### evidence bundle of the first, and its repetition"
    "$bin/cubinlab" export "$out/bmm_mma.db" --bundle "$out/bundle" --loads 12 || worst=1
    "$bin/cubinlab" verify "$out/bundle" --loads 12 || worst=1
    return $worst
}

# The program must not be talked into a false answer. Each line says what was expected.
liars() {
    bad=0
    expect() { # CODE DESCRIPTION COMMAND...
        wanted=$1
        what=$2
        shift 2
        said=$("$@" 2>&1)
        code=$?
        [ $code -eq "$wanted" ] && verdict=as-expected || { verdict=NOT-EXPECTED; bad=1; }
        echo "$verdict: $what (exit $code, wanted $wanted): $(echo "$said" | head -n 1)"
    }
    a=$samples/bmm_mma.cubin
    for seed in 1 2 3; do
        said=$("$bin/cubinlab" measure "$a" "$a" --loads 12 --no-energy --seed $seed 2>&1)
        case $said in
            SAME* | UNCLEAR*) echo "as-expected: A against itself: $(echo "$said" | head -n 1)" ;;
            *) bad=1; echo "NOT-EXPECTED: A against itself: $said" ;;
        esac
    done
    expect 2 "the workload of another kernel" "$bin/cubinlab" measure "$a" "$a" --workload "$samples/softmax.workload.json"
    expect 2 "another kernel for B" "$bin/cubinlab" measure "$a" "$samples/softmax.cubin"
    expect 3 "a GPU that is not there" "$bin/cubinlab" measure "$a" "$a" --device 99
    for seed in 1 2; do
        expect 1 "wrong when warm" "$bin/cubinlab" measure "$probe/hostile_probe.sm_90a.cubin" "$out/warm.cubin" --loads 4 --no-energy --seed $seed
    done
    return $bad
}
# The probe with its launch count lowered: the immediate 0x3fedcba8 becomes 64 blocks x 9 launches.
make_warm() {
    python3 - "$probe/hostile_probe.sm_90a.cubin" "$out/warm.cubin" <<'EOF'
import sys
image = open(sys.argv[1], 'rb').read()
old, new = (0x3fedcba8).to_bytes(4, 'little'), (64 * 9 - 1).to_bytes(4, 'little')
assert image.count(old) == 1
open(sys.argv[2], 'wb').write(image.replace(old, new))
EOF
}
run_liars() { make_warm; liars; }

gpu_tests() {
    export CUBINLAB_TEST_WORKER="$bin/cubinlab-bench-worker" CUBINLAB_TEST_SAMPLES="$samples"
    exec "$(dirname "$bin")/tests/test_measure_gpu" "[gpu]"
}

if [ "$1" = --call ]; then
    shift
    "$@"
    exit $?
fi
part probe 15 show_probe
part same 140 suite same 80
part hostile 60 suite hostile 40
part rate 75 suite rate 28
part hillclimbed 100 measure_hillclimbed
part winners 150 tune_winners
part cold 300 suite cold 45
part liars 60 run_liars
[ -x "$(dirname "$bin")/tests/test_measure_gpu" ] && part tests 60 gpu_tests
echo "== $failed parts failed, $(($(date +%s) - start)) s"
exit $failed
