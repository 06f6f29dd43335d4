#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs under the preloaded library on a GPU: launches as the profiler counts them, results as without it, and what a
# launch costs more. One line a check. Needs PyTorch; nvcc for the parts device_graph and overhead. About 240 s. The parts
# torch, jit, device_graph and entries may run next to each other, `run` behind torch; time and overhead want the machine alone.
#   app/lab/scripts/gpu-launches.sh [BIN_FOLDER [OUT [PART...]]]      parts: torch run jit device_graph entries time overhead
here=$(cd "$(dirname "$0")/../../.." && pwd)
bin=$(realpath "${1:-$here/build/bin}")
out=$(realpath -m "${2:-/tmp/launches}")
shift $(($# < 2 ? $# : 2))
parts=${*:-torch run jit device_graph entries time overhead}
programs="$here/app/lab/scripts/reach"
cubinlab="$bin/cubinlab"
export CUBINLAB_INJECT=${CUBINLAB_INJECT:-$(ls "$bin/libcubinlab-inject.so" "$bin/../lib/libcubinlab-inject.so" 2>/dev/null | head -1)}
export CUBLAS_WORKSPACE_CONFIG=:4096:8
mkdir -p "$out"
cd "$out" || exit 1
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
verdict() { # PASS|FAIL NAME TEXT
    echo "$1 $2: $3"
    [ "$1" = PASS ] || echo "$2" >>"$failures"
}
# What a Python program on stdin prints is the text; its exit status is the verdict. LOGS: their ends explain a failure.
judged() { # NAME LOGS ARGUMENTS...
    local name=$1 logs=$2 text
    shift 2
    # shellcheck disable=SC2086
    text=$(python3 - "$@" 2>&1) && verdict PASS "$name" "$text" ||
        verdict FAIL "$name" "$text $(tail -q -c 300 $logs 2>/dev/null | tr '\n' ' ')"
}
result() { grep -m1 '^result ' "$1"; }
same() { # NAME PLAIN OTHER: the program's own results
    local a b
    a=$(result "$2") b=$(result "$3")
    [ -n "$a" ] && [ "$a" = "$b" ] && verdict PASS "$1" "results equal ($a)" || verdict FAIL "$1" "results '$a' and '$b': $(tail -c 200 "$3" | tr '\n' ' ')"
}
torch=(compiled graphs cumsum sort topk conv2d decode)
one_case() { # CASE: plain, and listed under the profiler
    timeout 100 python3 "$programs/torch_cases.py" "$1" >"$1.plain" 2>"$1.plain.err"
    timeout 120 "$cubinlab" capture --list --json -- python3 "$programs/torch_cases.py" "$1" "$out/$1.counts" >"$1.list" 2>"$1.listed"
}
# A legal schedule of KERNEL, captured from PROGRAM..., in NAME.best.cubin; false if there is none.
tuned() { # NAME KERNEL PROGRAM...
    local name=$1 kernel=$2 cubin
    shift 2
    rm -rf "$name.captured" "$name.db"*
    timeout 120 "$cubinlab" capture --kernel "$kernel" -o "$name.captured" -- "$@" >"$name.capture" 2>&1
    cubin=$(ls "$name.captured"/*.cubin 2>/dev/null | head -1)
    [ -n "$cubin" ] || return 1
    cp "$cubin" "$name.original.cubin"
    timeout 60 "$cubinlab" tune "$cubin" --only-reschedules --kernel "$(sed -n 's/^ "kernel": "\(.*\)",$/\1/p' "${cubin%.cubin}.workload.json")" \
        --evaluator model --agent random --budget 300steps --session "$name.db" --out "$name.best.cubin" --force >"$name.tune" 2>&1
    # Where nothing gains on the model, any legal schedule will do.
    cmp -s "$name.best.cubin" "$name.original.cubin" &&
        "$cubinlab" export "$name.db" --schedule step:100 --allow-files --out "$name.best.cubin" --force >>"$name.tune" 2>&1
    [ -s "$name.best.cubin" ] && ! cmp -s "$name.best.cubin" "$name.original.cubin"
}
# `run` with it: the count of launches is that of the list, the results stay.
replaced() { # NAME PLAIN LIST PROGRAM...
    local name=$1 plain=$2 list=$3
    shift 3
    timeout 120 "$cubinlab" run --with "$name.best.cubin" --original "$name.original.cubin" --require --json -- "$@" >"$name.run" 2>"$name.ran"
    same "$name run" "$plain" "$name.ran"
    judged "$name run" "$name.ran" "$name.run" "$list" <<'PY'
import json, sys
run, listed = (json.load(open(p)) for p in sys.argv[1:3])
ours = {k["kernel"]: k for k in listed["kernels"]}
rows = run["list"]
print("; ".join(f"{k['launches']} launches, {k['graph_runs']} by graphs, of {k['kernel'][:40]}" for k in rows) or "nothing replaced")
for k in rows:
    k["listed"] = ours[k["kernel"]]
wrong = [k for k in rows if any(k[n] != k["listed"][n] for n in ("launches", "recorded", "graph_runs"))]
for k in wrong:
    print("listed:", {n: k["listed"][n] for n in ("launches", "recorded", "graph_runs")})
sys.exit(bool(wrong) or not rows)
PY
}
run_case() { # CASE KERNEL: `run` with a tuned kernel of a PyTorch program
    [ -s "$1.list" ] || one_case "$1"
    if tuned "$1" "$2" python3 "$programs/torch_cases.py" "$1"; then
        replaced "$1" "$1.plain" "$1.list" python3 "$programs/torch_cases.py" "$1"
    else
        verdict FAIL "$1 run" "no schedule: $(tail -q -c 300 "$1.capture" "$1.tune" 2>/dev/null | tr '\n' ' ')"
    fi
}
for part in $parts; do
    case $part in
    torch)
        for case in "${torch[@]}"; do one_case "$case" & done
        wait
        for case in "${torch[@]}"; do
            same "$case list" "$case.plain" "$case.listed"
            text=$(python3 "$programs/torch_cases.py" --compare "$case.list" "$case.counts" 2>&1) && verdict PASS "$case list" "${text#PASS }" || verdict FAIL "$case list" "$text"
        done
        ;;
    run)
        run_case compiled regex:triton_ &
        run_case decode regex:index_copy &
        run_case graphs regex:softmax &
        wait
        ;;
    jit)
        jit=(python3 "$programs/jit_link.py" "$here/tests/inject/launches.ptx" 7)
        timeout 60 "${jit[@]}" >jit.plain 2>&1
        timeout 60 "$cubinlab" capture --list --json -- "${jit[@]}" >jit.list 2>jit.listed
        same "nvJitLink list" jit.plain jit.listed
        launches=$(python3 -c 'import json; print(sum(k["launches"] for k in json.load(open("jit.list"))["kernels"]))' 2>&1)
        [ "$launches" = 7 ] && verdict PASS "nvJitLink list" "7 launches of 7" || verdict FAIL "nvJitLink list" "$launches launches of 7"
        if tuned jit softmax "${jit[@]}"; then
            replaced jit jit.plain jit.list "${jit[@]}"
        else
            echo "NOTE nvJitLink run: its kernel has no other legal schedule ($(tail -n 1 jit.tune | cut -c1-120))"
        fi
        ;;
    device_graph)
        command -v nvcc >/dev/null || { echo "SKIPPED device_graph: no nvcc"; continue; }
        nvcc -arch=sm_90 -rdc=true -o device_graph "$programs/device_graph.cu" -lcudadevrt >device_graph.build 2>&1
        timeout 60 ./device_graph >device_graph.plain 2>&1
        timeout 60 "$cubinlab" capture --list -- ./device_graph >device_graph.list 2>&1
        same "graph launched by the GPU" device_graph.plain device_graph.list
        grep -q "launched by the GPU itself" device_graph.list && verdict PASS "graph launched by the GPU" "reported as not counted" ||
            verdict FAIL "graph launched by the GPU" "not reported: $(tail -n 3 device_graph.list | tr '\n' ' ')"
        ;;
    entries)
        timeout 100 "$bin/../tests/test_inject" "on a GPU*" >entries.log 2>&1
        text=$(grep 'All tests passed' entries.log) && verdict PASS "entry points, graphs, cuLink" "$text" ||
            verdict FAIL "entry points, graphs, cuLink" "$(tail -n 12 entries.log | tr '\n' ' ')"
        ;;
    time)
        # A captured kernel takes as long in the replay as in the program (its carve-out travels).
        timeout 100 "$cubinlab" capture --list --json -- python3 "$programs/attention.py" >time.list 2>time.listed
        timeout 100 "$cubinlab" capture --kernel regex:attention -o time.captured -- python3 "$programs/attention.py" >time.capture 2>&1
        cubin=$(ls time.captured/*.cubin 2>/dev/null | head -1)
        timeout 60 "$cubinlab" measure "$cubin" "$cubin" --cache hot --no-energy --loads 4 --json >time.measure 2>time.measured
        judged "time in replay" "time.listed time.capture time.measured" <<'PY'
import json, sys
program = max(k["mean_us"] for k in json.load(open("time.list"))["kernels"] if "attention" in k["kernel"])
replay = json.load(open("time.measure"))["cost_original_us"]
print(f"{program:.2f} us in the program by events, {replay:.2f} us in the replay")
sys.exit(not 0.5 < replay / program < 1.3)
PY
        ;;
    overhead)
        command -v nvcc >/dev/null || { echo "SKIPPED overhead: no nvcc"; continue; }
        ROUNDS=${ROUNDS:-1} PAIRS=${PAIRS:-10} timeout 100 bash "$here/app/lab/scripts/gpu-reach.sh" "$bin" "$out/overhead" 1 overhead >overhead.log 2>&1
        # The timed kernels replaced themselves, and listed.
        program=("$out/overhead/overhead")
        if tuned overhead regex:usual "${program[@]}" short; then
            timeout 40 "$cubinlab" run --with overhead.best.cubin --original overhead.original.cubin --require -- "${program[@]}" 2>&1 |
                sed -n 's/^usual:/replaced:/p' >>overhead.log
        else
            verdict FAIL "overhead, replaced" "no schedule: $(tail -q -c 200 overhead.capture overhead.tune | tr '\n' ' ')"
        fi
        timeout 40 "$cubinlab" capture --list -- "${program[@]}" 2>&1 | sed -n 's/^\(usual\|empty\):/listed, \1:/p' >>overhead.log
        grep -E 'difference' overhead.log
        most=$(sed -n 's/.*difference \([-+0-9.]*\) ns.*/\1/p' overhead.log | sort -g | tail -n 1)
        [ -n "$most" ] && awk "BEGIN { exit !($most < 50) }" && verdict PASS overhead "at most $most ns a launch" || verdict FAIL overhead "${most:-no figure}: $(tail -n 2 overhead.log | tr '\n' ' ')"
        ;;
    esac
done
[ -s "$failures" ] && echo "FAIL $(wc -l <"$failures") checks of: $parts" || echo "PASS all of: $parts"
[ ! -s "$failures" ]
