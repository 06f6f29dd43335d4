#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the lines of resources/docs/own-kernels.md, "Ten minutes each", unchanged: each part in a folder of its own, its exit codes
# in one line a command. Needs a GPU, nvcc, PyTorch and Triton, and cubinlab on PATH.
#   app/lab/scripts/gpu-routes.sh [OUT [PART...] | --list]        PART: a word of a heading: nvcc Triton PyTorch TMA cluster; --list: only prints the lines
# BUDGET=10s: replaces every --budget. DOCS: the document's folder.
src=$(cd "$(dirname "$0")/../../.." && pwd)
document=${DOCS:-$src/resources/docs}/own-kernels.md
[ "$1" = --list ] && list=1 && set -- "$(mktemp -d)" && trap 'rm -rf "$out"' EXIT
out=$(realpath -m "${1:-/tmp/routes}")
shift $(($# < 1 ? $# : 1))
failed=0
route() { # TITLE FILE
    local folder=$out/$1 line code
    rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || exit 1
    echo "== $1"
    # One shell for all lines, so that variables stay.
    {
        echo "export SRC='$src'"
        while IFS= read -r line; do
            [ -n "$BUDGET" ] && line=$(sed -E "s/--budget [0-9a-z]+/--budget $BUDGET/" <<<"$line")
            printf 'from=$SECONDS\n{ %s\n} > step.log 2>&1\ncode=$?\n' "$line"
            printf 'echo "exit $code, $((SECONDS - from)) s: "%q\n' "$line"
            printf '[ $code = 0 ] || tail -3 step.log | cut -c1-300\ngrep -hE "^result|replaced|replayed|best:|nothing beat|pairs of" step.log | cut -c1-200\n'
            printf 'cat step.log >> all.log\n[ $code = 0 ] || echo failed >> failed\n'
        done <"$2"
    } >steps.sh
    bash steps.sh
    [ -e failed ] && failed=$((failed + $(wc -l <failed)))
}
mkdir -p "$out"
# The code blocks of the section, by the first word of their heading's last part.
awk -v out="$out" '/^## /{on = /Ten minutes/} on && /^### /{title = $0; sub(/^### /, "", title); gsub(/[^A-Za-z ]/, "", title); gsub(/ /, "-", title)}
    on && /^```/{code = !code; next} on && code && title {print > (out "/" title ".lines")}' "$document"
[ -n "$list" ] && cat "$out"/*.lines && exit
for file in "$out"/*.lines; do
    title=$(basename "$file" .lines)
    if [ $# -gt 0 ]; then
        wanted=
        for part in "$@"; do [[ $title == *"$part"* ]] && wanted=1; done
        [ -n "$wanted" ] || continue
    fi
    route "$title" "$file"
done
echo "$failed commands failed"
exit $((failed > 0))
