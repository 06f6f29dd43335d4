#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the pictures of resources/docs/gallery.md with the program itself; needs no display.
#
#   packaging/gallery.sh [PROGRAM] [FOLDER]     default: build/bin/cubinlab resources/docs/images/gallery
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
program="$(realpath "${1:-$root/build/bin/cubinlab}")"
folder="$(realpath -m "${2:-$root/resources/docs/images/gallery}")"
mkdir -p "$folder"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"

scene() { # NAME THEME [ACTIONS]
    local actions=()
    [ $# -gt 2 ] && actions=(--do "$3")
    XDG_DATA_HOME="$work/data-$1" XDG_CONFIG_HOME="$work/config-$1" XDG_RUNTIME_DIR="$work/run" QT_QPA_PLATFORM=offscreen \
        "$program" "$root/samples/bmm_mma.cubin" --agent greedy --evaluator model --budget 300steps --seed 1 \
        --session "$work/$1.db" --theme "$2" --size 1600x1000 --after 12 --screenshot "$work/$1.png" --quit "${actions[@]}"
    if command -v convert > /dev/null; then
        convert "$work/$1.png" -strip +dither -colors 160 -define png:compression-level=9 "PNG8:$folder/$1.png"
    else
        cp "$work/$1.png" "$folder/$1.png"
    fi
}

scene replay-minimised-light light "show:dock_replay;step:200;replay.minimise;wait:4"
scene patterns-dark dark "step:200;replay.patterns;wait:3"
scene agent-dark dark
du -sh "$folder"
