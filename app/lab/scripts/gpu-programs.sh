#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Captures the kernels of whole programs of other people, tunes them as a campaign, and runs the programs with the result. Needs a GPU and
# cubinlab on PATH.
#   app/lab/scripts/gpu-programs.sh LIST OUT        LIST: a line for each program, `NAME PROGRAM ARGS...`, run in the list's folder
# BUDGET=30s: of each program's kernels together. DEVICES=0,1: GPUs, a program on each at a time. OUT/NAME has captures, sessions, logs.
list=$(realpath "$1")
out=$(realpath -m "$2")
mkdir -p "$out"
one() { # DEVICE NAME PROGRAM ARGS...
    export CUDA_VISIBLE_DEVICES=$1
    local name=$2 folder=$out/$2
    shift 2
    mkdir -p "$folder" && cd "$(dirname "$list")" || return
    step() { # NAME COMMAND...
        local log=$folder/$1.log from=$SECONDS code
        shift
        timeout 300 "$@" >"$log" 2>&1
        code=$?
        echo "$name: $(basename "$log" .log): exit $code, $((SECONDS - from)) s"
        return $code
    }
    step alone "$@" || return
    step capture cubinlab capture --check -o "$folder/captured" -- "$@" || [ -n "$(ls "$folder/captured"/*.cubin 2>/dev/null)" ] || return
    step campaign cubinlab campaign "$folder/captured" --budget "${BUDGET:-30s}"
    cubinlab campaign "$folder/captured" --report --json >"$folder/campaign.json" 2>/dev/null
    [ -n "$(ls "$folder/captured/campaign"/*.best.cubin 2>/dev/null)" ] || return
    step with cubinlab run --with "$folder/captured/campaign" --require -- "$@"
    step ab cubinlab run --with "$folder/captured/campaign" --ab --json -- "$@"
}
# Each device takes the next program that nobody has taken.
work() {
    local line
    while :; do
        exec 9>"$out/lock" && flock 9
        line=$(sed -n "$(($(cat "$out/next") + 1))p" "$list")
        echo $(($(cat "$out/next") + 1)) >"$out/next"
        exec 9>&-
        [ -n "$line" ] || return
        # The list's words are the shell's.
        eval "set -- $line"
        one "$DEVICE" "$@"
    done
}
echo 0 >"$out/next"
for DEVICE in $(tr ',' ' ' <<<"${DEVICES:-0}"); do work & done
wait
